// Circuits as drawings for Graphviz.
//
// A sum is a table with a cell for each outcome of its variable that leads anywhere; an arrow leaves the cell
// for what else must hold, and a grey cell needs nothing else. Outcomes that lead to the same node share a cell. A product
// is a box with the outcomes that it multiplies, and an arrow for each of its other factors; so is a sum
// of one outcome. A sum of cases is a table without a variable in its head: a cell names the outcome that its case
// has, or says "case" if what must hold is all below its arrow. Arrows have no labels: Graphviz finds little room for them, and readers do not
// see where they belong.
#pragma once

#include "base/scaled_real.hpp"
#include "circuit/circuit.hpp"
#include "circuit/names.hpp"

#include <span>
#include <string>

namespace neurasp::circuit {

// Only what the root needs is drawn.
std::string to_dot(const Circuit &circuit, const Names &names = {});

// With probabilities: those of the outcomes, the value of each node, and arrows as thick as the probability,
// given that the root is true, that they are passed. `random_weights[i]` is the weight of input i + 1.
// Throws: ContractError if there is not one weight for each outcome of a random variable.
std::string to_dot(const Circuit &circuit, const Names &names,
                   std::span<const base::ScaledReal> random_weights);

} // namespace neurasp::circuit
