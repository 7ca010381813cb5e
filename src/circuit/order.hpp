// Linear orders of the variables that keep boundaries small: variables that occur in clauses together
// come close to each other, so that few of them connect what was decided with what was not.
//
// FORCE (Aloul, Markov, Sakallah 2003) from several starts: each clause pulls its variables towards its
// centre until the sum of the spans stops shrinking. The orders are ranked by the boundary at each
// random variable, because that bounds the number of different residual theories there.
#pragma once

#include "circuit/theory.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace neurasp::circuit {

struct Order {
    std::vector<std::uint32_t> position; // by variable; equal for all outcomes of one choice
    double cost = 0.0;                   // about the logarithm of the number of boundary states
};

// Orders for the variables of `clauses` (indices) that are open now, best first. `is_open` by variable.
std::vector<Order> find_orders(const Theory &theory, std::span<const std::uint32_t> clauses,
                               const std::vector<bool> &is_open);

} // namespace neurasp::circuit
