// Cuts a text into statements and tells their kinds apart.
//
// A dot ends a statement wherever it stands, so a mistake in one statement spoils no other. The one
// question that needs looking ahead is whether a statement that starts with a number is a
// probabilistic rule (`1 a; 0 b.`) or a choice rule (`1 {a; b} 1.`).
#pragma once

#include "language/lexer.hpp"
#include "language/operator_depth.hpp"
#include "language/statement.hpp"

#include <optional>
#include <vector>

namespace neurasp::language {

class StatementReader {
  public:
    // Brackets may nest so deep, and operators too; more is a mistake, or an attack on somebody's stack.
    static constexpr std::size_t deepest_nesting = 1000;

    // No name, number or string is longer, in bytes: each would be copied many times.
    static constexpr std::size_t longest_token = 1'000'000;

    StatementReader(const SourceMap &sources, SourceUnit unit, const ReadOptions &options,
                    Reporter &reporter);

    // The next statement without mistakes of form; nothing at the end of the text.
    std::optional<Statement> next();

  private:
    void read_statement();
    void read_query();
    void read_probabilistic();
    bool takes_slash();
    void split_colon();
    void read_directive(Token name);
    void read_script(Token name);
    void skip_silently_to_dot();
    bool starts_probabilistic() const;

    void push(Token token);
    void read_to_dot(Token first);
    void read_brackets_behind_dot();
    bool stops_at(Token token);
    void end_with(Token dot);
    void missing_dot();
    bool is_neural() const;

    SourceSpan span(Token token) const { return {unit_.source, token.begin, token.end}; }
    bool spoilt() const { return reporter_->count() > errors_before_ || reporter_->full(); }
    void syntax(SourceSpan at, std::string message, std::string hint = {});

    SourceUnit unit_;
    const ReadOptions *options_;
    Reporter *reporter_;
    Lexer lexer_;
    Statement statement_;
    std::vector<std::uint32_t> open_; // brackets that wait for their partner
    OperatorDepth operators_;
    bool too_deep_ = false;
    std::size_t errors_before_ = 0; // when the current statement began
};

} // namespace neurasp::language
