// Linear orders by FORCE and breadth-first search, ranked by their boundaries (order.hpp).
#include "circuit/order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace neurasp::circuit {

namespace {

// Vertices are choices and variables outside of choices; an edge joins the vertices of a clause.
struct Hypergraph {
    std::vector<std::uint32_t> vertex_of; // by variable, or `nothing`
    std::vector<bool> is_random;          // by vertex
    std::vector<std::vector<std::uint32_t>> edges;
    std::vector<std::vector<std::uint32_t>> edges_of; // by vertex

    std::size_t size() const { return is_random.size(); }
};

Hypergraph make_graph(const Theory &theory, std::span<const std::uint32_t> clauses,
                      const std::vector<bool> &is_open) {
    Hypergraph graph;
    graph.vertex_of.assign(theory.variable_limit(), nothing);
    const auto vertex = [&](Var var) {
        if (graph.vertex_of[var] == nothing) {
            const auto id = static_cast<std::uint32_t>(graph.size());
            const std::uint32_t choice = theory.choice_of(var);
            graph.vertex_of[var] = id;
            if (choice != nothing) {
                for (const Lit outcome : theory.choices()[choice].outcomes) {
                    graph.vertex_of[outcome.var()] = id;
                }
            }
            graph.is_random.push_back(choice != nothing);
            graph.edges_of.emplace_back();
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
        if (edge.size() < 2) continue;
        for (const std::uint32_t v : edge) {
            graph.edges_of[v].push_back(static_cast<std::uint32_t>(graph.edges.size()));
        }
        graph.edges.push_back(std::move(edge));
    }
    return graph;
}

using Positions = std::vector<std::uint32_t>; // by vertex

double total_span(const Hypergraph &graph, const Positions &position) {
    double sum = 0.0;
    for (const auto &edge : graph.edges) {
        std::uint32_t low = nothing;
        std::uint32_t high = 0;
        for (const std::uint32_t v : edge) {
            low = std::min(low, position[v]);
            high = std::max(high, position[v]);
        }
        sum += high - low;
    }
    return sum;
}

void pull_together(const Hypergraph &graph, Positions &position) {
    std::vector<double> centre(graph.edges.size());
    std::vector<double> wish(graph.size());
    std::vector<std::uint32_t> sorted(graph.size());
    double best = total_span(graph, position);
    Positions best_position = position;
    int without_gain = 0;
    const int rounds = 20 + 8 * static_cast<int>(std::log2(static_cast<double>(graph.size()) + 2));
    for (int round = 0; round < rounds && without_gain < 8; ++round) {
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            double sum = 0.0;
            for (const std::uint32_t v : graph.edges[e]) sum += position[v];
            centre[e] = sum / static_cast<double>(graph.edges[e].size());
        }
        for (std::uint32_t v = 0; v < graph.size(); ++v) {
            double sum = 0.0;
            for (const std::uint32_t e : graph.edges_of[v]) sum += centre[e];
            wish[v] = graph.edges_of[v].empty()
                          ? position[v]
                          : sum / static_cast<double>(graph.edges_of[v].size());
        }
        std::iota(sorted.begin(), sorted.end(), 0U);
        std::stable_sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(wish[a], position[a]) < std::pair(wish[b], position[b]);
        });
        for (std::uint32_t i = 0; i < sorted.size(); ++i) position[sorted[i]] = i;
        const double span = total_span(graph, position);
        if (span < best) {
            best = span;
            best_position = position;
            without_gain = 0;
        } else {
            ++without_gain;
        }
    }
    position = std::move(best_position);
}

// Moves every vertex that is not random to the centre of its clauses; the order of the random ones stays. Otherwise the
// boundary of an order would depend on where the others happen to be.
void settle(const Hypergraph &graph, Positions &position) {
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

// Orders vertices breadth first, from `start` and then from every vertex not reached before. Returns the last vertex
// reached from `start`, which is far away from it.
std::uint32_t breadth_first(const Hypergraph &graph, std::uint32_t start, Positions &position) {
    position.assign(graph.size(), nothing);
    std::vector<std::uint32_t> queue;
    std::vector<bool> edge_seen(graph.edges.size(), false);
    const auto reach = [&](std::uint32_t v) {
        if (position[v] != nothing) return;
        position[v] = static_cast<std::uint32_t>(queue.size());
        queue.push_back(v);
    };
    std::uint32_t last = start;
    std::size_t next = 0;
    for (std::uint32_t root = 0; root <= graph.size(); ++root) {
        reach(root == 0 ? start : root - 1);
        for (; next < queue.size(); ++next) {
            for (const std::uint32_t e : graph.edges_of[queue[next]]) {
                if (edge_seen[e]) continue;
                edge_seen[e] = true;
                for (const std::uint32_t v : graph.edges[e]) reach(v);
            }
        }
        if (root == 0) last = queue.back();
    }
    return last;
}

// log2 of the sum, over the cuts after each random variable, of 2^(number of vertices before the cut that share a clause
// with a vertex after it).
double boundary_cost(const Hypergraph &graph, const Positions &position) {
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

std::vector<std::uint32_t> random_sequence(const Hypergraph &graph, const Positions &position) {
    std::vector<std::uint32_t> sequence;
    for (std::uint32_t v = 0; v < graph.size(); ++v) {
        if (graph.is_random[v]) sequence.push_back(v);
    }
    std::sort(sequence.begin(), sequence.end(),
              [&](std::uint32_t a, std::uint32_t b) { return position[a] < position[b]; });
    return sequence;
}

} // namespace

std::vector<Order> find_orders(const Theory &theory, std::span<const std::uint32_t> clauses,
                               const std::vector<bool> &is_open) {
    const Hypergraph graph = make_graph(theory, clauses, is_open);
    std::vector<Positions> starts;
    Positions position(graph.size());
    std::iota(position.begin(), position.end(), 0U);
    starts.push_back(position);
    if (graph.size() > 0) {
        const std::uint32_t far = breadth_first(graph, 0, position);
        starts.push_back(position);
        const std::uint32_t end = breadth_first(graph, far, position);
        starts.push_back(position);
        breadth_first(graph, end, position);
        starts.push_back(position);
    }
    std::vector<Order> orders;
    std::set<std::vector<std::uint32_t>> known; // sequences of random variables
    const auto add = [&](Positions arrangement) {
        if (!known.insert(random_sequence(graph, arrangement)).second) return;
        settle(graph, arrangement);
        Order order;
        order.cost = boundary_cost(graph, arrangement);
        order.position.assign(theory.variable_limit(), nothing);
        for (Var var = 1; var < theory.variable_limit(); ++var) {
            if (graph.vertex_of[var] != nothing) {
                order.position[var] = arrangement[graph.vertex_of[var]];
            }
        }
        orders.push_back(std::move(order));
    };
    for (Positions &start : starts) {
        add(start);
        pull_together(graph, start);
        add(start);
    }
    std::stable_sort(orders.begin(), orders.end(),
                     [](const Order &a, const Order &b) { return a.cost < b.cost; });
    return orders;
}

} // namespace neurasp::circuit
