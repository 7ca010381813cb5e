// Random assignments of a smooth circuit, drawn exactly with probability proportional to their values.
#pragma once

#include "base/random_stream.hpp"
#include "circuit/assignment.hpp"
#include "circuit/circuit.hpp"
#include "circuit/exact_evaluation.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace neurasp::circuit {

// Draws an assignment; nothing if the value of the circuit is 0. Requires: `evaluation` is of this circuit.
// Throws: ContractError if the circuit is not smooth.
std::optional<Assignment> draw_assignment(const Circuit &circuit, const ExactEvaluation &evaluation,
                                          base::RandomStream &random);

} // namespace neurasp::circuit
