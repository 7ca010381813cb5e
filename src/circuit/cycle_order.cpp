// Arranges the atoms of positive cycles by local search (cycle_order.hpp).
//
// The idea. In reachability, what must be remembered of the decided part is how it connects the nodes of the frontier:
// the nodes that have both decided and undecided arcs. So the atoms of the cycles should be arranged so that few of them
// are on the frontier at a time (vertex separation), and an arc should be decided as soon as both of its ends are there. FORCE
// looks at random variables, gates and atoms alike, and measures a boundary in which gates and arcs count; on cycles its
// best order is often far from the best one, and so are its estimates.
//
// The cost of an arrangement is the sum, over its cuts, of 4 to the number of atoms before the cut with a neighbour behind it.
// Atoms are neighbours if a support of one depends on the other. The number of ways in which k atoms may be connected
// grows faster than 4^k, but with all other things equal only the order between arrangements matters. The search moves one
// atom at a time to another place, and keeps what is not worse, from several starts (FORCE and breadth-first search). Both
// directions are returned: which of them gives the smaller circuit cannot be seen from the cost.
//
// Whatever is not on a cycle, constraints above all, is not looked at. Where those matter, as for paths that must not branch,
// FORCE is better; so the orders compete (compiler.cpp). Costs cannot be compared with those of other orders.
//
// Determinism. Random numbers come from a fixed seed, so the orders depend on the theory alone.
//
// Cost. A move takes time linear in the graph of atoms; there are at most 24,000 moves, and fewer in large graphs: a few
// hundredths of a second in all.
#include "circuit/cycle_order.hpp"

#include "base/random_stream.hpp"
#include "circuit/force.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace neurasp::circuit {

namespace {

// Atoms of positive cycles, by index in Theory::recursive, with the choices on which supports that mention them depend.
struct AtomGraph {
    Hypergraph graph;                                // edges are pairs
    std::vector<std::vector<std::uint32_t>> choices; // by atom
};

// Collects what the supports of atoms depend on, through definitions that are not on cycles.
class Dependencies {
  public:
    explicit Dependencies(const Theory &theory)
        : theory_(theory), index_of_(theory.variable_limit(), nothing),
          clauses_of_(theory.variable_limit()), seen_(theory.variable_limit(), 0) {
        for (std::uint32_t a = 0; a < theory.recursive.size(); ++a) {
            index_of_[theory.recursive[a].atom] = a;
        }
        for (std::uint32_t i = 0; i < theory.clause_count(); ++i) {
            clauses_of_[theory.owner(i)].push_back(i);
        }
    }

    void collect(const Support &support, std::vector<std::uint32_t> &atoms,
                 std::vector<std::uint32_t> &choices) {
        ++search_;
        visit(support.body.var());
        for (const Var need : support.needs) visit(need);
        for (const Lit lit : support.others) visit(lit.var());
        while (!open_.empty()) {
            const Var var = open_.back();
            open_.pop_back();
            const std::uint32_t choice = theory_.choice_of(var);
            if (index_of_[var] != nothing) {
                atoms.push_back(index_of_[var]);
            } else if (choice != nothing) {
                choices.push_back(choice);
            } else {
                for (const std::uint32_t clause : clauses_of_[var]) {
                    for (const Lit lit : theory_.clause(clause)) visit(lit.var());
                }
            }
        }
    }

  private:
    void visit(Var var) {
        if (var == 0 || seen_[var] == search_) return;
        seen_[var] = search_;
        open_.push_back(var);
    }

    const Theory &theory_;
    std::vector<std::uint32_t> index_of_;                // by variable: of a recursive atom
    std::vector<std::vector<std::uint32_t>> clauses_of_; // by owner
    std::vector<std::uint32_t> seen_;                    // by variable: search
    std::uint32_t search_ = 0;
    std::vector<Var> open_;
};

AtomGraph make_graph(const Theory &theory) {
    const auto count = static_cast<std::uint32_t>(theory.recursive.size());
    AtomGraph result;
    result.choices.resize(count);
    Dependencies dependencies(theory);
    std::vector<std::vector<std::uint32_t>> neighbours(count);
    for (std::uint32_t a = 0; a < count; ++a) result.graph.add_vertex();
    for (std::uint32_t a = 0; a < count; ++a) {
        for (const Support &support : theory.recursive[a].supports) {
            std::vector<std::uint32_t> atoms;
            std::vector<std::uint32_t> choices;
            dependencies.collect(support, atoms, choices);
            for (const std::uint32_t b : atoms) {
                if (b != a) neighbours[std::min(a, b)].push_back(std::max(a, b));
            }
            atoms.push_back(a);
            for (const std::uint32_t b : atoms) {
                result.choices[b].insert(result.choices[b].end(), choices.begin(), choices.end());
            }
        }
    }
    for (std::uint32_t a = 0; a < count; ++a) {
        auto &list = neighbours[a];
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        for (const std::uint32_t b : list) result.graph.add_edge({a, b});
    }
    return result;
}

class Arrangement {
  public:
    Arrangement(const Hypergraph &graph, const Positions &start)
        : graph_(&graph), sequence_(graph.size()), position_(start), last_(graph.size()),
          change_(graph.size() + 1) {
        for (std::uint32_t v = 0; v < graph.size(); ++v) sequence_[start[v]] = v;
        cost_ = cost();
    }

