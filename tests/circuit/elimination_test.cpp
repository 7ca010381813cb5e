// Elimination orders and their costs, on graphs small enough for all orders.
#include "circuit/elimination.hpp"

#include "base/random_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace neurasp::circuit {
namespace {

CliqueGraph random_graph(base::RandomStream &random, std::uint32_t size) {
    CliqueGraph graph;
    for (std::uint32_t v = 0; v < size; ++v) {
        graph.weight.push_back(std::log2(static_cast<double>(2 + random.below(3))));
    }
    for (std::uint64_t i = 0; i < size; ++i) {
        std::set<std::uint32_t> clique;
        for (std::uint64_t k = 0; k < 2 + random.below(2); ++k) {
            clique.insert(static_cast<std::uint32_t>(random.below(size)));
        }
        graph.cliques.emplace_back(clique.begin(), clique.end());
    }
    return graph;
}

// By the definition: a set of pairs, and all neighbours of an eliminated vertex joined.
double cost_by_definition(const CliqueGraph &graph, const std::vector<std::uint32_t> &order) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const auto &clique : graph.cliques) {
        for (const std::uint32_t a : clique) {
            for (const std::uint32_t b : clique) {
                if (a != b) edges.emplace(a, b);
            }
        }
    }
    double sum = 0.0;
    std::set<std::uint32_t> gone;
    for (const std::uint32_t v : order) {
        std::vector<std::uint32_t> neighbours;
        double bag = graph.weight[v];
        for (std::uint32_t u = 0; u < graph.size(); ++u) {
            if (gone.contains(u) || !edges.contains({v, u})) continue;
            neighbours.push_back(u);
            bag += graph.weight[u];
        }
        for (const std::uint32_t a : neighbours) {
            for (const std::uint32_t b : neighbours) {
                if (a != b) edges.emplace(a, b);
            }
        }
        gone.insert(v);
        sum += std::exp2(bag);
    }
    return std::log2(sum);
}

TEST(Elimination, costs_are_those_of_the_definition) {
    base::RandomStream random(7);
    for (int round = 0; round < 50; ++round) {
        const auto size = static_cast<std::uint32_t>(2 + random.below(8));
        const CliqueGraph graph = random_graph(random, size);
        std::vector<std::uint32_t> order(size);
        std::iota(order.begin(), order.end(), 0U);
        for (std::size_t i = size; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
        EXPECT_NEAR(elimination_cost(graph, order), cost_by_definition(graph, order), 1e-9);
        for (const Elimination &found : {min_weight_order(graph), min_fill_order(graph, 0),
                                         min_fill_order(graph, 1 + random.below(100))}) {
            EXPECT_NEAR(found.cost, cost_by_definition(graph, found.order), 1e-9);
            std::vector<std::uint32_t> sorted = found.order;
            std::sort(sorted.begin(), sorted.end());
            std::iota(order.begin(), order.end(), 0U);
            EXPECT_EQ(sorted, order);
        }
    }
}

TEST(Elimination, greedy_orders_are_the_best_ones_of_trees) {
    // a path of 7 Booleans: bags of two, and of one at the end
    CliqueGraph path;
    path.weight.assign(7, 1.0);
    for (std::uint32_t v = 0; v + 1 < 7; ++v) path.cliques.push_back({v, v + 1});
    const double best = std::log2(6 * 4.0 + 2.0);
    EXPECT_NEAR(min_weight_order(path).cost, best, 1e-12);
    EXPECT_NEAR(min_fill_order(path, 0).cost, best, 1e-12);
    EXPECT_NEAR(min_fill_order(path, 3).cost, best, 1e-12);
}

TEST(Elimination, bounds_end_the_work) {
    CliqueGraph clique;
    clique.weight.assign(5, 1.0);
    clique.cliques.push_back({0, 1, 2, 3, 4});
    EXPECT_TRUE(
        std::isinf(elimination_cost(clique, std::vector<std::uint32_t>{0, 1, 2, 3, 4}, 4.5)));
    const Elimination stopped = min_weight_order(clique, 4.5);
    EXPECT_LT(stopped.order.size(), 5U);
    EXPECT_TRUE(std::isinf(stopped.cost));
    EXPECT_NEAR(min_weight_order(clique, 5.0).cost, std::log2(32 + 16 + 8 + 4 + 2.0), 1e-12);
}

} // namespace
} // namespace neurasp::circuit
