// Questions with few stable models, such as a Sudoku with its givens: clasp lists them faster than the
// compiler could read the rules, and the list is a circuit.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"
#include "inference/request.hpp"

namespace neurasp::inference {

// The total choices of the models that satisfy the request's evidence, over all variables of the grounding.
// Nothing if there are more than a few, if they are not found quickly, or if the ground program is so
// small (large) that compiling (loading it into clasp) is the lesser effort.
std::optional<circuit::Circuit> circuit_of_few_models(const Grounding &grounding,
                                                      const Request &request,
                                                      const base::Budget &budget);

} // namespace neurasp::inference
