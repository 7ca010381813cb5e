// Circuits in the nnf text format of c2d, for other tools.
//
// The first line is "nnf nodes edges variables". Then follows one line per node, children first, numbered from 0:
// "L literal", "A n children" (and) or "O j n children" (or; j is the variable that it decides, 0 if there is none).
//
// Propositional variables, from 1: each outcome of each random variable; each free atom (the negative literal is its
// outcome "false"); each constant, which is there only for its weight. Outcomes occur only as positive literals: readers
// must know that exactly one outcome of a random variable is true. Then the weighted count (outcomes weigh their
// probabilities, constants their values, all other literals 1) is the value of the circuit.
#pragma once

#include "circuit/circuit.hpp"
#include "circuit/names.hpp"

#include <string>

namespace neurasp::circuit {

// With `names`, the text starts with comments ("c ...") that explain the variables; some readers do not accept
// comments.
std::string to_nnf(const Circuit &circuit, const Names *names = nullptr);

} // namespace neurasp::circuit
