// From a ground program to a theory whose models are its stable models.
//
// Uses Clark's completion, with definitions named by gates; for atoms on positive cycles, the theory also lists their
// supports. Bodies of one head over random outcomes are merged into decision diagrams; weight bodies become diagrams,
// too. Only rules that the evidence or the existence of a stable model depends on are translated, unless whole models
// are wanted.
//
// Invariants: outcomes and inputs are atoms of the program; the theory satisfies its own invariants
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
    std::vector<asp::Literal> evidence;                     // all of these must hold
    // If there are any, all literals of at least one of them must hold, too.
    std::vector<std::vector<asp::Literal>> alternatives;
    std::vector<CostLimit> cost_limits;
    std::vector<asp::AtomId> inputs; // externals that the caller chooses: true or false
    bool whole = false;              // translate all rules, whatever the evidence depends on
    // Only sums over models are wanted of the circuit: not the most probable total choice, nor single models. Then
    // free choices may become coins.
    bool sums_only = false;
    // Conditions whose truth the circuit mentions, each a list of alternatives: `Theory::shown` has a literal for each.
    std::vector<std::vector<std::vector<asp::Literal>>> shown = {};
};

// The choices of the theory stand for the variables of the input (`source` is their index), followed by its inputs.
struct Translation {
    std::optional<Theory> theory;
    std::string obstacle; // why there is no theory
    bool determined =
        true; // outcomes determine the model; the theory may be determined although they do not (coins)
    std::size_t rules = 0;
};

Translation translate(const TranslationInput &input);

} // namespace neurasp::circuit
