// From a ground program to a theory whose models are its stable models.
//
// Clark's completion, with definitions named by gates; atoms on positive cycles also list what supports
// them. Bodies of one head over random outcomes are merged into decision diagrams, weight bodies become
// diagrams, too. Only what the evidence and the existence of stable models depend on is translated,
// unless models are wanted whole.
//
// Invariants: outcomes and inputs are atoms of the program; a theory that is returned satisfies its own
// (`Theory::verify`).
#pragma once

#include "asp/ground_program.hpp"
#include "circuit/theory.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace neurasp::circuit {

// The weights of the true literals must not sum to more than `most`.
struct CostLimit {
    std::vector<asp::WeightedLiteral> literals;
    std::int64_t most = 0;
};

struct TranslationInput {
    const asp::GroundProgram &program;
    const std::vector<std::vector<asp::AtomId>> &variables; // outcome atoms of each random variable
    std::vector<asp::Literal> evidence;                     // all of these hold,
    std::vector<std::vector<asp::Literal>>
        alternatives; // and all of one of these, if there are any
    std::vector<CostLimit> cost_limits;
    std::vector<asp::AtomId> inputs; // externals that are choices of the caller: true or false
    bool whole = false;              // also what the evidence does not depend on
};

// The theory's choices stand for the input's variables (`source` is their index), then its inputs.
struct Translation {
    std::optional<Theory> theory;
    std::string obstacle; // why there is none
    std::size_t rules = 0;
};

Translation translate(const TranslationInput &input);

} // namespace neurasp::circuit
