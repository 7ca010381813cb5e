// Samples follow the distribution of the circuit.
#include "circuit/sampling.hpp"

#include "circuit/circuit_support.hpp"
#include "neurasp/diagnostic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace neurasp::circuit::test {
namespace {

// Frequencies of n samples are off by less than six standard deviations, except once in 10^8 times.
double bound_of(double p, double n) { return 6.0 * std::sqrt(p * (1.0 - p) / n) + 6.0 / n; }

TEST(Sampling, DrawsInProportionToTheValues) {
    base::RandomStream random(30);
    constexpr int samples = 3000;
    for (int i = 0; i < 40; ++i) {
        const auto circuit = random_smooth_circuit(random);
        const std::vector<double> weights = random_weights(*circuit, random);
        const ExactEvaluation evaluation(*circuit, scaled(weights));
        if (evaluation.value().is_zero()) continue;
        std::map<Outcomes, int> counts;
        for (int k = 0; k < samples; ++k) {
            ++counts[draw_assignment(*circuit, evaluation, random)->outcomes];
        }
        for_each_assignment(*circuit, [&](const Outcomes &outcomes) {
            const double p =
                assignment_value(*circuit, weights, outcomes) / plain_value(*circuit, weights);
            const double frequency = static_cast<double>(counts[outcomes]) / samples;
            EXPECT_NEAR(frequency, p, bound_of(p, samples));
        });
    }
}

TEST(Sampling, NeverDrawsOutcomesOfProbabilityZero) {
    base::RandomStream random(31);
    for (int i = 0; i < 100; ++i) {
        const auto circuit = random_smooth_circuit(random);
        std::vector<double> weights = random_weights(*circuit, random);
        for (double &weight : weights) weight = random.below(3) == 0 ? 0.0 : weight;
        const ExactEvaluation evaluation(*circuit, scaled(weights));
        for (int k = 0; k < 20; ++k) {
            const auto drawn = draw_assignment(*circuit, evaluation, random);
            ASSERT_EQ(drawn.has_value(), !evaluation.value().is_zero());
            if (!drawn) continue;
            const double value = assignment_value(*circuit, weights, drawn->outcomes);
            EXPECT_GT(value, 0.0);
            EXPECT_NEAR(drawn->value.to_double() / value, 1.0, 1e-12);
        }
    }
}

TEST(Sampling, WorksFarBelowTheRangeOfDoubles) {
    base::RandomStream random(32);
    const Circuit circuit = chain(2000);
    std::vector<double> weights(4000, 1e-200);
    weights[0] = 0.0;
    const ExactEvaluation evaluation(circuit, scaled(weights));
    const auto drawn = draw_assignment(circuit, evaluation, random);
    ASSERT_TRUE(drawn.has_value());
    EXPECT_EQ(drawn->outcomes.front(), 1U);
}

TEST(Sampling, RepeatsWithTheSameSeed) {
    const Circuit circuit = chain(50);
    const ExactEvaluation evaluation(circuit, scaled(std::vector<double>(100, 0.5)));
    base::RandomStream first(33);
    base::RandomStream second(33);
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(draw_assignment(circuit, evaluation, first)->outcomes,
                  draw_assignment(circuit, evaluation, second)->outcomes);
    }
}

TEST(Sampling, RequiresASmoothCircuit) {
    Circuit circuit = chain(1);
    circuit.set_smooth(false);
    const ExactEvaluation evaluation(circuit, scaled({0.5, 0.5}));
    base::RandomStream random(34);
    EXPECT_THROW(draw_assignment(circuit, evaluation, random), ContractError);
}

} // namespace
} // namespace neurasp::circuit::test
