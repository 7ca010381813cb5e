// Smoothing keeps values and makes branches mention the same variables.
#include "circuit/circuit.hpp"

#include "circuit/circuit_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::circuit::test {
namespace {

TEST(Smoothing, MakesValidSmoothCircuits) {
    base::RandomStream random(3);
    for (int i = 0; i < 500; ++i) {
        const Circuit smooth = smoothed(random_circuit(random));
        EXPECT_TRUE(smooth.smooth());
        EXPECT_NO_THROW(smooth.verify()) << "circuit " << i;
        EXPECT_EQ(pruned(smooth), smooth);
    }
}

TEST(Smoothing, KeepsTheAllowedAssignments) {
    base::RandomStream random(4);
    for (int i = 0; i < 200; ++i) {
        const Circuit circuit = random_circuit(random);
        const Circuit smooth = smoothed(circuit);
        for_each_assignment(circuit, [&](const Outcomes &outcomes) {
            EXPECT_EQ(coefficient(smooth, outcomes).value, coefficient(circuit, outcomes).value);
        });
    }
}

TEST(Smoothing, SumsUpAllAssignments) {
    base::RandomStream random(5);
    for (int i = 0; i < 200; ++i) {
        const Circuit smooth = smoothed(random_circuit(random));
        const std::vector<double> weights = random_weights(smooth, random);
        double sum = 0.0;
        for_each_assignment(smooth, [&](const Outcomes &outcomes) {
            sum += assignment_value(smooth, weights, outcomes);
        });
        EXPECT_NEAR(plain_value(smooth, weights), sum, rounding * sum);
    }
}

TEST(Smoothing, ChangesNoProbability) {
    base::RandomStream random(6);
    for (int i = 0; i < 200; ++i) {
        const Circuit circuit = random_circuit(random);
        if (circuit.variable_count() != circuit.random_variable_count()) continue;
        const auto weights = normalised(circuit, random_weights(circuit, random));
        const double value = plain_value(circuit, weights);
        EXPECT_NEAR(plain_value(smoothed(circuit), weights), value, rounding * value);
    }
}

TEST(Smoothing, LeavesSmoothCircuitsAsTheyAre) {
    const Circuit circuit = chain(100);
    EXPECT_EQ(smoothed(circuit), circuit);
    base::RandomStream random(7);
    const auto smooth = random_smooth_circuit(random);
    EXPECT_EQ(smoothed(*smooth), *smooth);
}

TEST(Smoothing, OfTrueIsTheProductOfAllTotals) {
    const Circuit smooth = smoothed(Circuit({{3, 2, 2}, 2}));
    EXPECT_NO_THROW(smooth.verify());
    EXPECT_EQ(smooth.edge_count(), 3U + 2U + 2U + 3U);
}

TEST(Smoothing, OfFalseIsFalse) {
    Circuit circuit({{3, 2}, 2});
    const NodeId dead = circuit.add_sum(0, {});
    const Edge edges[] = {{circuit.input(0, 1), dead}};
    circuit.set_root(circuit.add_sum(0, edges));
    const Circuit smooth = smoothed(circuit);
    EXPECT_NO_THROW(smooth.verify());
    EXPECT_EQ(smooth.node_count(), 2U);
    EXPECT_EQ(smooth.node(smooth.root()).kind, NodeKind::sum);
    EXPECT_TRUE(smooth.node(smooth.root()).edges.empty());
}

// A chain that ends early at each variable misses all the others: the totals must be shared.
TEST(Smoothing, StaysSmallForLongChains) {
    constexpr std::uint32_t variables = 2000;
    Circuit circuit({std::vector<std::uint32_t>(variables, 2), variables});
    NodeId next = true_node;
    for (std::uint32_t v = 0; v < variables; ++v) {
        const Edge edges[] = {{circuit.input(v, 0), next}, {circuit.input(v, 1), true_node}};
        next = circuit.add_sum(v, edges);
    }
    circuit.set_root(next);
    const Circuit smooth = smoothed(circuit);
    EXPECT_NO_THROW(smooth.verify());
    EXPECT_LT(smooth.edge_count(), 70U * variables);
}

} // namespace
} // namespace neurasp::circuit::test
