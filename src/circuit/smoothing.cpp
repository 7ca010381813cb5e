// Smoothing: makes all branches of a sum mention the same variables.
//
// Why. The compiler drops a random variable as soon as it makes no difference, because its probabilities sum to 1. That is
// right for values, but not for everything else: an assignment must give every variable an outcome (best assignments,
// samples, counts), and derivatives with respect to a weight must see the branches in which the variable is free
// (marginals, plain gradients). Smoothness is the third of the usual properties of such circuits, next to decomposability
// and determinism (Darwiche 2001).
//
// How. For each node, compute the set of variables that it mentions. If a branch of a sum lacks variables that another
// branch mentions, multiply it by the totals of these variables: sums over all their outcomes. The root is multiplied by the
// totals of all variables that it does not mention. False nodes mention nothing and are left alone. A branch mentions the
// variable of its input, too: in a sum of cases that may be another one for each branch, so it counts for the sum and is not
// missing in this branch.
//
// Sharing. Many branches lack similar sets, so totals and their products are shared. A set is split into words of 64
// variables; the product for a word is made once, and the product for a set once from those of its words, because the sets
// of one circuit differ in few words.
//
// Invariants. The value does not change for weights that sum to 1, for each variable. The result is verified where
// assertions are on.
//
// Cost. nodes * variables / 64 for the sets, in time and memory, plus the nodes that are added.
#include "circuit/circuit.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace neurasp::circuit {

namespace {

constexpr std::size_t word_bits = 64;
using Words = std::vector<std::uint64_t>;

class Smoother {
  public:
    explicit Smoother(const Circuit &circuit)
        : old_(circuit), new_(circuit.signature()),
          width_((circuit.variable_count() + word_bits - 1) / word_bits),
          sets_(circuit.node_count() * width_, 0), moved_(circuit.node_count(), true_node),
          is_false_(circuit.node_count(), false) {
        for (const base::ScaledReal &constant : circuit.constants()) new_.add_constant(constant);
    }

    Circuit run() {
        for (std::size_t i = 1; i < old_.node_count(); ++i) {
            const NodeId id(i);
            old_.node(id).adds() ? copy_sum(id) : copy_product(id);
            if (is_false_[i]) moved_[i] = false_node();
        }
        const NodeId root = old_.root();
        Words missing(width_, 0);
        if (!is_false_[root.index()]) {
            for (std::size_t v = 0; v < old_.variable_count(); ++v) add(missing, v);
            subtract(missing, set_of(root));
        }
        new_.set_root(with_totals(moved_[root.index()], missing));
        new_.set_smooth(true);
        return pruned(new_);
    }

  private:
    static void add(Words &words, std::size_t variable) {
        words[variable / word_bits] |= std::uint64_t{1} << (variable % word_bits);
    }
    static void remove(Words &words, std::size_t variable) {
        words[variable / word_bits] &= ~(std::uint64_t{1} << (variable % word_bits));
    }
    static void subtract(Words &from, std::span<const std::uint64_t> what) {
        for (std::size_t i = 0; i < from.size(); ++i) from[i] &= ~what[i];
    }
    bool mentions_variable(InputId input) const {
        return input != one_input && !old_.is_constant(input);
    }
    std::span<std::uint64_t> set_of(NodeId id) {
        return std::span(sets_).subspan(id.index() * width_, width_);
    }
    void join_child(NodeId id, NodeId child) {
        const auto to = set_of(id);
        const auto from = set_of(child);
        for (std::size_t i = 0; i < width_; ++i) to[i] |= from[i];
    }

    NodeId false_node() {
        if (false_node_ == true_node) false_node_ = new_.add_sum(0, {});
        return false_node_;
    }

    void copy_product(NodeId id) {
        std::vector<Edge> edges;
        for (const Edge &edge : old_.node(id).edges) {
            if (is_false_[edge.child.index()]) {
                is_false_[id.index()] = true;
                return;
            }
            join_child(id, edge.child);
            mention(id, edge.input);
            edges.push_back({edge.input, moved_[edge.child.index()]});
        }
        moved_[id.index()] = new_.add_product(edges);
    }

