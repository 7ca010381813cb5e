// Arithmetic circuits over multi-valued variables. The compiler makes them; everything else reads them.
//
// A circuit is a flat array of nodes, children before parents. The value of a node is a sum or a product over
// its edges, where each edge contributes weight(input) * value(child). Input 0 always has weight 1 and node 0
// always has value 1, so an edge can stand for an input alone, a child alone, or both.
//
// Inputs, in this order: `one`; the outcomes of each random variable; "true" and "false" for each free atom (of
// programs that leave choices open), with weight 1; constants (1 / Num for a total choice, or the share of its
// models that satisfy the evidence).
//
// Invariants, checked by verify():
//   decomposable   the edges of a product mention different variables;
//   deterministic  every total choice satisfies at most one edge of a sum. There are two kinds of sums. The edges of
//                  a decision carry different outcomes of its `variable`. Those of a sum of `cases` exclude each other
//                  because of what is below them: its branches are the values of something that the choices define.
//                  Each may carry an outcome of any variable, or none. This cannot be seen in the edges; verify()
//                  checks only that edges to the same child carry different outcomes of one variable;
//   smooth         (if `smooth()`) all edges of a sum mention the same variables, and the root mentions all
//                  variables; edges to false nodes do not count.
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

// A `sum` is a decision on a variable, a sum of `cases` has none of its own.
enum class NodeKind : std::uint8_t { sum, product, cases };

// A view of a node.
struct NodeView {
    NodeKind kind = NodeKind::product;
    std::uint32_t variable = 0; // the one that a decision branches on; otherwise 0
    std::span<const Edge> edges;

    bool adds() const noexcept { return kind != NodeKind::product; } // or it multiplies
};

// The variables of a circuit, and how many outcomes each has. Free atoms are variables with two outcomes ("true",
// "false"); they follow the random variables.
struct Signature {
    std::vector<std::uint32_t> outcomes; // by variable
    std::uint32_t random_variables = 0;  // the first ones
    friend bool operator==(const Signature &, const Signature &) = default;
};

// All variables of a circuit together have fewer outcomes than this. The limit keeps a damaged file from claiming
// all memory.
inline constexpr std::uint32_t most_outcomes = 1U << 24U;

class Circuit {
  public:
    // Throws: ContractError if a variable has no outcomes, a free atom does not have two, or there are too many
    // outcomes in total.
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
    // Requires: the input is neither `one` nor a constant.
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

    // Building, children first. A sum without edges is false, and a decision. Equal constants are stored once. Throws:
    // ContractError if an edge refers to an input or a node that does not exist yet.
    InputId add_constant(const base::ScaledReal &value);
    NodeId add_sum(std::uint32_t variable, std::span<const Edge> edges);
    NodeId add_cases(std::span<const Edge> edges);
    NodeId add_product(std::span<const Edge> edges);
    // A node of any kind; `variable` counts for decisions only.
    NodeId add(NodeKind kind, std::uint32_t variable, std::span<const Edge> edges);
    void set_root(NodeId root) noexcept { root_ = root; }
    void set_smooth(bool smooth) noexcept { smooth_ = smooth; }

    // Throws: std::logic_error, which says which invariant is broken and where.
    // Cost: nodes * variables / 64.
    void verify() const;

    friend bool operator==(const Circuit &, const Circuit &) = default;

  private:
    NodeId add_node(NodeKind kind, std::uint32_t variable, std::span<const Edge> edges);

    Signature signature_;
    std::vector<std::uint32_t> first_input_; // by variable, plus one entry for the end
    std::vector<std::uint32_t> variable_of_; // by input
    std::vector<base::ScaledReal> constants_;
    std::map<base::ScaledReal, std::uint32_t> constant_index_; // index of each constant
    std::vector<NodeKind> kinds_;
    std::vector<std::uint32_t> variables_;
    std::vector<std::uint32_t> begin_;
    std::vector<Edge> edges_;
    NodeId root_ = true_node;
    bool smooth_ = false;
};

// The same function as a smooth circuit: where a variable drops out, it is summed over. Nodes that cannot be
// reached from the root are left out. Counting, plain gradients and sampling need smooth circuits.
Circuit smoothed(const Circuit &circuit);

// The circuit with further variables that it does not mention. `places`: for each of its own variables, which are all
// random, the number among those of `signature`.
Circuit embedded(const Circuit &circuit, const Signature &signature,
                 std::span<const std::uint32_t> places);

// The circuit without nodes and constants that the root does not need; the order stays the same.
Circuit pruned(const Circuit &circuit);

} // namespace neurasp::circuit
