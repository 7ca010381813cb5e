// Answers that a limit cuts short say so, and their bounds hold the truth.
#include "inference_support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace neurasp::inference::test {
namespace {

constexpr double slack = 1e-12; // sums of thousands of doubles' worth of rounding

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

void expect_holds(const Interval &interval, double truth) {
    EXPECT_LE(interval.lower.value, truth + slack);
    EXPECT_GE(interval.upper.value, truth - slack);
}

TEST(Bounds, AreEqualWithoutALimit) {
    const Coins coins;
    const auto answer =
        probability(coins.program, coins.observation, coins.outputs, {"coin(0,x,h)"});
    EXPECT_TRUE(answer.info.exact);
    EXPECT_NEAR(answer.probability.lower.value, coins.truth, slack);
    EXPECT_NEAR(answer.queries.at(0).joint.upper.value, coins.first, slack);
    EXPECT_NEAR(answer.mass.lower.value, 1.0, slack);
}

TEST(Bounds, HoldTheTruthWhateverTheModelLimit) {
    const Coins coins;
    for (const std::uint64_t limit : {0U, 1U, 2U, 10U, 100U, 1000U, 2047U, 2048U, 5000U}) {
        AnswerOptions options;
        options.engine = "enumerate"; // counts models
        options.model_limit = limit;
        const auto answer =
            probability(coins.program, coins.observation, coins.outputs, {"coin(0,x,h)"}, options);
        EXPECT_EQ(answer.info.exact, limit >= 2048) << limit; // so many satisfy O
        EXPECT_EQ(answer.probability.exact, answer.info.exact);
        EXPECT_EQ(answer.info.note, answer.info.exact ? "" : "model limit reached");
        expect_holds(answer.probability, coins.truth);
        expect_holds(answer.queries.at(0).joint, coins.first);
        expect_holds(answer.queries.at(0).conditional.value(), coins.first / coins.truth);
        expect_holds(answer.mass, 1.0);
        expect_holds(answer.given_consistency.value(), coins.truth);
    }
}

TEST(Bounds, AreUsefulAfterFewModels) {
    const Coins coins;
    AnswerOptions options;
    options.engine = "enumerate"; // counts models
    options.model_limit = 500;
    const auto answer = probability(coins.program, coins.observation, coins.outputs, {}, options);
    EXPECT_GT(answer.probability.lower.value, 0.1);
    EXPECT_LT(answer.probability.upper.value, 1.0);
}

TEST(Bounds, AreTheWholeRangeWithoutTime) {
    const Coins coins;
    AnswerOptions options;
    options.time_limit = 0.0;
    const auto answer =
        probability(coins.program, coins.observation, coins.outputs, {"coin(0,x,h)"}, options);
    EXPECT_FALSE(answer.info.exact);
    EXPECT_EQ(answer.info.note, "time limit reached");
    EXPECT_EQ(answer.probability.lower.value, 0.0);
    EXPECT_NEAR(answer.probability.upper.value, 1.0, slack);
    expect_holds(answer.queries.at(0).conditional.value(), coins.first / coins.truth);
}

TEST(Bounds, HoldTheMassOfAnIncoherentProgram) {
    const Coins coins; // the program itself demands an even number
    for (const std::uint64_t limit : {1U, 100U, 3000U}) {
        AnswerOptions options;
        options.engine = "enumerate"; // counts models
        options.model_limit = limit;
        const auto answer = probability(coins.program + coins.observation, ":- not coin(0,x,h).",
                                        coins.outputs, {}, options);
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
        AnswerOptions options;
        options.engine = "enumerate"; // counts models
        options.model_limit = limit;
        const auto answer =
            probability(program, ":- not p.", output("c", "x", {0.4, 0.5, 0.9}), {}, options);
        expect_holds(answer.probability, truth);
    }
}

TEST(Bounds, HoldForMarginalsToo) {
    const Coins coins;
    Reasoner reasoner(Program::from_text(coins.program));
    AnswerOptions options;
    options.engine = "enumerate"; // counts models
    options.model_limit = 50;
    const auto answer = reasoner.marginals(reasoner.ask(coins.observation), coins.outputs, options);
    EXPECT_FALSE(answer.info.exact);
    expect_holds(answer.probability, coins.truth);
    EXPECT_FALSE(answer.atoms.empty());
    EXPECT_EQ(answer.variables.size(), 12U);
}

TEST(Bounds, SayThatTheCallerInterrupted) {
    const Coins coins;
    const std::atomic<bool> stop = true;
    AnswerOptions options;
    options.stop = &stop;
    Reasoner reasoner(Program::from_text(coins.program + "{f}. :- f, coin(0,x,h)."));
    const Question question = reasoner.ask(coins.observation);
    const auto expect_interrupted = [](const AnswerInfo &info) {
        EXPECT_FALSE(info.exact);
        EXPECT_TRUE(info.interrupted);
        EXPECT_EQ(info.note.substr(0, 11), "interrupted");
    };
    expect_interrupted(reasoner.probability(question, coins.outputs, options).info);
    expect_interrupted(reasoner.models(question, coins.outputs, 0, options).info);
    expect_interrupted(reasoner.most_probable(question, coins.outputs, 1, false, options).info);
    expect_interrupted(reasoner.marginals(question, coins.outputs, options).info);
    expect_interrupted(reasoner.sample(question, coins.outputs, 5, 1, options).info);
    expect_interrupted(
        reasoner.gradient(question, coins.outputs, GradientConvention::plain, options).info);
    expect_interrupted(reasoner.coherence(question, options).info);
    expect_interrupted(reasoner.argmax_consistency(question, coins.outputs, options).info);
}

TEST(Bounds, LimitTheMostProbableModelFromAbove) {
    const Coins coins;
    Reasoner reasoner(Program::from_text(coins.program));
    AnswerOptions options;
    options.model_limit = 0;
    const auto answer =
        reasoner.most_probable(reasoner.ask(coins.observation), coins.outputs, 1, false, options);
    EXPECT_FALSE(answer.info.exact);
    // nothing is more probable than all tails, which is even
    double all_tails = 1.0;
    for (const double p : coins.outputs.table().at("coin").at("x").values) all_tails *= 1.0 - p;
    ASSERT_TRUE(answer.upper_bound.has_value());
    EXPECT_GE(answer.upper_bound->value, all_tails - slack);
}

} // namespace
} // namespace neurasp::inference::test
