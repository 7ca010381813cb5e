// Makes nodes and shares equal ones: a hash table over (kind, variable, edges), compared in full. It uses open addressing, and
// a slot holds part of the hash, so that a lookup rarely visits nodes that differ.
//
// Tried and not needed: looking for equal nodes, and for sums over all outcomes of a variable with equal children, after
// compiling. With factors in any order, and with nested products as one, the circuits of 13 instances of as many families of the frontier
// (81 to 56,158 nodes) had neither. A test looks for equal nodes in the circuits of random programs.
#include "circuit/circuit_builder.hpp"

#include "base/assert.hpp"
#include "circuit/fingerprint.hpp"

#include <algorithm>

namespace neurasp::circuit {

namespace {

// Whether the edges carry different outcomes of the variable, in ascending order.
[[maybe_unused]] bool is_ordered(const Circuit &circuit, std::uint32_t variable,
                                 std::span<const Edge> edges) {
    if (variable >= circuit.variable_count()) return edges.empty();
    InputId next = circuit.input(variable, 0);
    const InputId end(next.value + circuit.signature().outcomes[variable]);
    for (const Edge &edge : edges) {
        if (edge.input < next || edge.input >= end) return false;
        next = InputId(edge.input.value + 1);
    }
    return true;
}

} // namespace

CircuitBuilder::CircuitBuilder(Signature signature, Counts counts)
    : circuit_(std::move(signature)), known_(64), counting_(counts) {
    if (counting_ == Counts::of_assignments) counts_.emplace_back(1.0L); // true
}

std::size_t CircuitBuilder::bytes() const {
    constexpr std::size_t node_bytes = sizeof(NodeKind) + 2 * sizeof(std::uint32_t);
    return circuit_.node_count() * node_bytes + circuit_.edge_count() * sizeof(Edge) +
           known_.size() * sizeof(Slot) + counts_.size() * sizeof(base::ScaledReal);
}

void CircuitBuilder::grow() {
    std::vector<Slot> old(2 * known_.size());
    old.swap(known_);
    const std::size_t mask = known_.size() - 1;
    for (const Slot &slot : old) {
        if (slot.node == 0) continue;
        std::size_t place = slot.hash & mask;
        while (known_[place].node != 0) place = (place + 1) & mask;
        known_[place] = slot;
    }
}

NodeId CircuitBuilder::share(NodeKind kind, std::uint32_t variable, std::span<const Edge> edges) {
    std::uint64_t mixed = mix(static_cast<std::uint64_t>(kind), variable);
    for (const Edge &edge : edges) {
        mixed = mix(mixed, (std::uint64_t{edge.input.value} << 32U) | edge.child.value);
    }
    const auto hash = static_cast<std::uint32_t>(mixed);
    const std::size_t mask = known_.size() - 1;
    std::size_t place = hash & mask;
    for (; known_[place].node != 0; place = (place + 1) & mask) {
        if (known_[place].hash != hash) continue;
        const NodeView node = circuit_.node(NodeId(known_[place].node));
        if (node.kind == kind && node.variable == variable &&
            std::equal(edges.begin(), edges.end(), node.edges.begin(), node.edges.end())) {
            return NodeId(known_[place].node);
        }
    }
    const NodeId id = circuit_.add(kind, variable, edges);
    known_[place] = {id.value, hash};
    if (3 * known_.size() < 4 * circuit_.node_count()) grow();
    if (counting_ == Counts::of_assignments) count_last();
    return id;
}

// Counts the assignments of the node that was added last.
void CircuitBuilder::count_last() {
    const NodeView node = circuit_.node(NodeId(static_cast<std::uint32_t>(counts_.size())));
    base::ScaledReal count(node.adds() ? 0.0L : 1.0L);
    for (const Edge &edge : node.edges) {
        if (node.adds()) {
            count += counts_[edge.child.index()];
        } else {
            count *= counts_[edge.child.index()];
        }
    }
    counts_.push_back(count);
    NEURASP_ASSERT(counts_.size() == circuit_.node_count(), "every node has its count");
}

CircuitBuilder::Node CircuitBuilder::decision(std::uint32_t variable, std::span<const Edge> edges) {
    NEURASP_ASSERT(is_ordered(circuit_, variable, edges),
                   "the edges of a decision are outcomes of its variable, in their order");
    NEURASP_ASSERT(!finished_, "a finished builder is not used again");
    if (edges.empty()) return std::nullopt;
    // A random variable that makes no difference drops out; smoothing brings it back if that is needed. Free atoms
    // stay, because they are counted.
    const bool same = edges.size() == circuit_.signature().outcomes[variable] &&
                      std::all_of(edges.begin(), edges.end(), [&](const Edge &edge) {
                          return edge.child == edges.front().child;
                      });
    if (same && circuit_.is_random(variable)) return edges.front().child;
    return share(NodeKind::sum, variable, edges);
}

std::optional<std::uint32_t> CircuitBuilder::common_variable(std::span<const Edge> edges) const {
    const auto is_outcome = [&](const Edge &edge) {
        return edge.input != one_input && !circuit_.is_constant(edge.input);
    };
    if (!std::all_of(edges.begin(), edges.end(), is_outcome)) return std::nullopt;
    const std::uint32_t variable = circuit_.variable_of(edges.front().input);
    // inputs are ordered, and those of a variable are neighbours
    if (circuit_.variable_of(edges.back().input) != variable) return std::nullopt;
    const auto same_input = [](const Edge &a, const Edge &b) { return a.input == b.input; };
    if (std::adjacent_find(edges.begin(), edges.end(), same_input) != edges.end())
        return std::nullopt;
    return variable;
}

CircuitBuilder::Node CircuitBuilder::cases(std::span<const Case> branches) {
    NEURASP_ASSERT(!finished_, "a finished builder is not used again");
    cases_.clear();
    for (const Case &branch : branches) {
        if (branch.child) cases_.push_back({branch.input, *branch.child});
    }
    if (cases_.empty()) return std::nullopt;
    std::sort(cases_.begin(), cases_.end(), [](const Edge &a, const Edge &b) {
        return a.input != b.input ? a.input < b.input : a.child < b.child;
    });
    if (const auto variable = common_variable(cases_)) return decision(*variable, cases_);
    if (cases_.size() > 1) return share(NodeKind::cases, 0, cases_);
    const Edge &only = cases_.front();
    if (only.input == one_input) return only.child;
    return product({&only.input, 1}, {&only.child, 1});
}

CircuitBuilder::Node CircuitBuilder::coin(std::span<const Edge> edges) {
    if (edges.size() == 2 && edges[0].child == edges[1].child) return edges[0].child;
    std::vector<Case> sides;
    for (const Edge &edge : edges) sides.push_back({edge.input, edge.child});
    return cases(sides);
}

NodeId CircuitBuilder::product(std::span<const InputId> inputs, std::span<const NodeId> nodes) {
    scratch_.clear();
    std::size_t next = 0;
    for (const NodeId node : nodes) {
        if (node == true_node) continue;
        scratch_.push_back({one_input, node});
    }
    for (const InputId input : inputs) { // an edge can carry both an input and a node
        if (next < scratch_.size()) {
            scratch_[next++].input = input;
        } else {
            scratch_.push_back({input, true_node});
            next = scratch_.size();
        }
    }
    if (scratch_.empty()) return true_node;
    if (scratch_.size() == 1 && scratch_[0].input == one_input) return scratch_[0].child;
    return share(NodeKind::product, 0, scratch_);
}

Circuit CircuitBuilder::finish(Node root) && {
    NEURASP_ASSERT(!finished_, "a finished builder is not used again");
    finished_ = true;
    circuit_.set_root(root ? *root : circuit_.add_sum(0, {}));
    return pruned(circuit_);
}

} // namespace neurasp::circuit
