// Merges a set of cubes into a multi-valued decision diagram.
//
// The idea. A rule whose body mentions only random outcomes is a cube, a conjunction of literals of choices; a head with
// many such rules holds if one of the cubes does. Written as clauses, every cube costs its own gate. But the cubes of
// real programs are tables of functions: the sum of two digits has 100 rules, of two three-digit numbers a million, and
// what they compute depends on partial sums only. As a decision diagram with equal subtrees shared, they are small: in the
// prototype, the million rules became 1,223 variables and 14,833 clauses.
//
// The method. Choices are ranked by how many literals mention them, the most frequent first. build() branches on the first
// choice in this order that any of the remaining cubes mentions, puts each cube into the part of every outcome that it
// allows, and recurses. An empty set of cubes is `no`; a set with a cube that has no literal left is `yes`. A node whose
// children are all equal is replaced by its child, and equal nodes are shared (`index_`), so the result is the reduced
// ordered diagram of the function (Bryant 1986, with one child per outcome). Nodes become multiplexer gates (gates.hpp).
//
// How ours differs from a package for decision diagrams. There is no apply operation and no reordering; the diagram is
// built once, from the top, and thrown away. Subproblems are not cached by their sets of cubes, so sharing is found only
// after the children are built. This is simple, but the work may be far larger than the result, so it is limited.
//
// Invariants. Children precede parents in `nodes_`. `cost_` is the number of clauses that the diagram will take.
//
// Cost. `work_` counts cubes over all calls of build(); beyond 40 times the size of the cubes we give up and keep the
// plain clauses, as we do if the diagram would not take fewer. So merging never makes a theory larger.
#include "circuit/cube_diagram.hpp"

#include <algorithm>
#include <map>

namespace neurasp::circuit {

namespace {

constexpr std::uint32_t no = 0;
constexpr std::uint32_t yes = 1;

class CubeDiagram {
  public:
    CubeDiagram(const Theory &theory, std::vector<Cube> cubes)
        : theory_(theory), cubes_(std::move(cubes)), rank_(theory.choices().size(), 0) {
        nodes_.resize(2);
        sort_choices();
        for (const Cube &cube : cubes_) plain_cost_ += cube.size() + 1;
        most_work_ = 40 * plain_cost_ + 1000;
    }

    // Builds the diagram. Returns whether it takes fewer clauses than the cubes.
    bool build() {
        std::vector<Rest> all;
        for (std::uint32_t i = 0; i < cubes_.size(); ++i) all.push_back({i, 0});
        root_ = build(all);
        return !too_large_ && cost_ < plain_cost_;
    }

    Lit emit(Gates &gates) const {
        std::vector<Lit> literals{false_lit, true_lit};
        for (std::size_t i = 2; i < nodes_.size(); ++i) {
            std::vector<Lit> inputs;
            for (const std::uint32_t child : nodes_[i].children) inputs.push_back(literals[child]);
            literals.push_back(gates.multiplexer(nodes_[i].choice, std::move(inputs)));
        }
        return literals[root_];
    }

  private:
    struct Node {
        std::uint32_t choice = 0;
        std::vector<std::uint32_t> children; // by outcome
        friend auto operator<=>(const Node &, const Node &) = default;
    };
    struct Rest { // a cube without its first `next` literals
        std::uint32_t cube = 0;
        std::uint32_t next = 0;
    };

    std::uint32_t choice_of(Lit lit) const { return theory_.choice_of(lit.var()); }
    bool allows(Lit lit, Lit outcome) const {
        if (lit == outcome) return true;
        return lit.var() != outcome.var() && !is_outcome(lit);
    }
    // Whether a literal requires one outcome; otherwise it excludes one.
    bool is_outcome(Lit lit) const {
        return lit.positive() || theory_.choices()[choice_of(lit)].outcomes.size() == 2;
    }

