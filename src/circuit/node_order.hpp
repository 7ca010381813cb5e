// Orders of decisions over all that can be decided: choices, tables and other defined variables.
//
// They are for theories that outcomes determine, without positive cycles: Bayesian networks and the like, where deciding on
// random variables alone means deciding on the rows of tables. node_order.cpp explains how they are found.
#pragma once

#include "circuit/elimination.hpp"
#include "circuit/order.hpp"
#include "circuit/tables.hpp"

#include <optional>
#include <span>
#include <vector>

namespace neurasp::circuit {

// The rest of a theory after propagation without decisions.
struct Remainder {
    std::vector<std::uint32_t> clauses; // those that are needed and not satisfied
    std::vector<bool> is_open;          // by variable: whether it occurs in them
    std::vector<bool> is_false;         // by literal code
    std::size_t exits = 0; // open atoms of positive cycles at which something outside looks
};

struct NodeOrders {
    std::optional<Order> elimination; // the best elimination order
    std::optional<Order> line;        // the best line over nodes
};

struct NodeOrderCosts {
    double bound = no_cost_bound; // orders that cost so much or more are left out
    double other =
        no_cost_bound; // of other orders; if none of the first attempts is cheaper, no more are made
};

// Their `cost` is log2 of the estimated number of decisions.
NodeOrders find_node_orders(const Theory &theory, std::span<const Table> tables,
                            const Remainder &rest, const NodeOrderCosts &costs);

} // namespace neurasp::circuit
