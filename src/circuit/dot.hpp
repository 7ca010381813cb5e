// Circuits as drawings for Graphviz.
#pragma once

#include "circuit/circuit.hpp"
#include "circuit/names.hpp"

#include <string>

namespace neurasp::circuit {

// A sum is drawn as an ellipse with the name of its variable and an arrow for each outcome, a product as a small circle.
// An arrow of a product is labelled with its factor. Nodes that the root does not need are left out.
std::string to_dot(const Circuit &circuit, const Names &names = {});

} // namespace neurasp::circuit
