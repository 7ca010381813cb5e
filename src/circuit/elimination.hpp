// Elimination orders of weighted graphs, and what they cost.
//
// Eliminating a vertex joins all of its neighbours with each other; the vertex and its neighbours at that time are its bag. If
// decisions are made backwards along an elimination order, what is left when a vertex comes up depends on its bag only, so the
// number of decisions on it is at most the number of joint values of its bag.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace neurasp::circuit {

// A graph of cliques.
struct CliqueGraph {
    std::vector<double> weight;                      // by vertex: log2 of the number of its values
    std::vector<std::vector<std::uint32_t>> cliques; // sorted, without repetitions

    std::uint32_t size() const { return static_cast<std::uint32_t>(weight.size()); }
};

struct Elimination {
    std::vector<std::uint32_t> order; // of vertices, the first to be eliminated first
    double cost = 0.0;                // log2 of the sum of 2^(weight of the bag) over all vertices
};

inline constexpr double no_cost_bound = 1e9;

// The cost of a given order. Stops and returns infinity as soon as a bag weighs more than `bound`.
double elimination_cost(const CliqueGraph &graph, std::span<const std::uint32_t> order,
                        double bound = no_cost_bound);

// Eliminates the vertex with the lightest bag first. Stops as elimination_cost() does; then `order` is incomplete.
Elimination min_weight_order(const CliqueGraph &graph, double bound = no_cost_bound);

// Eliminates the vertex first whose elimination adds the fewest edges. Ties are broken by weight and, except for the seed 0,
// at random. Cost: cubic in bad cases; for graphs of up to a thousand vertices.
Elimination min_fill_order(const CliqueGraph &graph, std::uint64_t seed);

} // namespace neurasp::circuit
