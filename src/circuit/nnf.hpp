// Circuits in the nnf text format of c2d, for other tools.
//
// A line "nnf nodes edges variables", then one line per node, children first, counted from 0: "L
// literal", "A n children" (and), "O j n children" (or; j is the variable that it decides, 0 if
// there is none).
//
// Propositional variables, from 1: each outcome of each random variable; each free atom (its
// outcome "false" is the negative literal); each constant, which stands for its weight alone.
// Outcomes occur as positive literals only: exactly one outcome of a random variable is true, which
// the reader has to know. So the weighted count (outcome: its probability; constant: its value; all
// else 1) is the value of the circuit.
#pragma once

#include "circuit/circuit.hpp"
#include "circuit/names.hpp"

#include <string>

namespace neurasp::circuit {

// With `names`, the text starts with comments ("c ...") that explain the variables; not all readers
// accept these.
std::string to_nnf(const Circuit &circuit, const Names *names = nullptr);

} // namespace neurasp::circuit
