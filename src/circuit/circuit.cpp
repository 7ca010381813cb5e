// Building and pruning circuits.
#include "circuit/circuit.hpp"

#include "neurasp/diagnostic.hpp"

#include <limits>
#include <utility>

namespace neurasp::circuit {

namespace {

constexpr std::size_t largest_index = std::numeric_limits<std::uint32_t>::max();

void require(bool condition, const char *what) {
    if (!condition) throw ContractError(what);
}

} // namespace

Circuit::Circuit(Signature signature) : signature_(std::move(signature)) {
    require(signature_.random_variables <= signature_.outcomes.size(),
            "Circuit: more random variables than variables");
    std::uint64_t next = 1;
    for (std::size_t v = 0; v < signature_.outcomes.size(); ++v) {
        const std::uint32_t outcomes = signature_.outcomes[v];
        require(outcomes > 0, "Circuit: a variable without outcomes");
        require(outcomes == 2 || v < signature_.random_variables,
                "Circuit: a free atom has two outcomes");
        first_input_.push_back(static_cast<std::uint32_t>(next));
        next += outcomes;
        require(next <= most_outcomes, "Circuit: too many outcomes");
    }
    first_input_.push_back(static_cast<std::uint32_t>(next));
    variable_of_.reserve(next);
    variable_of_.push_back(0); // of `one`; never read
    for (std::size_t v = 0; v < signature_.outcomes.size(); ++v) {
        variable_of_.insert(variable_of_.end(), signature_.outcomes[v],
                            static_cast<std::uint32_t>(v));
    }
    begin_.push_back(0);
    add_product({}); // true_node
}

InputId Circuit::add_constant(const base::ScaledReal &value) {
    const auto [place, is_new] =
        constant_index_.try_emplace(value, static_cast<std::uint32_t>(constants_.size()));
    if (is_new) constants_.push_back(value);
    return InputId(first_constant() + place->second);
}

NodeId Circuit::add_sum(std::uint32_t variable, std::span<const Edge> edges) {
    require(edges.empty() || variable < variable_count(), "Circuit::add_sum: no such variable");
    return add_node(NodeKind::sum, edges.empty() ? 0 : variable, edges);
}

NodeId Circuit::add_cases(std::span<const Edge> edges) {
    return edges.empty() ? add_sum(0, edges) : add_node(NodeKind::cases, 0, edges);
}

NodeId Circuit::add(NodeKind kind, std::uint32_t variable, std::span<const Edge> edges) {
    switch (kind) {
    case NodeKind::sum: return add_sum(variable, edges);
    case NodeKind::cases: return add_cases(edges);
    default: return add_product(edges);
    }
}

NodeId Circuit::add_product(std::span<const Edge> edges) {
    return add_node(NodeKind::product, 0, edges);
}

NodeId Circuit::add_node(NodeKind kind, std::uint32_t variable, std::span<const Edge> edges) {
    const NodeId id(node_count());
    require(node_count() < largest_index && edges.size() <= largest_index - edges_.size(),
            "Circuit: too many nodes or edges");
    for (const Edge &edge : edges) {
        require(edge.child < id, "Circuit: a child must be added before its parent");
        require(edge.input.value < input_count(), "Circuit: no such input");
    }
    kinds_.push_back(kind);
    variables_.push_back(variable);
    edges_.insert(edges_.end(), edges.begin(), edges.end());
    begin_.push_back(static_cast<std::uint32_t>(edges_.size()));
    return id;
}

Circuit pruned(const Circuit &circuit) {
    std::vector<bool> needed(circuit.node_count(), false);
    needed[circuit.root().index()] = true;
    for (std::size_t i = circuit.node_count(); i-- > 0;) {
        if (!needed[i]) continue;
        for (const Edge &edge : circuit.node(NodeId(i)).edges) needed[edge.child.index()] = true;
    }
    Circuit result(circuit.signature());
    std::vector<NodeId> moved(circuit.node_count(), true_node);
    std::vector<Edge> edges;
    for (std::size_t i = 1; i < circuit.node_count(); ++i) {
        if (!needed[i]) continue;
        const NodeView node = circuit.node(NodeId(i));
        edges.clear();
        for (Edge edge : node.edges) {
            edge.child = moved[edge.child.index()];
            if (circuit.is_constant(edge.input)) {
                const std::uint32_t constant = edge.input.value - circuit.first_constant();
                edge.input = result.add_constant(circuit.constants()[constant]);
            }
            edges.push_back(edge);
        }
        moved[i] = result.add(node.kind, node.variable, edges);
    }
    result.set_root(moved[circuit.root().index()]);
    result.set_smooth(circuit.smooth());
    return result;
}

Circuit embedded(const Circuit &circuit, const Signature &signature,
                 std::span<const std::uint32_t> places) {
    NEURASP_ASSERT(places.size() == circuit.variable_count(),
                   "every variable of an embedded circuit has a place");
    Circuit result(signature);
    std::vector<Edge> edges;
    for (std::size_t i = 1; i < circuit.node_count(); ++i) {
        const NodeView node = circuit.node(NodeId(i));
        edges.clear();
        for (Edge edge : node.edges) {
            if (circuit.is_constant(edge.input)) {
                const std::uint32_t constant = edge.input.value - circuit.first_constant();
                edge.input = result.add_constant(circuit.constants()[constant]);
            } else if (edge.input != one_input) {
                edge.input = result.input(places[circuit.variable_of(edge.input)],
                                          circuit.outcome_of(edge.input));
            }
            edges.push_back(edge);
        }
        const bool decides = node.kind == NodeKind::sum && !edges.empty();
        result.add(node.kind, decides ? places[node.variable] : 0, edges);
    }
    result.set_root(circuit.root());
    return result;
}

} // namespace neurasp::circuit
