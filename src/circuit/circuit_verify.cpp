// Checks the three invariants of a circuit, using the sets of variables that its nodes mention. The sets are rows of
// bits, computed for a block of 512 variables at a time, so that memory stays proportional to the nodes.
#include "circuit/circuit.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace neurasp::circuit {

namespace {

constexpr std::size_t words_per_row = 8;
constexpr std::size_t variables_per_row = 64 * words_per_row;

struct Row {
    std::array<std::uint64_t, words_per_row> words{};

    bool meets(const Row &other) const {
        std::uint64_t common = 0;
        for (std::size_t i = 0; i < words_per_row; ++i) common |= words[i] & other.words[i];
        return common != 0;
    }
    void join(const Row &other) {
        for (std::size_t i = 0; i < words_per_row; ++i) words[i] |= other.words[i];
    }
    void set(std::size_t bit) { words[bit / 64] |= std::uint64_t{1} << (bit % 64); }
    friend bool operator==(const Row &, const Row &) = default;
};

class Verifier {
  public:
    explicit Verifier(const Circuit &circuit)
        : circuit_(circuit), rows_(circuit.node_count()), is_false_(circuit.node_count()) {}

    void run() {
        for (std::size_t i = 0; i < circuit_.node_count(); ++i) check_branches(NodeId(i));
        // at least once: a circuit without variables has edges, too
        for (first_ = 0; first_ == 0 || first_ < circuit_.variable_count();
             first_ += variables_per_row) {
            for (std::size_t i = 0; i < circuit_.node_count(); ++i) check_variables(NodeId(i));
            check_root();
        }
    }

  private:
    [[noreturn]] static void fail(NodeId id, const std::string &what) {
        throw std::logic_error("circuit: node " + std::to_string(id.value) + ": " + what);
    }

    bool mentions_variable(InputId input) const {
        return input != one_input && !circuit_.is_constant(input);
    }

    // Checks what the edges of a sum show of determinism. Also marks nodes that are false whatever the weights are;
    // smoothness does not concern them.
    void check_branches(NodeId id) {
        const NodeView node = circuit_.node(id);
        const auto leads_nowhere = [&](const Edge &e) { return is_false_[e.child.index()] != 0; };
        const auto begin = node.edges.begin();
        const auto end = node.edges.end();
        if (node.kind == NodeKind::product) {
            is_false_[id.index()] = std::any_of(begin, end, leads_nowhere) ? 1 : 0;
            return;
        }
        is_false_[id.index()] = std::all_of(begin, end, leads_nowhere) ? 1 : 0;
        if (node.kind == NodeKind::cases) {
            check_cases(id, node);
        } else {
            check_decision(id, node);
        }
    }

    // The edges of a decision carry different outcomes of its variable.
    void check_decision(NodeId id, const NodeView &node) {
        seen_.clear();
        for (const Edge &edge : node.edges) {
            if (!mentions_variable(edge.input) || circuit_.variable_of(edge.input) != node.variable)
                fail(id, "not deterministic: an edge has no outcome of the sum's variable");
            seen_.push_back(edge.input);
        }
        std::sort(seen_.begin(), seen_.end());
        if (std::adjacent_find(seen_.begin(), seen_.end()) != seen_.end())
            fail(id, "not deterministic: two edges carry the same outcome");
    }

    // Two cases with the same child hold together unless they are different outcomes of one variable: the child mentions
    // neither variable. Whether other cases exclude each other cannot be seen here.
    void check_cases(NodeId id, const NodeView &node) {
        cases_.assign(node.edges.begin(), node.edges.end());
        std::sort(cases_.begin(), cases_.end(), [](const Edge &a, const Edge &b) {
            return a.child != b.child ? a.child < b.child : a.input < b.input;
        });
        const auto overlap = [&](const Edge &a, const Edge &b) {
            if (a.child != b.child || is_false_[a.child.index()] != 0) return false;
            return a.input == b.input || !mentions_variable(a.input) ||
                   !mentions_variable(b.input) ||
                   circuit_.variable_of(a.input) != circuit_.variable_of(b.input);
        };
        if (std::adjacent_find(cases_.begin(), cases_.end(), overlap) != cases_.end())
            fail(id, "not deterministic: two cases with the same child can hold together");
    }

    // The variables of this block below an edge.
    Row row_of(NodeId id, const Edge &edge) const {
        Row row = rows_[edge.child.index()];
        if (!mentions_variable(edge.input)) return row;
        const std::uint32_t variable = circuit_.variable_of(edge.input);
        if (variable < first_ || variable - first_ >= variables_per_row) return row;
        Row own;
        own.set(variable - first_);
        if (row.meets(own)) fail(id, "not decomposable: an edge and its child share a variable");
        row.join(own);
        return row;
    }

    void check_variables(NodeId id) {
        const NodeView node = circuit_.node(id);
        Row all;
        const Row *other = nullptr;
        Row last;
        for (const Edge &edge : node.edges) {
            const Row row = row_of(id, edge);
            if (node.kind == NodeKind::product) {
                if (all.meets(row)) fail(id, "not decomposable: two factors share a variable");
            } else if (circuit_.smooth() && is_false_[edge.child.index()] == 0) {
                if (other != nullptr && row != *other)
                    fail(id, "not smooth: the branches mention different variables");
                last = row;
                other = &last;
            }
            all.join(row);
        }
        rows_[id.index()] = all;
    }

    void check_root() const {
        if (!circuit_.smooth() || is_false_[circuit_.root().index()] != 0) return;
        Row all;
        const std::size_t end = std::min(circuit_.variable_count(), first_ + variables_per_row);
        for (std::size_t v = first_; v < end; ++v) all.set(v - first_);
        if (rows_[circuit_.root().index()] != all)
            fail(circuit_.root(), "not smooth: the root does not mention all variables");
    }

    const Circuit &circuit_;
    std::size_t first_ = 0; // variable of the block
    std::vector<Row> rows_;
    std::vector<std::uint8_t> is_false_;
    std::vector<InputId> seen_;
    std::vector<Edge> cases_;
};

} // namespace

void Circuit::verify() const {
    if (root_.index() >= node_count()) throw std::logic_error("circuit: the root is not a node");
    Verifier(*this).run();
}

} // namespace neurasp::circuit
