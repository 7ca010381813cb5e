// Random assignments of a smooth circuit, drawn exactly in proportion to their values: from the
// root down, each sum takes one of its terms in proportion to the term's value.
#pragma once

#include "base/random_stream.hpp"
#include "circuit/assignment.hpp"
#include "circuit/circuit.hpp"
#include "circuit/exact_evaluation.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace neurasp::circuit {

// An assignment; nothing if the value of the circuit is 0. Requires: `evaluation` is one of this
// circuit. Throws: ContractError if the circuit is not smooth. Cost: the terms of the steps on the
// way, about one variable each.
std::optional<Assignment> draw_assignment(const Circuit &circuit, const ExactEvaluation &evaluation,
                                          base::RandomStream &random);

} // namespace neurasp::circuit
