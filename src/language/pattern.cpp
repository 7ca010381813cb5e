// Patterns of terms and atoms, and whether two of them may become equal.
//
// Before grounding, `digit(0,X,3)` stands for a set of ground atoms. A pattern keeps what the syntax says about
// this set: the name, the arguments, and `any` for every term whose value depends on grounding (variables,
// arithmetic, pools, intervals, calls of scripts).
//
// `may_unify` is simpler than unification. It keeps no bindings: `p(X,X)` and `p(1,2)` may unify although no
// value of X makes them equal, because a variable matches anything each time that it occurs. A constant matches
// only itself, although a #const could make it equal to another one; AtomIndex::is_fixed looks at that where it
// matters. Numbers are compared by their text, so `0x10` does not match `16`. Grounding finds what this misses.
//
// `(t)` is `t`, `(t,)` is a tuple. `#infimum` and `#inf` are the same literal, as are `#supremum` and `#sup`, so
// only the first four characters are kept. In a pool `p(1;2)` of an atom each alternative has its own pattern; a
// pool deeper inside is `any`.
//
// Cost: linear in the size of the smaller term. The recursion is as deep as brackets nest, at most 1,000
// (StatementReader::deepest_nesting).
#include "language/pattern.hpp"

#include <algorithm>
#include <utility>

namespace neurasp::language {

namespace {

std::string text_of(const SourceMap &sources, const Statement &statement, std::uint32_t token) {
    return std::string(sources.text(statement.span(token)));
}

TermPattern literal(std::string text) {
    return {TermPattern::Kind::literal, false, std::move(text), {}};
}

TermPattern single_token(const SourceMap &sources, const Statement &statement,
                         std::uint32_t token) {
    std::string text = text_of(sources, statement, token);
    switch (statement.kind_at(token)) {
    case TokenKind::identifier: return {TermPattern::Kind::function, false, std::move(text), {}};
    case TokenKind::number:
    case TokenKind::string: return literal(std::move(text));
    case TokenKind::directive: return literal(text.substr(0, 4)); // #inf, #sup
    default: return {};
    }
}

// f(..) and (..); pools are `any`, and (t) is t.
TermPattern compound(const SourceMap &sources, const Statement &statement, std::uint32_t open,
                     TermPattern result) {
    const TokenRange inside{open + 1, statement.partner[open]};
    if (statement.find(inside, TokenKind::semicolon) != inside.end) return {};
    std::vector<TokenRange> parts = statement.split(inside, TokenKind::comma);
    const bool is_tuple = result.kind == TermPattern::Kind::tuple;
    if (is_tuple && parts.size() == 1) return term_pattern(sources, statement, parts[0]);
    if (is_tuple && !parts.empty() && parts.back().empty()) parts.pop_back();
    for (const TokenRange part : parts) {
        result.arguments.push_back(term_pattern(sources, statement, part));
    }
    return result;
}

} // namespace

TermPattern term_pattern(const SourceMap &sources, const Statement &statement, TokenRange range) {
    if (range.size() == 1) return single_token(sources, statement, range.begin);
    if (range.empty()) return {};
    const std::uint32_t first = range.begin;
    if (statement.kind_at(first) == TokenKind::minus) {
        const TokenKind kind = statement.kind_at(first + 1);
        if (kind == TokenKind::number && range.size() == 2) {
            return literal("-" + text_of(sources, statement, first + 1));
        }
        if (kind != TokenKind::identifier) return {};
        TermPattern result = term_pattern(sources, statement, {first + 1, range.end});
        result.negative = true;
        return result;
    }
    if (statement.kind_at(first) == TokenKind::identifier &&
        statement.kind_at(first + 1) == TokenKind::left_paren &&
        statement.partner[first + 1] + 1 == range.end) {
        return compound(
            sources, statement, first + 1,
            {TermPattern::Kind::function, false, text_of(sources, statement, first), {}});
    }
    if (statement.kind_at(first) == TokenKind::left_paren &&
        statement.partner[first] + 1 == range.end) {
        return compound(sources, statement, first, {TermPattern::Kind::tuple, false, {}, {}});
    }
    return {};
}

std::vector<AtomPattern> atom_patterns(const SourceMap &sources, const Statement &statement,
                                       const LiteralShape &shape) {
    std::vector<AtomPattern> atoms;
    const std::uint32_t first = shape.sign.value_or(shape.name);
    std::uint32_t end = shape.relation ? shape.value.end : shape.name + 1;
    if (!shape.relation && shape.has_parentheses) end = shape.arguments.end + 1;
    for (const std::vector<TokenRange> &tuple : argument_tuples(statement, shape)) {
        AtomPattern atom{statement.span({first, end}),
                         text_of(sources, statement, shape.name),
                         shape.sign.has_value(),
                         {}};
        for (const TokenRange argument : tuple) {
            atom.arguments.push_back(term_pattern(sources, statement, argument));
        }
        if (shape.relation) {
            atom.arguments.push_back(term_pattern(sources, statement, shape.value));
        }
        atoms.push_back(std::move(atom));
    }
    return atoms;
}

bool may_unify(const TermPattern &a, const TermPattern &b) {
    if (a.kind == TermPattern::Kind::any || b.kind == TermPattern::Kind::any) return true;
    return a.kind == b.kind && a.negative == b.negative && a.text == b.text &&
           std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(),
                      b.arguments.end(),
                      [](const TermPattern &x, const TermPattern &y) { return may_unify(x, y); });
}

bool may_unify(const AtomPattern &a, const AtomPattern &b) {
    return a.name == b.name && a.negative == b.negative &&
           std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(),
                      b.arguments.end(),
                      [](const TermPattern &x, const TermPattern &y) { return may_unify(x, y); });
}

} // namespace neurasp::language
