// How many assignments a smooth circuit allows, exactly.
#pragma once

#include "circuit/circuit.hpp"
#include "circuit/natural.hpp"

namespace neurasp::circuit {

// Weights do not matter, and constants count as 1.
// Throws: ContractError if the circuit is not smooth.
Natural count_assignments(const Circuit &circuit);

} // namespace neurasp::circuit