    // Ranks choices by frequency, the most frequent first, and sorts the literals of each cube by rank.
    void sort_choices() {
        std::vector<std::pair<std::int64_t, std::uint32_t>> frequency(rank_.size());
        for (std::uint32_t c = 0; c < rank_.size(); ++c) frequency[c] = {0, c};
        for (const Cube &cube : cubes_) {
            for (const Lit lit : cube) --frequency[choice_of(lit)].first;
        }
        std::sort(frequency.begin(), frequency.end());
        for (std::uint32_t i = 0; i < frequency.size(); ++i) rank_[frequency[i].second] = i;
        for (Cube &cube : cubes_) {
            std::sort(cube.begin(), cube.end(), [&](Lit a, Lit b) {
                return std::pair(rank_[choice_of(a)], a) < std::pair(rank_[choice_of(b)], b);
            });
        }
    }

    std::uint32_t build(const std::vector<Rest> &rests) {
        work_ += rests.size();
        if (work_ > most_work_) too_large_ = true;
        if (too_large_ || rests.empty()) return no;
        std::uint32_t choice = nothing;
        for (const Rest &rest : rests) {
            const Cube &cube = cubes_[rest.cube];
            if (rest.next == cube.size()) return yes;
            const std::uint32_t own = choice_of(cube[rest.next]);
            if (choice == nothing || rank_[own] < rank_[choice]) choice = own;
        }
        const auto &outcomes = theory_.choices()[choice].outcomes;
        std::vector<std::vector<Rest>> parts(outcomes.size());
        for (const Rest &rest : rests) distribute(rest, choice, parts);
        Node node{choice, {}};
        for (const auto &part : parts) node.children.push_back(build(part));
        if (std::all_of(node.children.begin(), node.children.end(),
                        [&](std::uint32_t child) { return child == node.children[0]; })) {
            return node.children[0];
        }
        const auto [place, is_new] =
            index_.try_emplace(node, static_cast<std::uint32_t>(nodes_.size()));
        if (is_new) {
            cost_ += cost_of(node);
            nodes_.push_back(std::move(node));
        }
        return place->second;
    }

    // The number of clauses that a node will take; none if it is the literal of an outcome or its negation.
    static std::size_t cost_of(const Node &node) {
        const auto truths = std::count(node.children.begin(), node.children.end(), yes);
        const auto falsities = std::count(node.children.begin(), node.children.end(), no);
        const auto size = static_cast<std::ptrdiff_t>(node.children.size());
        if (truths + falsities == size && (truths == 1 || falsities == 1)) return 0;
        return static_cast<std::size_t>(truths + falsities + 2 * (size - truths - falsities));
    }

    // Puts a cube into the part of each outcome of `choice` that it allows.
    void distribute(const Rest &rest, std::uint32_t choice,
                    std::vector<std::vector<Rest>> &parts) const {
        const Cube &cube = cubes_[rest.cube];
        const auto &outcomes = theory_.choices()[choice].outcomes;
        std::uint32_t end = rest.next;
        while (end < cube.size() && choice_of(cube[end]) == choice) ++end;
        for (std::size_t o = 0; o < outcomes.size(); ++o) {
            bool allowed = true;
            for (std::uint32_t i = rest.next; i < end; ++i) {
                allowed = allowed && allows(cube[i], outcomes[o]);
            }
            if (allowed) parts[o].push_back({rest.cube, end});
        }
    }

    const Theory &theory_;
    std::vector<Cube> cubes_;
    std::vector<std::uint32_t> rank_; // by choice
    std::vector<Node> nodes_;
    std::map<Node, std::uint32_t> index_;
    std::uint32_t root_ = no;
    std::size_t plain_cost_ = 0;
    std::size_t cost_ = 0;
    std::size_t work_ = 0;
    std::size_t most_work_ = 0;
    bool too_large_ = false;
};

} // namespace

std::optional<Lit> merge_cubes(Gates &gates, std::vector<Cube> cubes) {
    CubeDiagram diagram(gates.theory(), std::move(cubes));
    if (!diagram.build()) return std::nullopt;
    return diagram.emit(gates);
}

} // namespace neurasp::circuit
