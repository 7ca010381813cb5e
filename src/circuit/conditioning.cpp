// Conditioning of circuits on evidence and least cost.
//
// Idea. A smooth, deterministic and decomposable circuit stands for a set of assignments, one for each way to choose an edge at
// every sum. Ruling out inputs removes edges; what is left stands for the assignments without these inputs. If the cost of an
// assignment is the sum of the costs of its inputs, the least cost of a node is the minimum over the edges of a sum, and the sum
// over those of a product; keeping the edges that attain the minimum keeps exactly the assignments of least cost (Darwiche and
// Marquis, "A knowledge compilation map", 2002, call the two operations conditioning and minimisation). Costs are tuples, compared
// from the most important level on; they are added level by level, so the argument is the same.
//
// Why the circuit must be smooth. In a circuit that is not, a variable that makes no difference is not mentioned, and
// its cheaper outcome would not be counted. An impossible outcome would not be ruled out either.
//
// How. Nodes that possible inputs lead to are found from the root with an explicit stack, because circuits are deep; then they
// are rebuilt in the order of their numbers, children first. A visit is valid if it has the stamp of the current
// run, so that nothing is cleared between runs. Decisions on dropped variables have one possible edge, and become its child.
// Cases lose the inputs of dropped variables: which of them remain possible still excludes the others.
//
// Invariants. The result is smooth, and mentions all variables that are kept. Whether a node is possible depends on the evidence
// alone, never on weights: an outcome of probability 0 still counts for the least cost.
//
// Cost. Linear in the nodes that are reached, with their edges. With the dropped variables early in the order, few are.
#include "circuit/conditioning.hpp"

#include "base/assert.hpp"

#include <algorithm>

