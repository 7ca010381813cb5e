// Finds the clauses and rules outside of a positive cycle that look at its atoms, and at the bodies of their supports.
#pragma once

#include "circuit/unfounded.hpp"

#include <cstdint>
#include <vector>

namespace neurasp::circuit {

class CycleUses {
  public:
    CycleUses(const Theory &theory, const UnfoundedSets &unfounded);

    // Whether something outside looks at a variable whatever the assignment is: the evidence, or a rule of another cycle of
    // which the atom alone is the body. Once the head of such a rule is true, no clause mentions the atom.
    bool is_always_seen(Var var) const { return is_seen_[var]; }
    // The clauses with a variable of a cycle that do not belong to the definitions of the cycle.
    const std::vector<std::uint32_t> &foreign_clauses(Var var) const { return foreign_[var]; }

  private:
    std::vector<bool> is_seen_;                       // by variable
    std::vector<std::vector<std::uint32_t>> foreign_; // by variable
};

} // namespace neurasp::circuit
