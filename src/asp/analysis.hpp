// Properties of a ground program that follow from its structure, without search.
#pragma once

#include "asp/ground_program.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace neurasp::asp {

// The atoms and rules that a set of roots depends on.
struct Relevance {
    std::vector<bool> atoms; // by atom id
    std::vector<bool> rules; // by rule index
    std::size_t rule_count = 0;
};

// The rules that can influence whether the root atoms hold. With `constraints`, also the rules that can
// influence whether there is a stable model at all: everything that constraints, #edge conditions,
// disjunctions and rules on cycles through negation depend on.
Relevance relevant_rules(const GroundProgram &program, std::span<const AtomId> roots,
                         bool constraints);
// The rules that can destroy models: constraints, disjunctions and rules on cycles through negation. Ascending.
std::vector<std::size_t> destructive_rules(const GroundProgram &program);

// The externals that no rule has in its head. Rules define the others, so that nothing can be set from outside.
std::vector<External> undefined_externals(const GroundProgram &program);

struct Analysis {
    bool tight = true;           // no positive cycle
    std::size_t largest_scc = 0; // of the positive dependency graph; 1 if tight and not empty
    // Once the atoms that no rule defines (random outcomes) have truth values, there is at most one stable
    // model: there are no choices, disjunctions, free externals or cycles through negation.
    bool determined = true;
    std::size_t constraints = 0; // rules without a head, plus 1 if there are #edge statements
};

// Analyses the rules that `rules` marks; all of them if it is empty.
Analysis analyse(const GroundProgram &program, const std::vector<bool> &rules = {});

} // namespace neurasp::asp
