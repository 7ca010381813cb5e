// Linear orders by FORCE and breadth-first search, ranked by their boundaries (order.hpp).
//
// The idea. A search that decides random variables in a fixed order, and caches components, solves each rest once. Which rest is
// left depends on the boundary: what comes before the cut and shares a clause with something after it. Behind a boundary of k
// variables there are about 2^k rests, so an order is good if its boundaries are small.
//
// Source. Orders that keep cuts small are usual for decision diagrams; FORCE (force.cpp) makes them for clauses. What differs:
//   - Only random variables are decided, so only cuts behind them count. The other variables follow by propagation; settle()
//     puts each of them where its clauses are, and the order of the random ones stays. Otherwise the boundary would depend on
//     where a start happens to put gates. Orders that agree on the random variables are one order.
//   - The cost is log2 of the sum of 2^k over these cuts, not the widest one: it is a number of states, which can be compared
//     with that of node orders (node_order.cpp).
//   - FORCE makes the sum of the spans small, which is not the cost. So each start is ranked both as it is and after FORCE.
//
// Invariants. A variable has a position if and only if it, or another outcome of its choice, is open; all outcomes of a
// choice have the same position, and otherwise positions are different. `sequence` lists each choice that has a position, once.
// No random numbers and no hash tables: equal theories have equal orders.
//
// The cost is an estimate, not a bound. A vertex counts as one bit, whatever the number of its outcomes, and even if most of its
// combinations with others cannot occur, as for the gates of a counter (28 bits for 20 of 100, where 1,796 nodes are enough). So
// the best few orders compete (race.cpp).
//
// Cost. Eight arrangements at most, each settled in twelve rounds that are linear in the clauses, and sorted.
//
// Tried without success. Lines alone on Bayesian networks: for five of eight random ones of 40 nodes, no line gave a circuit in time,
// where node orders take a tenth of a second. Trusting costs on positive cycles: 44 bits for the paths in a grid of 7 x 7, where
// deciding on atoms promises 33 and loses by far; so orders that look at cycles compete (cycle_order.cpp). Orders found after
// useless supports were dropped: worse by chance (24.4 bits instead of 19.3 on a network of 30 nodes and 44 edges), so `clauses`
// contains those supports.
#include "circuit/order.hpp"

#include "circuit/force.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace neurasp::circuit {

namespace {

// Vertices are choices and variables outside of choices; an edge joins the vertices of a clause.
struct TheoryGraph : Hypergraph {
    std::vector<std::uint32_t> vertex_of; // by variable, or `nothing`
    std::vector<bool> is_random;          // by vertex
};

TheoryGraph make_graph(const Theory &theory, std::span<const std::uint32_t> clauses,
                       const std::vector<bool> &is_open) {
    TheoryGraph graph;
    graph.vertex_of.assign(theory.variable_limit(), nothing);
    const auto vertex = [&](Var var) {
        if (graph.vertex_of[var] == nothing) {
            const std::uint32_t id = graph.add_vertex();
            const std::uint32_t choice = theory.choice_of(var);
            graph.vertex_of[var] = id;
            if (choice != nothing) {
                for (const Lit outcome : theory.choices()[choice].outcomes) {
                    graph.vertex_of[outcome.var()] = id;
                }
            }
            graph.is_random.push_back(choice != nothing);
        }
        return graph.vertex_of[var];
    };
    // in the order of the program
    for (Var var = 1; var < theory.variable_limit(); ++var) {
        if (is_open[var]) vertex(var);
    }
    for (const std::uint32_t clause : clauses) {
        std::vector<std::uint32_t> edge;
        for (const Lit lit : theory.clause(clause)) {
            if (is_open[lit.var()]) edge.push_back(vertex(lit.var()));
        }
        std::sort(edge.begin(), edge.end());
        edge.erase(std::unique(edge.begin(), edge.end()), edge.end());
        graph.add_edge(std::move(edge));
    }
    return graph;
}

// Moves every vertex that is not random to the centre of its clauses; the order of the random ones stays. Otherwise the
// boundary of an order would depend on where the others happen to be.
void settle(const TheoryGraph &graph, Positions &position) {
    std::vector<double> place(position.begin(), position.end());
    std::vector<double> centre(graph.edges.size());
    constexpr int rounds = 12;
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            double sum = 0.0;
            for (const std::uint32_t v : graph.edges[e]) sum += place[v];
            centre[e] = sum / static_cast<double>(graph.edges[e].size());
        }
        for (std::uint32_t v = 0; v < graph.size(); ++v) {
            if (graph.is_random[v] || graph.edges_of[v].empty()) continue;
            double sum = 0.0;
            for (const std::uint32_t e : graph.edges_of[v]) sum += centre[e];
            place[v] = sum / static_cast<double>(graph.edges_of[v].size());
        }
    }
    std::vector<std::uint32_t> sorted(graph.size());
    std::iota(sorted.begin(), sorted.end(), 0U);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return place[a] < place[b]; });
    for (std::uint32_t i = 0; i < sorted.size(); ++i) position[sorted[i]] = i;
}

