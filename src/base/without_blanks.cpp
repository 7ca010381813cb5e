// Removes blanks outside of quoted strings.
#include "base/without_blanks.hpp"

namespace neurasp::base {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

} // namespace

std::string without_blanks(std::string_view text) {
    std::string result;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string && c == '\\' && i + 1 < text.size()) {
            result += c;
            result += text[++i];
            continue;
        }
        if (c == '"') in_string = !in_string;
        if (in_string || !is_blank(c)) result += c;
    }
    return result;
}

} // namespace neurasp::base
