// Costs of outcomes: logarithms in fixed point.
#include "inference/cost_model.hpp"
#include "inference_support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace neurasp::inference::test {
namespace {

// Half a unit of 2^-60 for rounding, and the last bit of a long double logarithm below 1024.
constexpr long double cost_tolerance = 0x1p-54L;

long double nats(Cost cost) { return static_cast<long double>(cost) * 0x1p-60L; }

CostModel model_for(const Grounding &grounding, const NetworkOutputs &outputs) {
    return CostModel(grounding.problem(), make_weights(grounding, outputs));
}

TEST(CostModel, CostsAreLogarithmsRelativeToTheBestOutcome) {
    const Grounding grounding = grounding_of("nn(d(1,x),[a,b,c]).");
    const CostModel model = model_for(grounding, output("d", "x", {0.125, 0.5, 0.375}));
    const auto costs = model.groups().at(0).costs;
    EXPECT_TRUE(costs[1] == 0);
    EXPECT_NEAR(static_cast<double>(nats(costs[0]) - std::log(4.0L)), 0.0, cost_tolerance);
    EXPECT_NEAR(static_cast<double>(nats(costs[2]) - std::log(4.0L / 3.0L)), 0.0, cost_tolerance);
}

TEST(CostModel, AddsUpOverVariables) {
    const Grounding grounding = grounding_of("nn(d(3,x),[a,b]).");
    const CostModel model =
        model_for(grounding, output("d", "x", {0.75, 0.25, 0.5, 0.5, 0.125, 0.875}));
    EXPECT_TRUE(model.of({0, 0, 1}) == 0);
    EXPECT_NEAR(static_cast<double>(nats(model.of({1, 1, 0})) - std::log(21.0L)), 0.0,
                cost_tolerance);
    EXPECT_NEAR(model.best().to_double(), 0.75 * 0.5 * 0.875, probability_tolerance);
}

TEST(CostModel, ForbidsOutcomesOfProbabilityZero) {
    const Grounding grounding = grounding_of("nn(d(1,x),[a,b]).");
    const CostModel model = model_for(grounding, output("d", "x", {0.0, 1.0}));
    EXPECT_TRUE(model.groups().at(0).costs[0] == CostModel::forbidden);
    EXPECT_TRUE(CostModel::forbidden > CostModel::finite);
}

TEST(CostModel, StaysFiniteForTheLeastProbabilityTenThousandTimes) {
    const Grounding grounding = grounding_of("nn(d(10000,x),[a,b]).");
    std::vector<double> values;
    for (int i = 0; i < 10'000; ++i) values.insert(values.end(), {4.9406564584124654e-324, 1.0});
    const CostModel model = model_for(grounding, output("d", "x", values));
    const Cost worst = model.of(TotalChoice(10'000, 0));
    EXPECT_TRUE(worst < CostModel::finite);
    // ln of the least double is -1074 ln 2
    EXPECT_NEAR(static_cast<double>(nats(worst)) / (10'000 * 1074 * std::log(2.0)), 1.0, 1e-14);
}

TEST(CostModel, DividesByNum) {
    EXPECT_TRUE(CostModel::of_division(1) == 0);
    EXPECT_NEAR(static_cast<double>(nats(CostModel::of_division(1U << 14U)) - 14 * std::log(2.0L)),
                0.0, cost_tolerance);
}

} // namespace
} // namespace neurasp::inference::test
