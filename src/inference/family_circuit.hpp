// One circuit for a family of observations: random variables, and slots for what differs between the observations.
#pragma once

#include "inference/circuit_library.hpp"
#include "inference/family_rules.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace neurasp::inference {

// Sets of statements of which every observation has exactly one; a variable of the family's circuit.
struct FamilySlot {
    std::vector<std::vector<std::uint32_t>> outcomes; // statements that decide something
};

// The work that may be spent on a family. It is counted, so that the result does not depend on the clock: a resumed run
// must get the same circuits.
struct FamilyEffort {
    std::uint64_t steps = 0;   // of the compiler
    std::uint64_t listing = 0; // of models, in the time of so many of these steps
    std::uint64_t models = 0;  // to list at most
};

struct FamilyCircuit {
    std::shared_ptr<const circuit::Circuit> circuit; // smooth; null if there is none
    std::string obstacle;                            // why there is none
    bool out_of_budget = false;                      // because the caller's time ended
    bool listed = false;                             // made of a list of models
    // The circuit's variables: these random variables of the grounding, in ascending order, then all slots.
    std::vector<std::uint32_t> variables;
    std::uint64_t models = 0; // that were listed
    std::uint64_t steps = 0;
};

FamilyCircuit compile_family(const FamilyGrounding &family, const FamilyRules &rules,
                             const std::vector<FamilySlot> &slots, const FamilyEffort &effort,
                             CircuitLibrary &library, const CircuitLimits &limits,
                             base::Budget &budget);

} // namespace neurasp::inference
