// Builds circuits: simplifies nodes, shares equal ones, and counts the assignments that each stands for.
//
// Invariants: every node of the circuit has a count; the edges of a decision carry different outcomes of its
// variable, in ascending order; those of cases are ordered by input and child; a finished builder is not used again.
#pragma once

#include "circuit/circuit.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace neurasp::circuit {

class CircuitBuilder {
  public:
    explicit CircuitBuilder(Signature signature);

    // A node, or nothing for false.
    using Node = std::optional<NodeId>;

    // A decision on a variable; `edges` has the possible outcomes, in ascending order.
    Node decision(std::uint32_t variable, std::span<const Edge> edges);
    // One branch of a sum that has no variable of its own. Nothing as a child means: impossible.
    struct Case {
        InputId input = one_input;
        Node child;
    };
    // The sum of cases of which no two hold together. One that is left is a product with its input; cases that are
    // different outcomes of one variable are a decision. Equal children are never merged: they count once for each
    // case. Requires: every total choice satisfies at most one case.
    Node cases(std::span<const Case> branches);
    // The product of inputs and nodes.
    NodeId product(std::span<const InputId> inputs, std::span<const NodeId> nodes);
    InputId input(std::uint32_t variable, std::uint32_t outcome) const {
        return circuit_.input(variable, outcome);
    }
    // Requires: the input is neither `one` nor a constant.
    std::uint32_t variable_of(InputId input) const { return circuit_.variable_of(input); }
    InputId constant(const base::ScaledReal &value) { return circuit_.add_constant(value); }
    // The number of assignments that a node over free atoms stands for.
    const base::ScaledReal &count(NodeId node) const { return counts_[node.index()]; }

    std::size_t node_count() const { return circuit_.node_count(); }
    std::size_t edge_count() const { return circuit_.edge_count(); }
    Circuit finish(Node root) &&;

  private:
    NodeId share(NodeKind kind, std::uint32_t variable, std::span<const Edge> edges);
    // The variable of which the edges, ordered by input, carry different outcomes.
    std::optional<std::uint32_t> common_variable(std::span<const Edge> edges) const;

    Circuit circuit_;
    std::unordered_multimap<std::uint64_t, NodeId> known_;
    std::vector<base::ScaledReal> counts_; // by node
    std::vector<Edge> scratch_;
    std::vector<Edge> cases_; // of the sum that is made
    bool finished_ = false;
};

} // namespace neurasp::circuit