namespace neurasp::circuit {

namespace {

Signature first_variables(const Signature &signature, std::uint32_t count) {
    Signature first;
    first.outcomes.assign(signature.outcomes.begin(), signature.outcomes.begin() + count);
    first.random_variables = count;
    return first;
}

} // namespace

Conditioner::Conditioner(std::shared_ptr<const Circuit> circuit, std::uint32_t kept)
    : circuit_(std::move(circuit)), signature_(first_variables(circuit_->signature(), kept)),
      visits_(circuit_->node_count()) {
    NEURASP_ASSERT(circuit_->smooth(), "a circuit is smooth before it is conditioned");
    NEURASP_ASSERT(circuit_->variable_count() == circuit_->random_variable_count(),
                   "a circuit that is conditioned has no free atoms");
    first_dropped_ = kept < circuit_->variable_count() ? circuit_->input(kept, 0).value
                                                       : circuit_->first_constant();
}

bool Conditioner::allows(const Edge &edge, const Evidence &evidence) const {
    return edge.input == one_input || circuit_->is_constant(edge.input) ||
           evidence.possible[edge.input.index()] != 0;
}

void Conditioner::reach(const Evidence &evidence) {
    reached_.clear();
    std::vector<NodeId> stack;
    const auto visit = [&](NodeId id) {
        Visit &known = visits_[id.index()];
        if (known.stamp == stamp_) return;
        known.stamp = stamp_;
        reached_.push_back(id.value);
        stack.push_back(id);
    };
    visit(true_node); // edges without a child lead there
    visit(circuit_->root());
    while (!stack.empty()) {
        const NodeId id = stack.back();
        stack.pop_back();
        for (const Edge &edge : circuit_->node(id).edges) {
            if (allows(edge, evidence)) visit(edge.child);
        }
    }
    std::sort(reached_.begin(), reached_.end());
}

Edge Conditioner::moved(const Edge &edge, Circuit &result) const {
    Edge copy{edge.input, visits_[edge.child.index()].node};
    if (circuit_->is_constant(edge.input)) {
        copy.input = result.add_constant(
            circuit_->constants()[edge.input.value - circuit_->first_constant()]);
    } else if (edge.input.value >= first_dropped_) {
        copy.input = one_input;
    }
    return copy;
}

void Conditioner::weigh(const Edge &edge, const Evidence &evidence) {
    const Cost below = cost_of(edge.child);
    edge_cost_.assign(below.begin(), below.end());
    if (edge.input == one_input || circuit_->is_constant(edge.input)) return;
    for (std::size_t level = 0; level < levels_; ++level) {
        edge_cost_[level] += evidence.costs[edge.input.index() * levels_ + level];
    }
}

void Conditioner::rebuild_sum(NodeId id, const Evidence &evidence, Circuit &result) {
    Visit &visit = visits_[id.index()];
    const NodeView node = circuit_->node(id);
    edges_.clear();
    for (const Edge &edge : node.edges) {
        if (!allows(edge, evidence) || !visits_[edge.child.index()].possible) continue;
        if (levels_ > 0) {
            weigh(edge, evidence);
            const Cost best = cost_of(id);
            const bool first = edges_.empty();
            if (!first && std::lexicographical_compare(best.begin(), best.end(), edge_cost_.begin(),
                                                       edge_cost_.end())) {
                continue;
            }
            if (!first && !std::equal(best.begin(), best.end(), edge_cost_.begin())) edges_.clear();
            std::copy(edge_cost_.begin(), edge_cost_.end(), best.begin());
        }
        edges_.push_back(moved(edge, result));
    }
    visit.possible = !edges_.empty();
    if (!visit.possible) return;
    if (node.kind == NodeKind::cases) {
        visit.node = edges_.size() > 1 ? result.add_cases(edges_) : product_of(result);
        return;
    }
    if (node.variable < signature_.random_variables) {
        visit.node = result.add_sum(node.variable, edges_);
        return;
    }
    NEURASP_ASSERT(edges_.size() == 1, "one outcome of each dropped variable is possible");
    visit.node = edges_.front().child;
}

// The product of `edges_`, without a node of its own if it is another one.
NodeId Conditioner::product_of(Circuit &result) const {
    if (edges_.empty()) return true_node;
    if (edges_.size() == 1 && edges_.front().input == one_input) return edges_.front().child;
    return result.add_product(edges_);
}

void Conditioner::rebuild_product(NodeId id, const Evidence &evidence, Circuit &result) {
    Visit &visit = visits_[id.index()];
    edges_.clear();
    if (levels_ > 0) std::fill(cost_of(id).begin(), cost_of(id).end(), 0);
    visit.possible = true;
    for (const Edge &edge : circuit_->node(id).edges) {
        if (!allows(edge, evidence) || !visits_[edge.child.index()].possible) {
            visit.possible = false;
            return;
        }
        if (levels_ > 0) {
            weigh(edge, evidence);
            const Cost sum = cost_of(id);
            for (std::size_t level = 0; level < levels_; ++level) sum[level] += edge_cost_[level];
        }
        const Edge copy = moved(edge, result);
        if (copy != Edge{}) edges_.push_back(copy);
    }
    visit.node = product_of(result);
}

void Conditioner::rebuild(NodeId id, const Evidence &evidence, Circuit &result) {
    if (id == true_node) {
        visits_[0].possible = true;
        visits_[0].node = true_node;
        if (levels_ > 0) std::fill(cost_of(id).begin(), cost_of(id).end(), 0);
    } else if (circuit_->node(id).adds()) {
        rebuild_sum(id, evidence, result);
    } else {
        rebuild_product(id, evidence, result);
    }
}

Circuit Conditioner::run(const Evidence &evidence) {
    NEURASP_ASSERT(evidence.possible.size() >= circuit_->first_constant(),
                   "the evidence says of every input whether it is possible");
    NEURASP_ASSERT(evidence.levels == 0 ||
                       evidence.costs.size() >= circuit_->first_constant() * evidence.levels,
                   "the evidence has the costs of every input");
    ++stamp_;
    levels_ = evidence.levels;
    costs_.resize(std::max(costs_.size(), circuit_->node_count() * levels_));
    Circuit result(signature_);
    reach(evidence);
    for (const std::uint32_t id : reached_) rebuild(NodeId(id), evidence, result);
    const Visit &root = visits_[circuit_->root().index()];
    result.set_root(root.possible ? root.node : result.add_sum(0, {}));
    result.set_smooth(true);
    result = pruned(result); // without branches that cost too much or lead to nothing
    if (base::assertions_are_on) result.verify();
    return result;
}

} // namespace neurasp::circuit
