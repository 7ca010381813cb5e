// Collects, sorts and limits the findings of the language layer.
#include "language/reporter.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace neurasp::language {

std::string printable(std::string_view text) {
    constexpr std::size_t longest = 40;
    constexpr std::string_view digits = "0123456789abcdef";
    std::string result;
    for (const char c : text.substr(0, longest)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f) {
            result += c;
        } else if (c == '\n') {
            result += "\\n";
        } else {
            result += "\\x";
            result += digits[byte >> 4];
            result += digits[byte & 15];
        }
    }
    if (text.size() > longest) result += "...";
    return result;
}

std::string in_quotes(std::string_view text) { return "'" + printable(text) + "'"; }

void Reporter::error(std::string code, SourceSpan span, std::string message, std::string hint,
                     std::string option) {
    add(Severity::error, std::move(code), span, std::move(message), std::move(hint),
        std::move(option));
}

void Reporter::warning(std::string code, SourceSpan span, std::string message, std::string hint) {
    if (warnings_ == most_warnings) return;
    ++warnings_;
    add(Severity::warning, std::move(code), span, std::move(message), std::move(hint), {});
}

void Reporter::add(Severity severity, std::string code, SourceSpan span, std::string message,
                   std::string hint, std::string option) {
    if (full()) return;
    Diagnostic diagnostic =
        sources_->diagnose(severity, std::move(code), span, std::move(message), std::move(hint));
    diagnostic.option = std::move(option);
    adopt(span, std::move(diagnostic));
}

bool Reporter::expected(const std::string &what, SourceSpan span, std::string hint) {
    error("syntax", span, "expected " + what + ", found " + in_quotes(sources_->text(span)),
          std::move(hint));
    return false;
}

void Reporter::adopt(SourceSpan span, Diagnostic diagnostic) {
    if (!full()) findings_.push_back({span, std::move(diagnostic)});
}

std::string Reporter::place(SourceSpan span, SourceSpan near) const {
    const SourceLocation at = sources_->locate(span);
    const std::string line = "line " + std::to_string(at.line);
    return span.source == near.source ? line : line + " of " + at.file;
}

void Reporter::flush(DiagnosticSink &sink) {
    std::stable_sort(findings_.begin(), findings_.end(), [](const Finding &a, const Finding &b) {
        return std::tie(a.span.source, a.span.begin) < std::tie(b.span.source, b.span.begin);
    });
    const bool more = full();
    for (Finding &finding : findings_) sink.add(std::move(finding.diagnostic));
    if (more) {
        sink.add(Diagnostic{Severity::info,
                            "too-many-errors",
                            "there may be more errors; only the first " +
                                std::to_string(most_findings) + " are shown",
                            {},
                            {},
                            {}});
    }
    findings_.clear();
}

} // namespace neurasp::language
