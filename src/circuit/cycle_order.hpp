// Orders for theories with positive cycles: the atoms of the cycles are arranged in a line, and random variables follow
// the atoms whose supports depend on them.
#pragma once

#include "circuit/order.hpp"

namespace neurasp::circuit {

// Two orders, one the reverse of the other, for the choices of `line`, an order over them; none if less than half of these
// choices have anything to do with cycles.
std::vector<Order> find_cycle_orders(const Theory &theory, const Order &line);

} // namespace neurasp::circuit
