// Finds the global variables of a query (clingo guide 3.1.12: all that do not only occur in the elements of
// aggregates and in conditional literals).
#include "language/global_variables.hpp"

#include <algorithm>

namespace neurasp::language {

namespace {

// The part of `literals` (between two semicolons) before its conditional literal, if it ends with one: a
// condition reaches up to the next semicolon.
TokenRange before_condition(const Statement &query, TokenRange literals) {
    const std::uint32_t colon = query.find(literals, TokenKind::colon);
    if (colon == literals.end) return literals;
    std::uint32_t end = literals.begin;
    for (const TokenRange part : query.split({literals.begin, colon}, TokenKind::comma)) {
        end = part.begin; // of the last one, which is conditional
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