    void improve(std::uint64_t moves, base::RandomStream &random) {
        for (std::uint64_t i = 0; i < moves; ++i) {
            const auto from = static_cast<std::uint32_t>(random.below(graph_->size()));
            const auto to = static_cast<std::uint32_t>(random.below(graph_->size()));
            if (from == to) continue;
            move(from, to);
            const double changed = cost();
            if (changed <= cost_) {
                cost_ = changed;
            } else {
                move(to, from);
            }
        }
    }

    double best_cost() const { return cost_; }
    const std::vector<std::uint32_t> &sequence() const { return sequence_; }

  private:
    void move(std::uint32_t from, std::uint32_t to) {
        const auto at = [&](std::uint32_t i) {
            return sequence_.begin() + static_cast<std::ptrdiff_t>(i);
        };
        if (from < to) {
            std::rotate(at(from), at(from + 1), at(to + 1));
        } else {
            std::rotate(at(to), at(from), at(from + 1));
        }
        for (std::uint32_t i = std::min(from, to); i <= std::max(from, to); ++i) {
            position_[sequence_[i]] = i;
        }
    }

    double cost() {
        std::copy(position_.begin(), position_.end(), last_.begin());
        for (const auto &edge : graph_->edges) {
            const std::uint32_t high = std::max(position_[edge[0]], position_[edge[1]]);
            for (const std::uint32_t v : edge) last_[v] = std::max(last_[v], high);
        }
        std::fill(change_.begin(), change_.end(), 0);
        for (std::uint32_t v = 0; v < graph_->size(); ++v) {
            ++change_[position_[v]];
            --change_[last_[v]];
        }
        double sum = 0.0;
        int open = 0;
        for (std::size_t i = 0; i < graph_->size(); ++i) {
            open += change_[i];
            sum += std::ldexp(1.0, 2 * open);
        }
        return sum;
    }

    const Hypergraph *graph_;
    std::vector<std::uint32_t> sequence_;
    Positions position_;
    std::vector<std::uint32_t> last_; // by vertex: position of its last neighbour
    std::vector<std::int32_t> change_;
    double cost_ = 0.0;
};

// The best sequence of atoms that was found.
std::vector<std::uint32_t> arrange(const Hypergraph &graph) {
    constexpr std::uint64_t most_moves = 4'000; // for each start
    constexpr std::uint64_t most_work = 2'000'000;
    constexpr std::size_t starts_tried = 6;
    std::vector<Arrangement> starts;
    for (Positions &start : starting_positions(graph)) {
        starts.emplace_back(graph, start);
        pull_together(graph, start);
        starts.emplace_back(graph, start);
    }
    std::stable_sort(starts.begin(), starts.end(), [](const Arrangement &a, const Arrangement &b) {
        return a.best_cost() < b.best_cost();
    });
    const std::uint64_t moves =
        std::min(most_moves, most_work / (graph.size() + graph.edges.size() + 1));
    base::RandomStream random(1);
    std::vector<std::uint32_t> best;
    double best_cost = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < starts.size() && i < starts_tried; ++i) {
        starts[i].improve(moves, random);
        if (starts[i].best_cost() >= best_cost) continue;
        best_cost = starts[i].best_cost();
        best = starts[i].sequence();
    }
    return best;
}

// Choices in the order in which the last of their atoms comes; those without any where the line has them, behind.
Order follow(const Theory &theory, const AtomGraph &atoms,
             const std::vector<std::uint32_t> &sequence, const Order &line) {
    std::vector<std::uint32_t> place(theory.choices().size(), nothing);
    for (std::uint32_t i = 0; i < sequence.size(); ++i) {
        for (const std::uint32_t choice : atoms.choices[sequence[i]]) place[choice] = i;
    }
    Order order;
    order.sequence = line.sequence;
    std::stable_sort(
        order.sequence.begin(), order.sequence.end(),
        [&](const Decision &a, const Decision &b) { return place[a.index] < place[b.index]; });
    order.position = line.position;
    for (std::uint32_t i = 0; i < order.sequence.size(); ++i) {
        for (const Lit outcome : theory.choices()[order.sequence[i].index].outcomes) {
            order.position[outcome.var()] = i;
        }
    }
    order.cost = line.cost;
    return order;
}

} // namespace

std::vector<Order> find_cycle_orders(const Theory &theory, const Order &line) {
    const AtomGraph atoms = make_graph(theory);
    std::vector<bool> on_cycles(theory.choices().size(), false);
    for (const auto &choices : atoms.choices) {
        for (const std::uint32_t choice : choices) on_cycles[choice] = true;
    }
    const auto count =
        std::count_if(line.sequence.begin(), line.sequence.end(),
                      [&](const Decision &decision) { return on_cycles[decision.index]; });
    if (2 * static_cast<std::size_t>(count) < line.sequence.size()) return {};
    std::vector<std::uint32_t> sequence = arrange(atoms.graph);
    std::vector<Order> orders{follow(theory, atoms, sequence, line)};
    std::reverse(sequence.begin(), sequence.end());
    orders.push_back(follow(theory, atoms, sequence, line));
    return orders;
}

} // namespace neurasp::circuit
