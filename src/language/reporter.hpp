// Collects the findings of this layer, sorted by place and limited in number.
#pragma once

#include "base/source.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace neurasp::language {

using base::DiagnosticSink;
using base::SourceMap;
using base::SourceSpan;

// A text for messages: control and non-ASCII bytes as `\xNN`, long texts cut.
std::string printable(std::string_view text);

// `printable` text in single quotes.
std::string in_quotes(std::string_view text);

class Reporter {
  public:
    explicit Reporter(const SourceMap &sources) : sources_(&sources) {}

    // `option` is the identifier of the option that the hint suggests.
    void error(std::string code, SourceSpan span, std::string message, std::string hint = {},
               std::string option = {});
    // "expected <what>, found '<the text there>'"; false, for a parser to return.
    bool expected(const std::string &what, SourceSpan span, std::string hint = {});
    // Only the first few warnings are kept, because they must not use up the room for errors.
    void warning(std::string code, SourceSpan span, std::string message, std::string hint = {});
    // Takes over a finished diagnostic that belongs to `span`.
    void adopt(SourceSpan span, Diagnostic diagnostic);

    std::size_t count() const noexcept { return findings_.size(); }
    // Whether there are so many findings that more would not help the user.
    bool full() const noexcept { return findings_.size() >= most_findings; }
    // The place as text: "line 3", or "line 3 of FILE" if `near` is in a different file.
    std::string place(SourceSpan span, SourceSpan near) const;

    // Hands everything to the sink, ordered by source and place.
    void flush(DiagnosticSink &sink);

  private:
    static constexpr std::size_t most_findings = 100;
    static constexpr std::size_t most_warnings = 20;
    struct Finding {
        SourceSpan span;
        Diagnostic diagnostic;
    };
    void add(Severity severity, std::string code, SourceSpan span, std::string message,
             std::string hint, std::string option);

    const SourceMap *sources_;
    std::vector<Finding> findings_;
    std::size_t warnings_ = 0;
};

} // namespace neurasp::language
