// A statement as the reader cuts it out of a text: its tokens, and which brackets belong together.
#pragma once

#include "language/program.hpp"
#include "language/token.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace neurasp::language {

enum class StatementKind {
    rule, // ordinary: fact, choice, disjunction, constraint
    weak_constraint,
    neural,
    probabilistic,
    directive,
    script,
    query
};

// A range [begin, end) of token numbers of one statement.
struct TokenRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    bool empty() const noexcept { return begin >= end; }
    std::uint32_t size() const noexcept { return empty() ? 0 : end - begin; }
};

// Invariant: brackets are balanced, and `partner[i]` is the other bracket of bracket i (for other tokens, i
// itself). A statement ends with its dot, after which some kinds have `[..]`. A query may lack the dot.
struct Statement {
    StatementKind kind = StatementKind::rule;
    SourceUnit unit;
    std::vector<Token> tokens;
    std::vector<std::uint32_t> partner;

    std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(tokens.size()); }
    TokenKind kind_at(std::uint32_t token) const {
        return token < tokens.size() ? tokens[token].kind : TokenKind::end;
    }
    SourceSpan span(std::uint32_t token) const {
        return {unit.source, tokens[token].begin, tokens[token].end};
    }
    // From the first to the last token. Requires: the range is not empty.
    SourceSpan span(TokenRange range) const {
        return {unit.source, tokens[range.begin].begin, tokens[range.end - 1].end};
    }
    SourceSpan span() const { return span({0, size()}); }

    // The token after token i, or after its closing bracket if it opens one.
    std::uint32_t after(std::uint32_t token) const {
        return partner[token] > token ? partner[token] + 1 : token + 1;
    }
    // The first token of kind `wanted` in the range and outside its brackets, else the range's end.
    std::uint32_t find(TokenRange range, TokenKind wanted) const;
    // The parts between separators outside brackets; none for an empty range.
    std::vector<TokenRange> split(TokenRange range, TokenKind separator) const;
};

// The text of a token, changed where clingo 5.4 would misread it: hexadecimal digits become lower case, because
// clingo reads 0x1F as -1, but 0x1f correctly.
std::string clingo_text(const SourceMap &sources, SourceSpan token, TokenKind kind);

// The texts of the tokens of a range, with blanks only where two tokens would otherwise become one.
std::string joined_text(const SourceMap &sources, const Statement &statement, TokenRange range);

} // namespace neurasp::language
