// Sums over the subsets of a graph's edges by dynamic programming along a frontier: edges are decided one
// after the other, and about nodes that still have undecided edges only those facts are kept that later edges
// depend on (Sekine, Imai 1995; Knuth's Simpath, TAOCP 4A, 7.1.4). Used to check the engines.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace neurasp::bench {

// Undirected edges in the order in which they are decided, with their probabilities of being present.
struct RandomEdge {
    int from = 0;
    int to = 0;
    double present = 0.0;
};

// P(the present edges form one simple path between the two ends, and nothing else).
double simple_path_probability(int nodes, const std::vector<RandomEdge> &edges, int first_end,
                               int last_end);

// A random event that adds arcs, each from first to second.
struct RandomArcs {
    std::vector<std::pair<int, int>> arcs;
    double present = 0.0;
};

// P(accept(the nodes reached from `source`)), where only the nodes of `watched` matter to `accept`; bit i
// stands for node i. At most 64 nodes.
double reachability_probability(const std::vector<RandomArcs> &events, int source,
                                const std::vector<int> &watched,
                                const std::function<bool(std::uint64_t)> &accept);

// An order of the nodes in which few nodes at a time have both earlier and later neighbours (greedy).
std::vector<int> frontier_order(int nodes, const std::vector<std::pair<int, int>> &edges);

} // namespace neurasp::bench
