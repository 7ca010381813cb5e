// Answers that a limit cuts short say so, and their bounds contain the true value.
#include "inference_support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace neurasp::inference::test {
namespace {

constexpr double slack = 1e-12; // rounding in sums of thousands of doubles

// Twelve coins, heads with probability p_i; the observation is an even number of heads, whose
// probability is (1 + prod (1 - 2 p_i)) / 2.
struct Coins {
    std::string program = "nn(coin(12,x),[h,t]). even(0). even(N+1) :- even(N), coin(N,x,t). "
                          "odd(N+1) :- even(N), coin(N,x,h). odd(N+1) :- odd(N), coin(N,x,t). "
                          "even(N+1) :- odd(N), coin(N,x,h).";
    std::string observation = ":- not even(12).";
    NetworkOutputs outputs;
    double truth = 0.0;
    double first = 0.0; // P(coin 0 is h, even)

    Coins() {
        std::vector<double> column;
        double product = 1.0;
        for (int i = 0; i < 12; ++i) {
            column.push_back(0.05 + 0.03 * i);
            if (i > 0) product *= 1.0 - 2.0 * column.back();
        }
        outputs.set("coin", "x", column);
        truth = (1.0 + product * (1.0 - 2.0 * column[0])) / 2.0;
        first = column[0] * (1.0 - product) / 2.0; // the others must be odd
    }
};

Settings by_enumeration() { // so that model limits count models
    Settings settings;
    settings.engine = "enumerate";
    return settings;
}

void expect_holds(const Probability &interval, double truth) {
    EXPECT_LE(interval.lower, truth + slack);
    EXPECT_GE(interval.upper, truth - slack);
}

TEST(Bounds, AreEqualWithoutALimit) {
    const Coins coins;
    const auto answer =
        probability(coins.program, coins.observation, coins.outputs, {"coin(0,x,h)"});
    EXPECT_TRUE(answer.how.exact);
    EXPECT_NEAR(answer.probability.lower, coins.truth, slack);
    EXPECT_NEAR(answer.queries.at(0).joint.upper, coins.first, slack);
    EXPECT_NEAR(answer.mass.lower, 1.0, slack);
}

TEST(Bounds, HoldTheTruthWhateverTheModelLimit) {
    const Coins coins;
    for (const std::uint64_t limit : {0U, 1U, 2U, 10U, 100U, 1000U, 2047U, 2048U, 5000U}) {
        const Settings settings = by_enumeration();
        Limits limits;
        limits.models = limit;
        const auto answer = probability(coins.program, coins.observation, coins.outputs,
                                        {"coin(0,x,h)"}, settings, limits);
        EXPECT_EQ(answer.how.exact, limit >= 2048) << limit; // 2048 models satisfy O
        EXPECT_EQ(answer.probability.exact, answer.how.exact);
        EXPECT_EQ(answer.how.limit, answer.how.exact ? "" : "model limit reached");
        expect_holds(answer.probability, coins.truth);
        expect_holds(answer.queries.at(0).joint, coins.first);
        expect_holds(answer.queries.at(0).conditional.value(), coins.first / coins.truth);
        expect_holds(answer.mass, 1.0);
        expect_holds(answer.given_consistency.value(), coins.truth);
    }
}

TEST(Bounds, AreUsefulAfterFewModels) {
    const Coins coins;
    const Settings settings = by_enumeration();
    Limits limits;
    limits.models = 500;
    const auto answer =
        probability(coins.program, coins.observation, coins.outputs, {}, settings, limits);
    EXPECT_GT(answer.probability.lower, 0.1);
    EXPECT_LT(answer.probability.upper, 1.0);
}

TEST(Bounds, AreTheWholeRangeWithoutTime) {
    const Coins coins;
    Limits limits;
    limits.seconds = 0.0;
    const auto answer =
        probability(coins.program, coins.observation, coins.outputs, {"coin(0,x,h)"}, {}, limits);
    EXPECT_FALSE(answer.how.exact);
    EXPECT_EQ(answer.how.limit, "time limit reached");
    EXPECT_EQ(answer.probability.lower, 0.0);
    EXPECT_NEAR(answer.probability.upper, 1.0, slack);
    expect_holds(answer.queries.at(0).conditional.value(), coins.first / coins.truth);
}

TEST(Bounds, HoldTheMassOfAnIncoherentProgram) {
    const Coins coins; // here the program itself requires an even number
    for (const std::uint64_t limit : {1U, 100U, 3000U}) {
        const Settings settings = by_enumeration();
        Limits limits;
        limits.models = limit;
        const auto answer = probability(coins.program + coins.observation, ":- not coin(0,x,h).",
                                        coins.outputs, {}, settings, limits);
        expect_holds(answer.mass, coins.truth);
        expect_holds(answer.probability, coins.first);
        expect_holds(answer.given_consistency.value(), coins.first / coins.truth);
    }
}

TEST(Bounds, HoldTheTruthWhenModelsShareAChoice) {
    // with h, O holds in 1 of 2^6 models of each choice
    const std::string program =
        "nn(c(3,x),[h,t]). {f(1..6)}. all :- f(1), f(2), f(3), f(4), f(5), f(6). "
        "p :- c(0,x,t). p :- all.";
    const double truth = 0.6 + 0.4 / 64;
    for (const std::uint64_t limit : {1U, 40U, 400U, 4000U}) {
        const Settings settings = by_enumeration();
        Limits limits;
        limits.models = limit;
        const auto answer = probability(program, ":- not p.", output("c", "x", {0.4, 0.5, 0.9}), {},
                                        settings, limits);
        expect_holds(answer.probability, truth);
    }
}

// A row may miss 1 by a thousandth; the product of twelve is too large by about a hundredth.
struct HeavyCoins : Coins {
    HeavyCoins() {
        std::vector<double> rows;
        for (int i = 0; i < 12; ++i) {
            const double p = 0.05 + 0.03 * i;
            rows.insert(rows.end(), {p, 1.0009 - p});
        }
        outputs.set("coin", "x", rows);
    }
};

void expect_at_most_one(const ProbabilityAnswer &answer) {
    EXPECT_LE(answer.probability.upper, 1.0);
    EXPECT_LE(answer.mass.upper, 1.0);
    EXPECT_LE(answer.given_consistency.value().upper, 1.0);
    for (const QueryAnswer &query : answer.queries) {
        EXPECT_LE(query.joint.upper, 1.0) << query.query;
        EXPECT_LE(query.conditional.value().upper, 1.0) << query.query;
    }
}

// Neither the program nor the observation excludes more than a little.
const std::string not_all_heads = ":- coin(I,x,h) : I = 0..11.";
const std::string not_first_two_heads =
    ":- coin(I,x,t) : I = 0..11, I > 1; coin(0,x,h); coin(1,x,h).";
const std::vector<std::string> nearly_certain{"not coin(0,x,h)", "not undefined"};

TEST(Bounds, NeverExceedOneWhateverRowsSumTo) {
    const HeavyCoins coins;
    for (const std::uint64_t models : {0U, 1U, 10U, 4000U}) {
        Limits limits;
        limits.models = models;
        const auto answer = probability(coins.program + not_all_heads, not_first_two_heads,
                                        coins.outputs, nearly_certain, by_enumeration(), limits);
        ASSERT_FALSE(answer.probability.exact && answer.mass.exact);
        expect_at_most_one(answer);
    }
    Limits no_time;
    no_time.seconds = 0.0;
    expect_at_most_one(probability(coins.program + not_all_heads, not_first_two_heads,
                                   coins.outputs, nearly_certain, {}, no_time));
}

TEST(Bounds, OfSamplesNeverExceedOneWhateverRowsSumTo) {
    const HeavyCoins coins;
    Settings settings;
    settings.samples = 300;
    const auto answer = probability(coins.program + not_all_heads, not_first_two_heads,
                                    coins.outputs, nearly_certain, settings);
    expect_at_most_one(answer);
    ASSERT_TRUE(answer.sampled.has_value());
    EXPECT_LE(answer.sampled->probability.upper, 1.0);
    EXPECT_LE(answer.sampled->probability.value, 1.0);
    EXPECT_LE(answer.sampled->joint.at(1).upper, 1.0);
    EXPECT_LE(answer.sampled->conditional.at(1).value().upper, 1.0);
}

TEST(Bounds, OfMarginalsAndGradientsNeverExceedOneWhateverRowsSumTo) {
    const HeavyCoins coins;
    Reasoner reasoner(Program::from_text(coins.program + not_all_heads));
    const Question question = reasoner.ask(not_first_two_heads);
    Limits limits;
    limits.models = 10;
    const auto marginals = question.marginals(coins.outputs, by_enumeration(), limits);
    EXPECT_FALSE(marginals.probability.exact);
    EXPECT_LE(marginals.probability.upper, 1.0);
    const auto gradient =
        question.gradient(coins.outputs, GradientConvention::plain, by_enumeration(), limits);
    EXPECT_FALSE(gradient.probability.exact);
    EXPECT_LE(gradient.probability.upper, 1.0);
}

TEST(Bounds, HoldForMarginalsToo) {
    const Coins coins;
    Reasoner reasoner(Program::from_text(coins.program));
    const Settings settings = by_enumeration();
    Limits limits;
    limits.models = 50;
    const auto answer = reasoner.ask(coins.observation).marginals(coins.outputs, settings, limits);
    EXPECT_FALSE(answer.how.exact);
    expect_holds(answer.probability, coins.truth);
    EXPECT_FALSE(answer.atoms.empty());
    EXPECT_EQ(answer.variables.size(), 12U);
}

TEST(Bounds, SayThatTheCallerInterrupted) {
    const Coins coins;
    const std::atomic<bool> stop = true;
    Limits limits;
    limits.stop = StopToken(stop);
    Reasoner reasoner(Program::from_text(coins.program + "{f}. :- f, coin(0,x,h)."));
    const Question question = reasoner.ask(coins.observation);
    const auto expect_interrupted = [](const HowAnswered &how) {
        EXPECT_FALSE(how.exact);
        EXPECT_TRUE(how.interrupted);
        EXPECT_EQ(how.limit.substr(0, 11), "interrupted");
    };
    expect_interrupted(question.probability(coins.outputs, {}, limits).how);
    expect_interrupted(all_models(question, coins.outputs, {}, limits).how);
    expect_interrupted(question.most_probable(coins.outputs, 1, false, {}, limits).how);
    expect_interrupted(question.marginals(coins.outputs, {}, limits).how);
    expect_interrupted(question.sample(coins.outputs, 5, {}, limits).how);
    expect_interrupted(question.gradient(coins.outputs, GradientConvention::plain, {}, limits).how);
    expect_interrupted(question.coherence(limits).how);
    expect_interrupted(question.argmax_consistency(coins.outputs, limits).how);
}

TEST(Bounds, LimitTheMostProbableModelFromAbove) {
    const Coins coins;
    Reasoner reasoner(Program::from_text(coins.program));
    Limits limits;
    limits.models = 0;
    const auto answer =
        reasoner.ask(coins.observation).most_probable(coins.outputs, 1, false, {}, limits);
    EXPECT_FALSE(answer.how.exact);
    // nothing is more probable than all tails, which is even
    double all_tails = 1.0;
    for (const double p : coins.outputs.table().at("coin").at("x").values) all_tails *= 1.0 - p;
    ASSERT_TRUE(answer.upper_bound.has_value());
    EXPECT_GE(answer.upper_bound->value, all_tails - slack);
}

} // namespace
} // namespace neurasp::inference::test
