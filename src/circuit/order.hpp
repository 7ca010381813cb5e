// Linear orders of the variables that keep boundaries small: variables that occur in the same clauses come close to each
// other, so that few of them connect the decided part with the rest.
//
// FORCE (Aloul, Markov and Sakallah 2003) from several starts: each clause pulls its variables towards its centre, until
// the sum of the spans stops shrinking. Orders are ranked by their boundary at each random variable, from which
// the number of different residual theories there is estimated. order.cpp says more.
#pragma once

#include "circuit/decision.hpp"
#include "circuit/theory.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace neurasp::circuit {

struct Order {
    std::vector<std::uint32_t> position; // by variable; equal for all outcomes of one choice
    std::vector<Decision> sequence; // what is decided, in this order; choices only, or all kinds
    double cost = 0.0;              // estimated log2 of the number of boundary states
    // On unsettled cycles with one demand, decisions next to it, or next to what is derived, come first.
    enum class Near : std::uint8_t { none, target, source } near = Near::none;
    bool favourite = false; // in a race, it is given up only with the last ones
};

// Orders of the open variables of `clauses` (indices), best first. `is_open` is indexed by variable.
std::vector<Order> find_orders(const Theory &theory, std::span<const std::uint32_t> clauses,
                               const std::vector<bool> &is_open);

} // namespace neurasp::circuit
