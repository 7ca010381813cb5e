// The data structure of circuits.
#include "circuit/circuit.hpp"

#include "circuit/circuit_support.hpp"
#include "neurasp/diagnostic.hpp"

#include <gtest/gtest.h>

namespace neurasp::circuit::test {
namespace {

using base::ScaledReal;

Circuit two_variables() { return Circuit({{3, 2, 2}, 2}); }

TEST(Circuit, NumbersItsInputsByVariableAndOutcome) {
    Circuit circuit = two_variables();
    EXPECT_EQ(circuit.random_input_count(), 5U);
    EXPECT_EQ(circuit.input(0, 0), InputId(1U));
    EXPECT_EQ(circuit.input(1, 1), InputId(5U));
    EXPECT_EQ(circuit.input(2, 0), InputId(6U)); // the free atom
    EXPECT_EQ(circuit.variable_of(InputId(5U)), 1U);
    EXPECT_EQ(circuit.outcome_of(InputId(5U)), 1U);
    EXPECT_EQ(circuit.first_constant(), 8U);
    EXPECT_EQ(circuit.add_constant(ScaledReal(0.5L)), InputId(8U));
    EXPECT_TRUE(circuit.is_constant(InputId(8U)));
    EXPECT_EQ(circuit.input_count(), 9U);
}

TEST(Circuit, StartsAsTrue) {
    const Circuit circuit = two_variables();
    EXPECT_EQ(circuit.node_count(), 1U);
    EXPECT_EQ(circuit.root(), true_node);
    EXPECT_TRUE(circuit.node(true_node).edges.empty());
    EXPECT_EQ(circuit.node(true_node).kind, NodeKind::product);
}

TEST(Circuit, KeepsEqualConstantsOnce) {
    Circuit circuit = two_variables();
    const InputId half = circuit.add_constant(ScaledReal(0.5L));
    const InputId third = circuit.add_constant(ScaledReal(1.0L) / ScaledReal(3.0L));
    EXPECT_NE(half, third);
    EXPECT_EQ(circuit.add_constant(ScaledReal(0.25L) * ScaledReal(2.0L)), half);
    EXPECT_EQ(circuit.constants().size(), 2U);
}

TEST(Circuit, ShowsTheNodesAsTheyWereAdded) {
    Circuit circuit = two_variables();
    const Edge edges[] = {{circuit.input(1, 0), true_node}, {circuit.input(1, 1), true_node}};
    const NodeId sum = circuit.add_sum(1, edges);
    EXPECT_EQ(sum, NodeId(1U));
    EXPECT_EQ(circuit.node(sum).kind, NodeKind::sum);
    EXPECT_EQ(circuit.node(sum).variable, 1U);
    EXPECT_EQ(circuit.node(sum).edges[1], edges[1]);
    EXPECT_EQ(circuit.edge_count(), 2U);
}

TEST(Circuit, RefusesChildrenAndInputsThatDoNotExist) {
    Circuit circuit = two_variables();
    const Edge to_itself[] = {{one_input, NodeId(1U)}};
    EXPECT_THROW(circuit.add_product(to_itself), ContractError);
    const Edge no_input[] = {{InputId(8U), true_node}};
    EXPECT_THROW(circuit.add_product(no_input), ContractError);
    const Edge fine[] = {{circuit.input(0, 0), true_node}};
    EXPECT_THROW(circuit.add_sum(3, fine), ContractError);
    EXPECT_EQ(circuit.node_count(), 1U);
}

TEST(Circuit, RefusesImpossibleSignatures) {
    EXPECT_THROW(Circuit({{0}, 1}), ContractError);
    EXPECT_THROW(Circuit({{2}, 2}), ContractError);
    EXPECT_THROW(Circuit({{3}, 0}), ContractError);
    EXPECT_THROW(Circuit({{most_outcomes}, 1}), ContractError);
    EXPECT_THROW(Circuit({std::vector<std::uint32_t>(300, 4'000'000'000U), 300}), ContractError);
    EXPECT_NO_THROW(Circuit({{}, 0}));
}

TEST(Circuit, PrunesWhatTheRootDoesNotNeed) {
    Circuit circuit = two_variables();
    const InputId unused = circuit.add_constant(ScaledReal(0.125L));
    const InputId used = circuit.add_constant(ScaledReal(0.25L));
    const Edge dead[] = {{unused, true_node}};
    circuit.add_product(dead);
    const Edge live[] = {{used, true_node}, {circuit.input(0, 2), true_node}};
    circuit.set_root(circuit.add_product(live));
    const Circuit small = pruned(circuit);
    EXPECT_EQ(small.node_count(), 2U);
    ASSERT_EQ(small.constants().size(), 1U);
    EXPECT_EQ(small.constants().front(), ScaledReal(0.25L));
    EXPECT_EQ(small.node(small.root()).edges[0].input, InputId(small.first_constant()));
}

TEST(Circuit, PruningKeepsTheValue) {
    base::RandomStream random(1);
    for (int i = 0; i < 200; ++i) {
        const Circuit circuit = random_circuit(random);
        const Circuit small = pruned(circuit);
        const std::vector<double> weights = random_weights(circuit, random);
        EXPECT_EQ(plain_value(small, weights), plain_value(circuit, weights));
        EXPECT_LE(small.node_count(), circuit.node_count());
        EXPECT_EQ(pruned(small), small);
    }
}

} // namespace
} // namespace neurasp::circuit::test
