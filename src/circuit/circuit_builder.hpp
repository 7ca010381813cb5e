// Builds circuits: simplifies nodes, shares equal ones and, if asked to, counts the assignments that each stands for.
//
// Invariants: no two nodes are equal; if there are counts, every node has one; the edges of a decision carry different
// outcomes of its variable, in ascending order; those of cases are ordered by input and child; a finished builder is not
// used again.
#pragma once

#include "circuit/circuit.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace neurasp::circuit {

class CircuitBuilder {
  public:
    enum class Counts : std::uint8_t { none, of_assignments };
    explicit CircuitBuilder(Signature signature, Counts counts = Counts::none);

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
    // The sum over the sides of a fair coin, whose weights are on the edges; if they lead to one child, that child. Both sides
    // may hold with the same total choice, so such a circuit is for sums only.
    Node coin(std::span<const Edge> edges);
    // The product of inputs and nodes.
    NodeId product(std::span<const InputId> inputs, std::span<const NodeId> nodes);
    InputId input(std::uint32_t variable, std::uint32_t outcome) const {
        return circuit_.input(variable, outcome);
    }
    // Requires: the input is neither `one` nor a constant.
    std::uint32_t variable_of(InputId input) const { return circuit_.variable_of(input); }
    InputId constant(const base::ScaledReal &value) { return circuit_.add_constant(value); }
    // The number of assignments that a node over free atoms stands for. Requires: the builder counts.
    const base::ScaledReal &count(NodeId node) const { return counts_[node.index()]; }

    std::size_t node_count() const { return circuit_.node_count(); }
    std::size_t edge_count() const { return circuit_.edge_count(); }
    std::size_t bytes() const;
    Circuit finish(Node root) &&;

  private:
    // A slot of the table of known nodes. The true node is in none, so 0 stands for a free slot.
    struct Slot {
        std::uint32_t node = 0;
        std::uint32_t hash = 0;
    };

    NodeId share(NodeKind kind, std::uint32_t variable, std::span<const Edge> edges);
    void count_last();
    void grow();
    // The variable of which the edges, ordered by input, carry different outcomes.
    std::optional<std::uint32_t> common_variable(std::span<const Edge> edges) const;

    Circuit circuit_;
    std::vector<Slot> known_; // as many as a power of two
    Counts counting_;
    std::vector<base::ScaledReal> counts_; // by node, if there are any
    std::vector<Edge> scratch_;
    std::vector<Edge> cases_; // of the sum that is made
    bool finished_ = false;
};

} // namespace neurasp::circuit
