// From a justification to a derivation for people: a graph of steps with texts, of limited size.
#pragma once

#include "inference/justification.hpp"
#include "inference/weights.hpp"
#include "neurasp/derivation.hpp"

namespace neurasp::inference {

// An outcome of one of the grounding's variables.
struct Fixed {
    std::size_t variable = 0;
    std::uint32_t outcome = 0;
};
using FixedOutcomes = std::vector<Fixed>;

// The program and probabilities of a derivation, and how many steps it may have.
struct DerivationTask {
    const Grounding &grounding;
    const Weights &weights;
    std::uint64_t most_steps = 0;
};

// The leaves of a grounding's derivations. With `favoured`, derivations avoid other random outcomes where they can.
std::vector<Leaf> leaves_of(const Grounding &grounding, const asp::GroundProgram &program,
                            const FixedOutcomes *favoured);

// Why the query holds in a stable model of the grounding, or does not, and why the observation holds. An atom that
// is nothing never holds.
Derivation derive(const DerivationTask &task, Truth truth, const FixedOutcomes *favoured,
                  std::optional<AtomId> query, std::optional<AtomId> violated);

// Why these rules fire, which are constraints with an auxiliary head: `program` is the grounding's with such heads.
Derivation derive_conflict(const DerivationTask &task, const asp::GroundProgram &program,
                           Truth truth, std::span<const std::size_t> constraints);

} // namespace neurasp::inference
