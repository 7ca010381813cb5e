// Questions with few stable models, such as a Sudoku with its givens: clasp lists them faster than the
// compiler could read the rules, and the list is a circuit.
#pragma once

#include "inference/compilation.hpp"

namespace neurasp::inference {

// The total choices of the models that satisfy the request's evidence, over all variables of the world.
// Nothing if there are more than a few, if they are not found quickly, or if the ground program is so
// small (large) that compiling (loading it into clasp) is the lesser effort.
std::optional<circuit::Circuit> circuit_of_few_models(World &world, const CircuitRequest &request,
                                                      const base::Budget &budget);

} // namespace neurasp::inference
