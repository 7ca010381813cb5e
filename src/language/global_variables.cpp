// Finds the global variables of a query.
//
// A query that is asked for each instance has one answer for each value of its global variables, as a rule has
// one ground instance for each. clingo calls a variable global if it occurs outside of the elements of
// aggregates and outside of conditional literals (clingo guide 3.1.12); all others belong to their element.
//
// Idea. Two passes over the tokens, without a parser:
// 1. Collect names. The query is split at semicolons, because the condition of a conditional literal reaches up
//    to the next semicolon: of `a(X), b(Y) : c(Y), d; e(Z)`, the part `b(Y) : c(Y), d` is one conditional
//    literal. The variables before it and outside of braces are global.
// 2. Collect places. Every occurrence of a global variable is a place, also one inside an aggregate, because the
//    instance's text shows the value there.
//
// A place next to an arithmetic operator is marked: `1-X` with X = -2 must become `1-(-2)`.
//
// `_` has a token kind of its own, so it is never a global variable. The order of the variables is that of their
// first global occurrence; it decides the order of the arguments of `__neurasp_query`.
#include "language/global_variables.hpp"

#include <algorithm>

namespace neurasp::language {

namespace {

// The tokens between two semicolons, without the conditional literal that they may end with.
TokenRange before_condition(const Statement &query, TokenRange literals) {
    const std::uint32_t colon = query.find(literals, TokenKind::colon);
    if (colon == literals.end) return literals;
    std::uint32_t end = literals.begin;
    for (const TokenRange part : query.split({literals.begin, colon}, TokenKind::comma)) {
        end = part.begin; // of the last part, which is conditional
    }
    return {literals.begin, end};
}

bool is_arithmetic(TokenKind kind) {
    return kind == TokenKind::arithmetic || kind == TokenKind::minus;
}

} // namespace

EachQuery each_query(const SourceMap &sources, const Statement &query) {
    EachQuery each;
    each.number = query.unit.number;
    each.span = query.span();
    const auto index_of = [&](std::string_view name) {
        const auto found = std::find(each.variables.begin(), each.variables.end(), name);
        return static_cast<std::size_t>(found - each.variables.begin());
    };
    const std::uint32_t dot = query.find({0, query.size()}, TokenKind::dot);
    for (const TokenRange literals : query.split({0, dot}, TokenKind::semicolon)) {
        const TokenRange global = before_condition(query, literals);
        for (std::uint32_t i = global.begin; i < global.end; ++i) {
            if (query.kind_at(i) == TokenKind::left_brace) i = query.partner[i];
            if (query.kind_at(i) != TokenKind::variable) continue;
            const std::string_view name = sources.text(query.span(i));
            if (index_of(name) == each.variables.size()) each.variables.emplace_back(name);
        }
    }
    for (std::uint32_t i = 0; i < dot; ++i) {
        if (query.kind_at(i) != TokenKind::variable) continue;
        const std::size_t variable = index_of(sources.text(query.span(i)));
        if (variable == each.variables.size()) continue;
        const bool arithmetic =
            is_arithmetic(query.kind_at(i + 1)) || (i > 0 && is_arithmetic(query.kind_at(i - 1)));
        each.places.push_back({query.span(i), variable, arithmetic});
    }
    return each;
}

} // namespace neurasp::language
