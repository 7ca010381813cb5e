// Texts of the user, places in them, and diagnostics at those places.
#include "base/source.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace neurasp::base {

std::uint32_t SourceMap::add(std::string name, std::string text) {
    if (text.size() >= std::numeric_limits<std::uint32_t>::max()) {
        throw InputError(Diagnostic{Severity::error,
                                    "file-too-large",
                                    "the text is longer than 4 GiB",
                                    {name, 0, 0, 0, 0},
                                    {},
                                    {}});
    }
    Source source{std::move(name), std::move(text), {0}};
    for (std::size_t i = 0; i < source.text.size(); ++i) {
        if (source.text[i] == '\n') source.line_starts.push_back(static_cast<std::uint32_t>(i + 1));
    }
    const auto nul = source.text.find('\0');
    sources_.push_back(std::move(source));
    const auto id = static_cast<std::uint32_t>(sources_.size() - 1);
    if (nul != std::string::npos) {
        const auto at = static_cast<std::uint32_t>(nul);
        throw InputError(diagnose(Severity::error, "nul-byte", {id, at, at + 1},
                                  "the text contains a NUL byte; is this a binary file?"));
    }
    return id;
}

std::string_view SourceMap::text(SourceSpan span) const {
    const std::string_view whole = text(span.source);
    NEURASP_ASSERT(span.begin <= span.end && span.end <= whole.size(), "a span lies in its text");
    return whole.substr(span.begin, span.end - span.begin);
}

SourceLocation SourceMap::locate(SourceSpan span) const {
    const Source &source = sources_.at(span.source);
    NEURASP_ASSERT(span.begin <= source.text.size(), "a span lies in its text");
    const auto place = [&](std::uint32_t offset) {
        const auto next =
            std::upper_bound(source.line_starts.begin(), source.line_starts.end(), offset);
        const auto line = static_cast<std::uint32_t>(next - source.line_starts.begin());
        return std::pair{line, offset - source.line_starts[line - 1] + 1};
    };
    const auto [line, column] = place(span.begin);
    const auto [end_line, end_column] = place(std::max(span.begin, span.end));
    return {source.name, line, column, end_line, end_column};
}

std::uint32_t SourceMap::offset(const Source &source, std::uint32_t line,
                                std::uint32_t column) const {
    const auto size = static_cast<std::uint32_t>(source.text.size());
    if (line == 0) return 0;
    if (line > source.line_starts.size()) return size;
    const std::uint32_t start = source.line_starts[line - 1];
    const std::uint32_t next =
        line < source.line_starts.size() ? source.line_starts[line] - 1 : size;
    const std::uint32_t wanted = column == 0 ? 0 : column - 1;
    return wanted > next - start ? next : start + wanted;
}

SourceSpan SourceMap::span(std::uint32_t source, std::uint32_t line, std::uint32_t column,
                           std::uint32_t end_line, std::uint32_t end_column) const {
    const Source &text = sources_.at(source);
    const std::uint32_t begin = offset(text, line, column);
    return {source, begin, std::max(begin, offset(text, end_line, end_column))};
}

std::string_view SourceMap::line(std::uint32_t source, std::uint32_t line) const {
    const Source &text = sources_.at(source);
    if (line == 0 || line > text.line_starts.size()) return {};
    const std::uint32_t begin = text.line_starts[line - 1];
    const std::size_t end = std::min(text.text.find('\n', begin), text.text.size());
    std::string_view result = std::string_view(text.text).substr(begin, end - begin);
    if (!result.empty() && result.back() == '\r') result.remove_suffix(1);
    return result;
}

std::uint32_t SourceMap::line_count(std::uint32_t source) const {
    return static_cast<std::uint32_t>(sources_.at(source).line_starts.size());
}

Diagnostic SourceMap::diagnose(Severity severity, std::string code, SourceSpan span,
                               std::string message, std::string hint) const {
    // Generated programs can have lines of megabytes, too long to show below an error.
    constexpr std::uint32_t longest_line = 1000;
    constexpr std::uint32_t most_before = 500;
    SourceLocation location = locate(span);
    const std::uint32_t before = location.column - 1;
    const std::uint32_t start = before <= most_before ? 0 : before - most_before;
    std::string_view line = text(span.source).substr(span.begin - before + start, longest_line);
    line = line.substr(0, line.find('\n'));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return {severity,
            std::move(code),
            std::move(message),
            std::move(location),
            std::string(line),
            std::move(hint),
            start};
}

void DiagnosticSink::add(Diagnostic diagnostic) {
    if (diagnostic.severity == Severity::error) ++errors_;
    all_.push_back(std::move(diagnostic));
}

void DiagnosticSink::throw_if_errors() const {
    if (has_errors()) throw InputError(all_);
}

} // namespace neurasp::base
