// Named functions of literals: conjunctions, disjunctions and multiplexers over a random variable. Each is a variable
// with clauses that define it. Equal functions share a variable.
#pragma once

#include "circuit/theory.hpp"

#include <map>
#include <span>
#include <vector>

namespace neurasp::circuit {

class Gates {
  public:
    explicit Gates(Theory &theory) : theory_(theory) {}

    Lit conjunction(std::vector<Lit> literals);
    Lit disjunction(std::vector<Lit> literals);
    // The literals of the conjunction `lit`; empty if it was not made by conjunction().
    std::vector<Lit> conjuncts(Lit lit) const;
    // Equals `inputs[o]` if the choice has outcome o. Requires: one input per outcome.
    Lit multiplexer(std::uint32_t choice, std::vector<Lit> inputs);
    // Equals if_true if `test` holds, if_false otherwise. Requires: if_false implies if_true.
    Lit monotone_switch(Lit test, Lit if_true, Lit if_false);

    Theory &theory() noexcept { return theory_; }

  private:
    Lit new_multiplexer(std::uint32_t choice, const std::vector<Lit> &inputs);

    Theory &theory_;
    std::map<std::vector<Lit>, Lit> conjunctions_;
    std::map<Lit, std::vector<Lit>> conjuncts_;
    std::map<std::pair<std::uint32_t, std::vector<Lit>>, Lit> multiplexers_;
    std::map<std::vector<Lit>, Lit> switches_;
};

} // namespace neurasp::circuit
