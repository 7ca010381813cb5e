// Texts that the user wrote, and places in them. Later stages refer to a place by a `SourceSpan` of twelve
// bytes; file name, line and column are computed only when a diagnostic is made.
#pragma once

#include "neurasp/diagnostic.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::base {

// The half-open byte range [begin, end) of the text with number `source` in a SourceMap.
// Invariant: it lies within that text.
struct SourceSpan {
    std::uint32_t source = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    friend bool operator==(const SourceSpan &, const SourceSpan &) = default;
};

// Holds the texts. It only grows, so spans stay valid.
class SourceMap {
  public:
    // Adds a text under the name that diagnostics show; returns its number.
    // Throws: InputError if the text is longer than 4 GiB or contains a NUL byte.
    std::uint32_t add(std::string name, std::string text);

    std::size_t size() const noexcept { return sources_.size(); }
    const std::string &name(std::uint32_t source) const { return sources_.at(source).name; }
    std::string_view text(std::uint32_t source) const { return sources_.at(source).text; }
    std::string_view text(SourceSpan span) const;

    SourceLocation locate(SourceSpan span) const;
    // The span from one line and column (both from 1) to another; clamped to the text.
    SourceSpan span(std::uint32_t source, std::uint32_t line, std::uint32_t column,
                    std::uint32_t end_line, std::uint32_t end_column) const;
    // The text of a line (from 1), without its newline.
    std::string_view line(std::uint32_t source, std::uint32_t line) const;
    std::uint32_t line_count(std::uint32_t source) const;

    // A diagnostic at `span`, with its location and source line; a very long line is cut to the part near
    // the span.
    Diagnostic diagnose(Severity severity, std::string code, SourceSpan span, std::string message,
                        std::string hint = {}) const;

  private:
    struct Source {
        std::string name;
        std::string text;
        std::vector<std::uint32_t> line_starts;
    };
    std::uint32_t offset(const Source &source, std::uint32_t line, std::uint32_t column) const;

    std::vector<Source> sources_;
};

// Collects diagnostics, so that several mistakes can be reported at once.
class DiagnosticSink {
  public:
    void add(Diagnostic diagnostic);
    bool has_errors() const noexcept { return errors_ > 0; }
    std::size_t error_count() const noexcept { return errors_; }
    const std::vector<Diagnostic> &all() const noexcept { return all_; }
    // Throws: InputError with all diagnostics if at least one of them is an error.
    void throw_if_errors() const;

  private:
    std::vector<Diagnostic> all_;
    std::size_t errors_ = 0;
};

} // namespace neurasp::base
