// Turns a circuit into straight-line code.
//
// The idea. A circuit has nodes of any number of children, edges with an input and a child, and nodes that only stand for
// another one. Every algorithm on circuits would have to treat these cases. Straight-line code has one form: a
// step is a sum of single slots and of products of two slots, all computed before. Evaluation, derivatives, counting,
// max-product and sampling are then loops over steps with two short inner loops each.
//
// A sum of either kind becomes one step: an edge with a child is a pair (input, child), an edge without one a single. A
// case without an input is a pair with the input `one`, unless its child stands for an input alone. A product of n
// factors becomes a balanced tree of n - 1 steps with one pair each; factors that are there first are multiplied first, so
// that few steps wait for each other (layers.hpp). A sum with one edge is a product; a product of one factor needs no step of
// its own, and the constant 1 disappears from products.
//
// Derivatives need no division: those of first * second are second and first. The derivative of an n-ary product with
// respect to one factor is the product of all others, which takes a division (impossible if the factor is 0) or prefix
// products.
//
// Invariants. A step refers only to earlier slots. Slots of inputs come first. A slot of a single is always an input.
//
// Cost. Linear in the edges, in time and size.
#include "circuit/straight_line.hpp"

#include <algorithm>

namespace neurasp::circuit {

namespace {

constexpr Slot one_slot = one_input.value;

} // namespace

StraightLine::StraightLine(const Circuit &circuit)
    : input_count_(circuit.input_count()), random_input_count_(circuit.random_input_count()) {
    steps_.push_back({});
    slots_.reserve(circuit.node_count());
    levels_.assign(input_count_, 0);
    for (std::size_t i = 0; i < circuit.node_count(); ++i) {
        const NodeView node = circuit.node(NodeId(i));
        slots_.push_back(node.adds() ? add_sum(node.edges) : add_product(node.edges));
    }
    root_ = slots_[circuit.root().index()];
    levels_ = {};
}

Slot StraightLine::end_step() {
    std::uint32_t level = 0; // of what it depends on; singles are inputs
    for (std::size_t pair = steps_.back().pairs; pair < pairs_.size(); ++pair) {
        level = std::max({level, levels_[pairs_[pair].first], levels_[pairs_[pair].second]});
    }
    levels_.push_back(level + 1);
    steps_.push_back(
        {static_cast<std::uint32_t>(singles_.size()), static_cast<std::uint32_t>(pairs_.size())});
    return slot_of_step(step_count() - 1);
}

Slot StraightLine::add_sum(std::span<const Edge> edges) {
    if (edges.size() == 1) return add_product(edges);
    for (const Edge &edge : edges) {
        const Slot child = slots_[edge.child.index()];
        if (child == one_slot) {
            singles_.push_back(edge.input.value);
        } else if (edge.input == one_input && is_input(child)) {
            singles_.push_back(child);
        } else {
            pairs_.push_back({edge.input.value, child});
        }
    }
    return end_step();
}

Slot StraightLine::add_product(std::span<const Edge> edges) {
    std::vector<Slot> factors;
    for (const Edge &edge : edges) {
        const Slot child = slots_[edge.child.index()];
        if (edge.input != one_input) factors.push_back(edge.input.value);
        if (child != one_slot) factors.push_back(child);
    }
    std::stable_sort(factors.begin(), factors.end(),
                     [&](Slot a, Slot b) { return levels_[a] < levels_[b]; });
    while (factors.size() > 1) { // multiply neighbours until one factor is left
        std::size_t kept = 0;
        for (std::size_t i = 0; i < factors.size(); i += 2) {
            if (i + 1 == factors.size()) {
                factors[kept++] = factors[i];
            } else {
                pairs_.push_back({factors[i], factors[i + 1]});
                factors[kept++] = end_step();
            }
        }
        factors.resize(kept);
    }
    return factors.empty() ? one_slot : factors.front();
}

} // namespace neurasp::circuit