// log2 of the sum, over the cuts after each random variable, of 2^(number of vertices before the cut that share a clause
// with a vertex after it).
double boundary_cost(const TheoryGraph &graph, const Positions &position) {
    std::vector<std::uint32_t> last(graph.size()); // rightmost neighbour
    for (std::uint32_t v = 0; v < graph.size(); ++v) last[v] = position[v];
    for (const auto &edge : graph.edges) {
        std::uint32_t high = 0;
        for (const std::uint32_t v : edge) high = std::max(high, position[v]);
        for (const std::uint32_t v : edge) last[v] = std::max(last[v], high);
    }
    std::vector<std::int32_t> change(graph.size() + 1, 0);
    std::vector<bool> random_at(graph.size(), false);
    for (std::uint32_t v = 0; v < graph.size(); ++v) {
        ++change[position[v]];
        --change[last[v]];
        random_at[position[v]] = graph.is_random[v];
    }
    double top = 0.0;
    std::vector<double> sizes;
    std::int32_t open = 0;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        open += change[i];
        if (!random_at[i]) continue;
        sizes.push_back(open);
        top = std::max(top, sizes.back());
    }
    double sum = 0.0;
    for (const double size : sizes) sum += std::exp2(size - top);
    return top + std::log2(std::max(sum, 1.0));
}

std::vector<std::uint32_t> random_sequence(const TheoryGraph &graph, const Positions &position) {
    std::vector<std::uint32_t> sequence;
    for (std::uint32_t v = 0; v < graph.size(); ++v) {
        if (graph.is_random[v]) sequence.push_back(v);
    }
    std::sort(sequence.begin(), sequence.end(),
              [&](std::uint32_t a, std::uint32_t b) { return position[a] < position[b]; });
    return sequence;
}

// The choices of the graph, in their order.
std::vector<Decision> decisions_of(const Theory &theory, const TheoryGraph &graph,
                                   const Positions &position) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> places; // position, choice
    for (std::uint32_t c = 0; c < theory.choices().size(); ++c) {
        const std::uint32_t vertex = graph.vertex_of[theory.choices()[c].outcomes[0].var()];
        if (vertex != nothing) places.emplace_back(position[vertex], c);
    }
    std::sort(places.begin(), places.end());
    std::vector<Decision> sequence;
    for (const auto &[place, choice] : places) {
        sequence.push_back({Decision::Kind::choice, choice});
    }
    return sequence;
}

} // namespace

std::vector<Order> find_orders(const Theory &theory, std::span<const std::uint32_t> clauses,
                               const std::vector<bool> &is_open) {
    const TheoryGraph graph = make_graph(theory, clauses, is_open);
    std::vector<Order> orders;
    std::set<std::vector<std::uint32_t>> known; // sequences of random variables
    const auto add = [&](Positions arrangement) {
        if (!known.insert(random_sequence(graph, arrangement)).second) return;
        settle(graph, arrangement);
        Order order;
        order.cost = boundary_cost(graph, arrangement);
        order.sequence = decisions_of(theory, graph, arrangement);
        order.position.assign(theory.variable_limit(), nothing);
        for (Var var = 1; var < theory.variable_limit(); ++var) {
            if (graph.vertex_of[var] != nothing) {
                order.position[var] = arrangement[graph.vertex_of[var]];
            }
        }
        orders.push_back(std::move(order));
    };
    for (Positions &start : starting_positions(graph)) {
        add(start);
        pull_together(graph, start);
        add(start);
    }
    std::stable_sort(orders.begin(), orders.end(),
                     [](const Order &a, const Order &b) { return a.cost < b.cost; });
    return orders;
}

} // namespace neurasp::circuit
