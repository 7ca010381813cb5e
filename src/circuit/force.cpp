// FORCE: a hypergraph is arranged in a line by forces (force.hpp).
//
// The idea. Each edge pulls its vertices to its centre; the vertices are sorted by where they are pulled; repeat. What becomes
// small is the sum of the spans of the edges, which is the number of edges across a cut, added up over all cuts.
//
// Source. Aloul, Markov and Sakallah 2003. Our choices:
//   - FORCE finds a local optimum, so it is started from several arrangements: the given one, because programs are often written
//     along their structure, and three breadth-first ones. Each of these starts where the one before it ended, so the second
//     and the third go from one end of the graph to the other.
//   - The best arrangement of all rounds is kept, and it ends after eight rounds without gain, because one round
//     may make the sum larger and a later one smaller.
//   - Vertices that are pulled to the same place keep their order. So the result depends on the start alone.
// Callers rank the arrangements by what they need: the boundary behind random variables (order.cpp), the cost of an elimination
// (node_order.cpp), the atoms on the frontier (cycle_order.cpp). None of them is the sum of the spans.
//
// Invariants. `position` is a permutation of the vertices before and after; pull_together() never makes the sum of the spans
// larger. Edges have two vertices at least: others pull at nothing.
//
// Cost. A round is linear in the graph, and sorts the vertices; there are at most 20 + 8 log2(vertices).
//
// Tried without success. FORCE alone on positive cycles: it looks at gates and arcs as much as at atoms. Local search on the
// atoms, from where FORCE ends, is mostly better, but not always: 6,150 nodes instead of 26,403 for 25 smokers with 37 arcs,
// 82,294 instead of 20,379 for 10 with 25, and 4 to 61 % more for paths; so both compete (cycle_order.cpp). Its direction: the
// sum of the spans does not see it, but the cost of decisions does (31.3 bits instead of 15.3 for the network alarm), so node
// orders are tried both ways.
#include "circuit/force.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace neurasp::circuit {

namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

double total_span(const Hypergraph &graph, const Positions &position) {
    double sum = 0.0;
    for (const auto &edge : graph.edges) {
        std::uint32_t low = nowhere;
        std::uint32_t high = 0;
        for (const std::uint32_t v : edge) {
            low = std::min(low, position[v]);
            high = std::max(high, position[v]);
        }
        sum += high - low;
    }
    return sum;
}

} // namespace

void Hypergraph::add_edge(std::vector<std::uint32_t> vertices) {
    if (vertices.size() < 2) return;
    for (const std::uint32_t v : vertices) {
        edges_of[v].push_back(static_cast<std::uint32_t>(edges.size()));
    }
    edges.push_back(std::move(vertices));
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

std::uint32_t breadth_first(const Hypergraph &graph, std::uint32_t start, Positions &position) {
    position.assign(graph.size(), nowhere);
    std::vector<std::uint32_t> queue;
    std::vector<bool> edge_seen(graph.edges.size(), false);
    const auto reach = [&](std::uint32_t v) {
        if (position[v] != nowhere) return;
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

std::vector<Positions> starting_positions(const Hypergraph &graph) {
    std::vector<Positions> starts;
    Positions position(graph.size());
    std::iota(position.begin(), position.end(), 0U);
    starts.push_back(position);
    if (graph.size() == 0) return starts;
    std::uint32_t end = 0;
    for (int i = 0; i < 3; ++i) {
        end = breadth_first(graph, end, position);
        starts.push_back(position);
    }
    return starts;
}

} // namespace neurasp::circuit
