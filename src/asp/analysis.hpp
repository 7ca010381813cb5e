// What the structure of a ground program tells without search.
#pragma once

#include "asp/ground_program.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace neurasp::asp {

// Atoms and rules that a set of roots depends on, through rules in any direction a derivation takes.
struct Relevance {
    std::vector<bool> atoms; // by atom id
    std::vector<bool> rules; // by rule index
    std::size_t rule_count = 0;
};

// The rules that can influence whether the root atoms hold. With `constraints`, also those that can
// influence whether there is a stable model at all: everything below constraints, below #edge
// conditions, and below parts with a negative cycle or a disjunction.
Relevance relevant_rules(const GroundProgram &program, std::span<const AtomId> roots,
                         bool constraints);

struct Analysis {
    bool tight = true;           // no positive cycle
    std::size_t largest_scc = 0; // of the positive dependency graph; 1 if tight and not empty
    // Given truth values for the atoms that no rule here defines (random outcomes), there is at most
    // one stable model: no choices, no disjunctions, no free externals, no cycle through negation.
    bool determined = true;
    std::size_t constraints = 0; // rules without head, and 1 if there are #edge statements
};

// Looks at the rules that `rules` marks (all of them if it is empty).
Analysis analyse(const GroundProgram &program, const std::vector<bool> &rules = {});

} // namespace neurasp::asp
