// The literals of a statement: where they are, and what each of them looks like.
//
// This is all of clingo's grammar that we need: which `=` compares, which `~` negates, which atoms a
// rule derives. All other mistakes are reported by clingo.
#pragma once

#include "language/statement.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace neurasp::language {

struct LiteralSite {
    TokenRange range;     // with its `not`s
    bool derived = false; // an element of a head, not a condition
};

// The literals of a statement, in order, including those inside aggregates and conditions.
// Cost: linear in the number of tokens.
std::vector<LiteralSite> find_literals(const Statement &statement);

// The part of a rule before `:-`, or before the dot if there is no body.
TokenRange head_of(const Statement &statement);
// The part after `:-` or `:~`, without the dot.
TokenRange body_of(const Statement &statement);

// An atom `[-]name(..)` or a comparison `[-]name(..) = value`, the only literals that concern us.
// Other literals (with aggregates, variables, arithmetic on the left) have no shape.
struct LiteralShape {
    std::uint32_t not_count = 0;
    std::optional<std::uint32_t> sign; // the token `-` or `~`
    std::uint32_t name = 0;
    TokenRange arguments; // between the parentheses
    bool has_parentheses = false;
    std::optional<std::uint32_t> relation; // the token `=`, `!=`, ...
    TokenRange value;                      // the right side
};

std::optional<LiteralShape> shape_of(const Statement &statement, TokenRange literal);

// The argument tuples of an atom: one, or several if it holds a pool `p(1,2;3)`.
std::vector<std::vector<TokenRange>> argument_tuples(const Statement &statement,
                                                     const LiteralShape &shape);

} // namespace neurasp::language
