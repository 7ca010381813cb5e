// Where the literals of a statement stand, and what each of them looks like.
//
// This is all of clingo's grammar that we need: which `=` compares, which `~` negates, which atoms a
// rule derives. What is wrong beyond that, clingo says.
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

// The literals of a statement, in order, also those inside aggregates and conditions.
// Cost: linear in the number of tokens.
std::vector<LiteralSite> find_literals(const Statement &statement);

// The part of a rule before `:-`, and the token of `:-` (or of the dot).
TokenRange head_of(const Statement &statement);
// The part behind `:-` or `:~`, without the dot.
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
    TokenRange value;                      // what stands right of it
};

std::optional<LiteralShape> shape_of(const Statement &statement, TokenRange literal);

// The argument tuples of an atom: one, or several if it holds a pool `p(1,2;3)`.
std::vector<std::vector<TokenRange>> argument_tuples(const Statement &statement,
                                                     const LiteralShape &shape);

} // namespace neurasp::language
