// Diagnostics as text: severity, message, source line with carets, hint.
#include "neurasp/diagnostic.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace neurasp {

namespace {

constexpr std::size_t widest_source_line = 160;

struct Palette {
    std::string_view bold, severity, caret, reset;
};

Palette palette_for(Severity severity, bool color) {
    if (!color) return {};
    switch (severity) {
    case Severity::error: return {"\033[1m", "\033[1;31m", "\033[1;32m", "\033[0m"};
    case Severity::warning: return {"\033[1m", "\033[1;35m", "\033[1;32m", "\033[0m"};
    case Severity::info: break;
    }
    return {"\033[1m", "\033[1;36m", "\033[1;32m", "\033[0m"};
}

// Replaces control characters, which could control the user's terminal.
std::string without_controls(std::string text) {
    for (char &c : text) {
        const bool control = static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
        if (control && c != '\t' && c != '\n') c = '?';
    }
    return text;
}

// The part of the source line that is shown, and the column in it at which the diagnostic's range begins.
struct ShownLine {
    std::string text;
    std::size_t begin = 0;
};

bool continues_a_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Cuts a long line to the part around the beginning of the range.
ShownLine shown_line(const Diagnostic &diagnostic) {
    constexpr std::size_t most_before = widest_source_line * 3 / 4;
    const std::string_view line = diagnostic.source_line;
    const std::size_t left_out = diagnostic.source_line_start + std::size_t{1};
    const std::size_t column = diagnostic.location.column;
    const std::size_t begin = column < left_out ? 0 : std::min(column - left_out, line.size());
    std::size_t from = begin <= most_before ? 0 : begin - widest_source_line / 2;
    while (from < begin && continues_a_character(line[from])) ++from;
    const std::string_view cut = from + left_out > 1 ? "..." : "";
    return {std::string(cut) + without_controls(std::string(line.substr(from, widest_source_line))),
            cut.size() + begin - from};
}

// Appends the source line and a line of carets below the range; tabs are kept, so that the carets stay aligned.
void append_caret_lines(std::string &out, const Diagnostic &diagnostic, const Palette &palette) {
    const SourceLocation &at = diagnostic.location;
    if (at.line == 0 || diagnostic.source_line.empty()) return;
    const auto [line, begin] = shown_line(diagnostic);
    const std::size_t length = at.end_column > at.column ? at.end_column - at.column : 0;
    const std::size_t end =
        at.end_line == at.line ? std::clamp<std::size_t>(begin + length, begin + 1, line.size() + 1)
                               : std::max(begin + 1, line.size());
    const std::string number = std::to_string(at.line);
    out += "\n  " + number + " | " + line + "\n  " + std::string(number.size(), ' ') + " | ";
    for (std::size_t i = 0; i < begin; ++i) out += line[i] == '\t' ? '\t' : ' ';
    out += palette.caret;
    out.append(end - begin, '^');
    out += palette.reset;
}

std::string spelled(const Diagnostic &diagnostic, const OptionSpelling &spell) {
    if (spell) return spell(diagnostic.option, diagnostic.option_value);
    const std::string &value = diagnostic.option_value;
    return value.empty() ? diagnostic.option : diagnostic.option + " " + value;
}

std::string hint_with_option(const Diagnostic &diagnostic, const OptionSpelling &spell) {
    if (diagnostic.option.empty()) return diagnostic.hint;
    const std::string option = spelled(diagnostic, spell);
    return diagnostic.hint.empty() ? option : diagnostic.hint + " (" + option + ")";
}

} // namespace

std::string_view to_string(Severity severity) {
    switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::info: break;
    }
    return "info";
}

std::string render(const Diagnostic &diagnostic, bool color, const OptionSpelling &spell) {
    const Palette palette = palette_for(diagnostic.severity, color);
    const SourceLocation &at = diagnostic.location;
    std::string out(palette.bold);
    if (!at.file.empty()) {
        out += without_controls(at.file);
        if (at.line != 0) out += ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
        out += ": ";
    }
    out += palette.reset;
    out += palette.severity;
    out += to_string(diagnostic.severity);
    out += ": ";
    out += palette.reset;
    out += palette.bold;
    out += without_controls(diagnostic.message);
    out += palette.reset;
    if (!diagnostic.code.empty()) out += " [" + diagnostic.code + "]";
    append_caret_lines(out, diagnostic, palette);
    const std::string hint = hint_with_option(diagnostic, spell);
    if (!hint.empty()) out += "\n  hint: " + without_controls(hint);
    return out;
}

namespace {

std::string summary(const std::vector<Diagnostic> &diagnostics) {
    std::string text;
    for (const Diagnostic &diagnostic : diagnostics) {
        if (!text.empty()) text += "\n";
        text += render(diagnostic);
    }
    return text;
}

} // namespace

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(summary(diagnostics)), diagnostics_(std::move(diagnostics)) {}

InputError::InputError(Diagnostic diagnostic)
    : InputError(std::vector<Diagnostic>{std::move(diagnostic)}) {}

} // namespace neurasp
