// Circuits as drawings for Graphviz.
#pragma once

#include "circuit/circuit.hpp"
#include "circuit/names.hpp"

#include <string>

namespace neurasp::circuit {

// A sum is an ellipse with the name of its variable and an arrow for each outcome, a product is a
// small circle; what an arrow of a product multiplies by stands beside it. Only what the root needs
// is drawn.
std::string to_dot(const Circuit &circuit, const Names &names = {});

} // namespace neurasp::circuit
