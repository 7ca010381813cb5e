// Arithmetic circuits over multi-valued variables: what the compiler makes and everything else
// reads.
//
// A circuit is a flat array of nodes, children before parents. A node's value is a sum or a product
// over its edges, and each edge contributes weight(input) * value(child). Input 0 always weighs 1
// and node 0 always has the value 1, so an edge may stand for an input alone, a child alone, or
// both.
//
// Inputs, in this order: `one`; for each random variable its outcomes; for each free atom (programs
// that leave choices open) "true" and "false", which weigh 1; constants (the 1 / Num of a total
// choice, or the share of its models that satisfy the evidence).
//
// Invariants, checked by verify():
//   decomposable   the edges of a product mention different variables;
//   deterministic  the edges of a sum carry different outcomes of one variable, its `variable`;
//   smooth         (if `smooth()`) the edges of a sum mention the same variables, and the root all;
//                  edges that lead to false do not count.
#pragma once

#include "base/assert.hpp"
#include "base/scaled_real.hpp"
#include "base/strong_id.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace neurasp::circuit {

struct NodeTag;
using NodeId = base::StrongId<NodeTag>;
struct InputTag;
using InputId = base::StrongId<InputTag>;

inline constexpr NodeId true_node{0U};
inline constexpr InputId one_input{0U};

struct Edge {
    InputId input = one_input;
    NodeId child = true_node;
    friend bool operator==(const Edge &, const Edge &) = default;
};

enum class NodeKind : std::uint8_t { sum, product };

// A node, seen in place.
struct NodeView {
    NodeKind kind = NodeKind::product;
    std::uint32_t variable = 0; // of a sum: what it branches on
    std::span<const Edge> edges;
};

// What the circuit is about: how many outcomes each variable has. Free atoms count as variables of
// two outcomes ("true", "false") that follow the random ones.
struct Signature {
    std::vector<std::uint32_t> outcomes; // by variable
    std::uint32_t random_variables = 0;  // the first ones
    friend bool operator==(const Signature &, const Signature &) = default;
};

// A circuit has fewer outcomes than this, all variables taken together; keeps a damaged file from
// asking for all memory.
inline constexpr std::uint32_t most_outcomes = 1U << 24U;

class Circuit {
  public:
    // Throws: ContractError if a variable has no outcome, a free atom not two, or all of them too
    // many.
    explicit Circuit(Signature signature);

    const Signature &signature() const noexcept { return signature_; }
    std::size_t variable_count() const noexcept { return signature_.outcomes.size(); }
    std::size_t random_variable_count() const noexcept { return signature_.random_variables; }
    bool is_random(std::uint32_t variable) const noexcept {
        return variable < signature_.random_variables;
    }
    InputId input(std::uint32_t variable, std::uint32_t outcome) const {
        NEURASP_ASSERT(variable < variable_count() && outcome < signature_.outcomes[variable],
                       "an input stands for an outcome of a variable");
        return InputId(first_input_[variable] + outcome);
    }
    // Inputs 1 .. random_input_count() are outcomes of random variables.
    std::uint32_t random_input_count() const noexcept {
        return first_input_[signature_.random_variables] - 1;
    }
    std::uint32_t input_count() const noexcept {
        return first_input_.back() + static_cast<std::uint32_t>(constants_.size());
    }
    std::uint32_t first_constant() const noexcept { return first_input_.back(); }
    bool is_constant(InputId input) const noexcept { return input.value >= first_constant(); }
    // Of an input that is neither `one` nor a constant.
    std::uint32_t variable_of(InputId input) const {
        NEURASP_ASSERT(input != one_input && !is_constant(input),
                       "`one` and constants belong to no variable");
        return variable_of_[input.index()];
    }
    std::uint32_t outcome_of(InputId input) const {
        return input.value - first_input_[variable_of(input)];
    }
    const std::vector<base::ScaledReal> &constants() const noexcept { return constants_; }

    std::size_t node_count() const noexcept { return kinds_.size(); }
    std::size_t edge_count() const noexcept { return edges_.size(); }
    NodeView node(NodeId id) const {
        NEURASP_ASSERT(id.index() < node_count(), "a node is asked for after it was added");
        return {kinds_[id.index()], variables_[id.index()],
                std::span(edges_).subspan(begin_[id.index()],
                                          begin_[id.index() + 1] - begin_[id.index()])};
    }
    NodeId root() const noexcept { return root_; }
    bool smooth() const noexcept { return smooth_; }

    // Building, children first. A sum without edges is false. Throws: ContractError if an edge
    // leads to an input or a node that is not there yet. An equal constant is added only once.
    InputId add_constant(const base::ScaledReal &value);
    NodeId add_sum(std::uint32_t variable, std::span<const Edge> edges);
    NodeId add_product(std::span<const Edge> edges);
    void set_root(NodeId root) noexcept { root_ = root; }
    void set_smooth(bool smooth) noexcept { smooth_ = smooth; }

    // Throws: std::logic_error that says which invariant is broken, and where.
    // Cost: nodes * variables / 64.
    void verify() const;

    friend bool operator==(const Circuit &, const Circuit &) = default;

  private:
    NodeId add_node(NodeKind kind, std::uint32_t variable, std::span<const Edge> edges);

    Signature signature_;
    std::vector<std::uint32_t> first_input_; // by variable, and one more
    std::vector<std::uint32_t> variable_of_; // by input
    std::vector<base::ScaledReal> constants_;
    std::map<base::ScaledReal, std::uint32_t> constant_index_; // where each one stands
    std::vector<NodeKind> kinds_;
    std::vector<std::uint32_t> variables_;
    std::vector<std::uint32_t> begin_;
    std::vector<Edge> edges_;
    NodeId root_ = true_node;
    bool smooth_ = false;
};

// The same function with every sum's edges over the same variables, and the root over all of them:
// a variable that drops out somewhere is summed over there. What cannot be reached from the root is
// left out. Needed for counting, plain gradients and sampling over all variables.
Circuit smoothed(const Circuit &circuit);

// Only the nodes and constants that the root needs, in the same order.
Circuit pruned(const Circuit &circuit);

} // namespace neurasp::circuit
