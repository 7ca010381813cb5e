// The exact number of assignments that a smooth circuit allows.
#pragma once

#include "circuit/circuit.hpp"
#include "circuit/natural.hpp"

namespace neurasp::circuit {

// Weights are ignored, and constants count as 1.
// Throws: ContractError if the circuit is not smooth.
Natural count_assignments(const Circuit &circuit);

} // namespace neurasp::circuit