    void copy_sum(NodeId id) {
        const NodeView node = old_.node(id);
        std::vector<Edge> edges;
        for (const Edge &edge : node.edges) {
            if (is_false_[edge.child.index()]) continue;
            join_child(id, edge.child);
            mention(id, edge.input);
        }
        const Words all(set_of(id).begin(), set_of(id).end());
        for (const Edge &edge : node.edges) {
            if (is_false_[edge.child.index()]) continue;
            Words missing = all;
            subtract(missing, set_of(edge.child));
            if (mentions_variable(edge.input)) remove(missing, old_.variable_of(edge.input));
            edges.push_back({edge.input, with_totals(moved_[edge.child.index()], missing)});
        }
        is_false_[id.index()] = edges.empty();
        if (!edges.empty()) moved_[id.index()] = new_.add(node.kind, node.variable, edges);
    }

    void mention(NodeId id, InputId input) {
        if (!mentions_variable(input)) return;
        const std::uint32_t variable = old_.variable_of(input);
        set_of(id)[variable / word_bits] |= std::uint64_t{1} << (variable % word_bits);
    }

    // The product of a node and the totals of the missing variables.
    NodeId with_totals(NodeId node, const Words &missing) {
        const NodeId totals = totals_of(missing);
        if (totals == true_node) return node;
        if (node == true_node) return totals;
        const auto [place, is_new] = joined_.try_emplace({node, totals});
        if (is_new) {
            const Edge edges[] = {{one_input, node}, {one_input, totals}};
            place->second = new_.add_product(edges);
        }
        return place->second;
    }

    NodeId totals_of(const Words &missing) {
        if (std::all_of(missing.begin(), missing.end(), [](auto word) { return word == 0; }))
            return true_node;
        if (const auto place = of_set_.find(missing); place != of_set_.end()) return place->second;
        std::vector<NodeId> factors;
        for (std::size_t i = 0; i < width_; ++i) {
            if (missing[i] != 0) factors.push_back(totals_of_word(i, missing[i]));
        }
        return of_set_[missing] = product_of(factors);
    }

    NodeId totals_of_word(std::size_t index, std::uint64_t word) {
        if (const auto place = of_word_.find({index, word}); place != of_word_.end())
            return place->second;
        std::vector<NodeId> factors;
        for (std::size_t bit = 0; bit < word_bits; ++bit) {
            if ((word >> bit & 1U) != 0)
                factors.push_back(total(static_cast<std::uint32_t>(index * word_bits + bit)));
        }
        return of_word_[{index, word}] = product_of(factors);
    }

    NodeId product_of(const std::vector<NodeId> &factors) {
        if (factors.size() == 1) return factors.front();
        std::vector<Edge> edges;
        edges.reserve(factors.size());
        for (const NodeId factor : factors) edges.push_back({one_input, factor});
        return new_.add_product(edges);
    }

    // The sum over all outcomes of a variable.
    NodeId total(std::uint32_t variable) {
        const auto [place, is_new] = total_.try_emplace(variable);
        if (is_new) {
            std::vector<Edge> edges;
            for (std::uint32_t o = 0; o < old_.signature().outcomes[variable]; ++o) {
                edges.push_back({old_.input(variable, o), true_node});
            }
            place->second = new_.add_sum(variable, edges);
        }
        return place->second;
    }

    const Circuit &old_;
    Circuit new_;
    std::size_t width_;               // words of a set
    std::vector<std::uint64_t> sets_; // by old node, the variables that it mentions
    std::vector<NodeId> moved_;       // old to new node
    std::vector<bool> is_false_;
    NodeId false_node_ = true_node; // true_node means: not made yet
    std::map<std::uint32_t, NodeId> total_;
    std::map<std::pair<std::size_t, std::uint64_t>, NodeId> of_word_;
    std::map<Words, NodeId> of_set_;
    std::map<std::pair<NodeId, NodeId>, NodeId> joined_;
};

} // namespace

Circuit smoothed(const Circuit &circuit) {
    Circuit result = Smoother(pruned(circuit)).run();
    if (base::assertions_are_on) result.verify();
    return result;
}

} // namespace neurasp::circuit
