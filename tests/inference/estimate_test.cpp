// Estimates from samples: intervals that hold, for programs whose probabilities are known by hand.
#include "inference/estimate.hpp"
#include "inference_support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace neurasp::inference::test {
namespace {

SampledProbability sampled(const std::string &program, const std::string &observation,
                           const std::vector<std::string> &queries, std::uint64_t seed,
                           std::uint64_t samples = 2'000) {
    Settings settings;
    settings.samples = samples;
    settings.seed = seed;
    const auto answer = probability(program, observation, {}, queries, settings);
    EXPECT_FALSE(answer.how.exact);
    return answer.sampled.value_or(SampledProbability{});
}

bool covers(const Probability &estimate, double truth) {
    return estimate.lower <= truth && truth <= estimate.upper;
}

TEST(ChernoffInterval, IsTheClosedFormWhereAllSamplesAgree) {
    // n * log(1 / (1 - p)) = log(2 / risk)
    const auto [lower, upper] = chernoff_interval(0.0, 100, 0.05);
    EXPECT_EQ(lower, 0.0);
    EXPECT_NEAR(upper, 1.0 - std::pow(0.025, 0.01), 1e-12);
    const auto [low, high] = chernoff_interval(1.0, 100, 0.05);
    EXPECT_NEAR(low, std::pow(0.025, 0.01), 1e-12);
    EXPECT_EQ(high, 1.0);
}

TEST(ChernoffInterval, HoldsForABinomialSummedExactly) {
    constexpr std::uint64_t n = 40;
    for (const double p : {0.02, 0.3, 0.5, 0.9}) {
        double covered = 0.0;
        for (std::uint64_t k = 0; k <= n; ++k) {
            const auto [lower, upper] =
                chernoff_interval(static_cast<double>(k) / static_cast<double>(n), n, 0.05);
            const double ways = std::exp(std::lgamma(n + 1.0) - std::lgamma(double(k) + 1.0) -
                                         std::lgamma(double(n - k) + 1.0));
            const double mass = ways * std::pow(p, double(k)) * std::pow(1 - p, double(n - k));
            if (lower <= p && p <= upper) covered += mass;
        }
        EXPECT_GE(covered, 0.95) << p;
    }
}

TEST(Estimate, CoversTheTruthForNineteenSeedsInTwenty) {
    // P(O) = 1 - 0.8 * 0.5 = 0.6, P(a | O) = 0.2 / 0.6
    int observation = 0;
    int query = 0;
    constexpr int seeds = 40;
    for (int seed = 0; seed < seeds; ++seed) {
        const auto answer = sampled("0.2 : a. 0.5 : b.", ":- not a, not b.", {"a"},
                                    static_cast<std::uint64_t>(seed), 500);
        EXPECT_EQ(answer.samples, 500U);
        observation += covers(answer.probability, 0.6);
        query += covers(answer.conditional.at(0).value(), 1.0 / 3);
    }
    EXPECT_GE(observation, seeds * 19 / 20);
    EXPECT_GE(query, seeds * 19 / 20);
}

TEST(Estimate, WeighsTheModelsOfATotalChoiceByOneOverNum) {
    // a: three models, one of them with e(1); not a: one model
    const auto answer =
        sampled("0.5 : a. 1 {e(1..3)} 1 :- a.", ":- a, not e(1).", {"a"}, 1, 20'000);
    EXPECT_TRUE(covers(answer.probability, 0.5 + 0.5 / 3));
    EXPECT_NEAR(answer.probability.value, 0.5 + 0.5 / 3, 0.01);
    EXPECT_TRUE(covers(answer.conditional.at(0).value(), 0.25));
    EXPECT_TRUE(covers(answer.joint.at(0), 0.5 / 3));
}

TEST(Estimate, CountsChoicesWithoutModelAsNothing) {
    const auto answer = sampled("0.25 : a. :- a.", "", {"not a"}, 3, 4'000);
    EXPECT_TRUE(covers(answer.probability, 0.75));
    EXPECT_TRUE(covers(answer.joint.at(0), 0.75));
}

TEST(Estimate, SaysNothingAboutQueriesIfNoSampleSatisfiesTheObservation) {
    const auto answer = sampled("0.0 : a. 0.5 : b.", ":- not a.", {"b"}, 1, 100);
    EXPECT_EQ(answer.probability.value, 0.0);
    EXPECT_GT(answer.probability.upper, 0.0);
    EXPECT_FALSE(answer.conditional.at(0).has_value());
}

TEST(Estimate, IsTheSameForTheSameSeed) {
    const auto first = sampled("0.3 : a(X) :- X=1..9.", ":- a(1), a(2).", {}, 7);
    const auto second = sampled("0.3 : a(X) :- X=1..9.", ":- a(1), a(2).", {}, 7);
    const auto other = sampled("0.3 : a(X) :- X=1..9.", ":- a(1), a(2).", {}, 8);
    EXPECT_EQ(first.probability.value, second.probability.value);
    EXPECT_NE(first.probability.value, other.probability.value);
}

TEST(Estimate, IsRefusedInOptimalMode) {
    Settings settings;
    settings.samples = 10;
    settings.optimal = true;
    EXPECT_THROW(probability("0.5 : a.", "", {}, {}, settings), ContractError);
}

} // namespace
} // namespace neurasp::inference::test
