// Splits a text with placeholders into literals and names, and fills it in.
#include "base/template_text.hpp"

#include "neurasp/diagnostic.hpp"

namespace neurasp::base {

namespace {

constexpr std::string_view doubling = "write {{ and }} for braces that belong to the text";

} // namespace

TemplateText::TemplateText(std::string_view text, std::vector<TemplateMistake> &mistakes) {
    std::size_t at = 0;
    while (at < text.size()) {
        const char c = text[at];
        if ((c == '{' || c == '}') && at + 1 < text.size() && text[at + 1] == c) {
            literals_.back() += c;
            at += 2;
        } else if (c == '}') {
            mistakes.push_back({at, at + 1, "a '}' without its '{'", std::string(doubling)});
            ++at;
        } else if (c == '{') {
            const std::size_t end = text.find_first_of("{}\n", at + 1);
            if (end == std::string_view::npos || text[end] != '}') {
                mistakes.push_back({at, at + 1, "a '{' without its '}'", std::string(doubling)});
                ++at;
                continue;
            }
            placeholders_.push_back({std::string(text.substr(at + 1, end - at - 1)), at + 1, end});
            literals_.emplace_back();
            at = end + 1;
        } else {
            const std::size_t end = std::min(text.find_first_of("{}", at), text.size());
            literals_.back() += text.substr(at, end - at);
            at = end;
        }
    }
}

void TemplateText::fill(std::span<const std::string_view> cells, std::string &out) const {
    if (cells.size() != placeholders_.size()) {
        throw ContractError("TemplateText::fill: expected " + std::to_string(placeholders_.size()) +
                            " cells, got " + std::to_string(cells.size()));
    }
    out += literals_.front();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        out += cells[i];
        out += literals_[i + 1];
    }
}

} // namespace neurasp::base
