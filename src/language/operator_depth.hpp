// How deep the operators of a statement's terms nest. clingo turns `1+1+1` into a tree that is as deep as there
// are operators, walks it by recursion, and overflows its stack if the tree is too deep.
#pragma once

#include "language/token.hpp"

#include <cstddef>
#include <vector>

namespace neurasp::language {

class OperatorDepth {
  public:
    // Requires: the tokens of one statement come in their order.
    void take(TokenKind kind);
    // The depth of the deepest term so far.
    std::size_t deepest() const noexcept { return deepest_; }

  private:
    // A term between two separators, and the terms inside its brackets.
    struct Level {
        std::size_t operators = 0; // in the term itself
        std::size_t inner = 0;     // the depth of the deepest term inside its brackets
        std::size_t others = 0;    // the depth of the deepest term before it, in the same brackets
    };

    void close();
    void separate();
    void add_operator();
    bool is_disjunction() const;

    std::vector<Level> levels_{1};
    std::size_t deepest_ = 0;
    bool at_start_ = true; // of a term
    bool behind_operand_ = false;
};

} // namespace neurasp::language
