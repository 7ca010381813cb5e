// Values and derivatives in numbers of any magnitude.
#include "circuit/exact_evaluation.hpp"

#include "circuit/circuit_support.hpp"
#include "neurasp/diagnostic.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace neurasp::circuit::test {
namespace {

using base::ScaledReal;

void expect_derivatives(const Circuit &circuit, const std::vector<double> &weights) {
    ExactEvaluation evaluation(circuit, scaled(weights));
    evaluation.differentiate();
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double expected = plain_derivative(circuit, weights, i);
        EXPECT_NEAR(evaluation.derivative(InputId(i + 1)).to_double(), expected,
                    rounding * (1.0 + expected))
            << "input " << i + 1;
    }
}

TEST(ExactEvaluation, HasTheValueOfTheCircuit) {
    base::RandomStream random(8);
    for (int i = 0; i < 300; ++i) {
        const Circuit circuit = random_circuit(random);
        const std::vector<double> weights = random_weights(circuit, random);
        const double expected = plain_value(circuit, weights);
        EXPECT_NEAR(ExactEvaluation(circuit, scaled(weights)).value().to_double(), expected,
                    rounding * expected);
    }
}

TEST(ExactEvaluation, HasTheDerivativesOfTheCircuit) {
    base::RandomStream random(9);
    for (int i = 0; i < 300; ++i) {
        const Circuit circuit = random_circuit(random);
        expect_derivatives(circuit, random_weights(circuit, random));
    }
}

TEST(ExactEvaluation, HasTheDerivativesIfWeightsAreZero) {
    base::RandomStream random(10);
    for (int i = 0; i < 300; ++i) {
        const Circuit circuit = random_circuit(random);
        std::vector<double> weights = random_weights(circuit, random);
        for (double &weight : weights) weight = random.below(2) == 0 ? 0.0 : weight;
        expect_derivatives(circuit, weights);
    }
}

TEST(ExactEvaluation, KnowsTheValueOfEachNode) {
    Circuit circuit({{2}, 1});
    const InputId half = circuit.add_constant(ScaledReal(0.5L));
    const Edge sum_edges[] = {{circuit.input(0, 0), true_node}, {circuit.input(0, 1), true_node}};
    const NodeId sum = circuit.add_sum(0, sum_edges);
    const Edge edges[] = {{half, sum}, {half, true_node}};
    circuit.set_root(circuit.add_product(edges));
    const ExactEvaluation evaluation(circuit, scaled({0.25, 0.5}));
    EXPECT_EQ(evaluation.node_value(true_node), ScaledReal(1.0L));
    EXPECT_EQ(evaluation.node_value(sum), ScaledReal(0.75L));
    EXPECT_EQ(evaluation.value(), ScaledReal(0.1875L));
}

TEST(ExactEvaluation, DoesNotUnderflow) {
    constexpr std::uint32_t variables = 3000;
    const Circuit circuit = chain(variables);
    ExactEvaluation evaluation(circuit, scaled(std::vector<double>(2 * variables, 1e-300)));
    const double expected = variables * std::log(2e-300);
    EXPECT_NEAR(evaluation.value().log(), expected, -expected * rounding);
    evaluation.differentiate();
    EXPECT_NEAR(evaluation.derivative(InputId(1U)).log(), expected - std::log(2e-300),
                -expected * rounding);
}

TEST(ExactEvaluation, AcceptsNewWeights) {
    base::RandomStream random(11);
    const Circuit circuit = chain(5);
    const std::vector<double> first = random_weights(circuit, random);
    const std::vector<double> second = random_weights(circuit, random);
    ExactEvaluation evaluation(circuit, scaled(first));
    evaluation.differentiate();
    evaluation.assign(scaled(second));
    evaluation.differentiate();
    ExactEvaluation other(circuit, scaled(second));
    other.differentiate();
    EXPECT_EQ(evaluation.value(), other.value());
    EXPECT_EQ(evaluation.derivative(InputId(3U)), other.derivative(InputId(3U)));
}

TEST(ExactEvaluation, RequiresAllWeights) {
    const Circuit circuit = chain(2);
    EXPECT_THROW(ExactEvaluation(circuit, scaled({0.5, 0.5, 0.5})), ContractError);
}

} // namespace
} // namespace neurasp::circuit::test
