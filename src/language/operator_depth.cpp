// Measures how deep the operators of a term nest, token by token.
//
// clingo builds a tree for each term and walks it by recursion. Brackets are not the only thing that makes the
// tree deep: `1+1+1` is as deep as it has operators. So the reader counts both and refuses what is too deep
// (StatementReader::deepest_nesting).
//
// For each open bracket there is a level that knows the operators of the current term, the deepest term inside
// its brackets, and the deepest of the terms before it. When a bracket closes, its deepest term becomes part of
// the term around it. The count is an upper bound of the depth: operators of different precedence count
// alike, so `1*2+3*4` counts as 3.
//
// Cost: constant for each token. Memory: one level for each open bracket.
#include "language/operator_depth.hpp"

#include <algorithm>

namespace neurasp::language {

namespace {

bool is_operand(TokenKind kind) {
    switch (kind) {
    case TokenKind::identifier:
    case TokenKind::variable:
    case TokenKind::anonymous:
    case TokenKind::number:
    case TokenKind::decimal:
    case TokenKind::string:
    case TokenKind::directive: return true;
    default: return is_closing(kind);
    }
}

bool is_operator(TokenKind kind) {
    return kind == TokenKind::arithmetic || kind == TokenKind::minus || kind == TokenKind::tilde ||
           kind == TokenKind::dots || kind == TokenKind::bar;
}

bool is_separator(TokenKind kind) {
    switch (kind) {
    case TokenKind::comma:
    case TokenKind::semicolon:
    case TokenKind::colon:
    case TokenKind::implies:
    case TokenKind::weak:
    case TokenKind::dot: return true;
    default: return is_relation(kind);
    }
}

} // namespace

void OperatorDepth::take(TokenKind kind) {
    const bool separates = is_separator(kind) || (kind == TokenKind::bar && is_disjunction());
    const bool is_sign = kind == TokenKind::minus && at_start_; // as in `-a | -b`
    if (is_opening(kind)) {
        levels_.emplace_back();
    } else if (is_closing(kind)) {
        close();
    } else if (separates) {
        separate();
    } else if (is_operator(kind) && !is_sign) {
        add_operator();
    }
    at_start_ = separates || is_opening(kind);
    behind_operand_ = is_operand(kind);
}

// `a | b` separates two terms; in `|X|` and `|X| + |Y|` the bar is an operator.
bool OperatorDepth::is_disjunction() const {
    return behind_operand_ && levels_.size() == 1 && levels_.back().operators == 0;
}

void OperatorDepth::close() {
    if (levels_.size() == 1) return; // a bracket too many, reported elsewhere
    separate();
    const std::size_t inner = levels_.back().others;
    levels_.pop_back();
    Level &level = levels_.back();
    level.inner = std::max(level.inner, inner);
    deepest_ = std::max(deepest_, level.operators + level.inner);
}

void OperatorDepth::separate() {
    Level &level = levels_.back();
    level = {0, 0, std::max(level.others, level.operators + level.inner)};
}

void OperatorDepth::add_operator() {
    Level &level = levels_.back();
    ++level.operators;
    deepest_ = std::max(deepest_, level.operators + level.inner);
}

} // namespace neurasp::language
