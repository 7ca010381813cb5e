// Optimal mode: only the least-cost models of program and observation count.
#include "inference_support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace neurasp::inference::test {
namespace {

const std::string penalised = "nn(d(1,x),[a,b,c]). {f}. :~ d(0,x,a). [2@1] :~ d(0,x,b). [1@1] "
                              ":~ d(0,x,c). [1@1] :~ f. [1@2]";
const NetworkOutputs three_outcomes = output("d", "x", {0.5, 0.2, 0.3});

Settings optimal() {
    Settings settings;
    settings.optimal = true;
    return settings;
}

TEST(Optimal, SumsTheLeastCostModelsOnly) {
    // without f and a; each choice has two models, and P(I) does not change
    const auto answer = probability(penalised, "", three_outcomes, {"d(0,x,c)"}, optimal());
    EXPECT_NEAR(answer.probability.lower, 0.1 + 0.15, probability_tolerance);
    EXPECT_NEAR(answer.queries.at(0).conditional->lower, 0.6, probability_tolerance);
    EXPECT_NEAR(answer.mass.lower, 1.0, probability_tolerance);
}

TEST(Optimal, MinimisesUnderTheObservation) {
    const auto answer = probability(penalised, ":- not d(0,x,a).", three_outcomes, {}, optimal());
    EXPECT_NEAR(answer.probability.lower, 0.25, probability_tolerance); // a without f
    const auto forced = probability(penalised, ":- not f.", three_outcomes, {}, optimal());
    EXPECT_NEAR(forced.probability.lower, 0.25, probability_tolerance); // b or c with f
}

TEST(Optimal, IsOffByDefault) {
    EXPECT_NEAR(probability(penalised, "", three_outcomes).probability.lower, 1.0,
                probability_tolerance);
}

TEST(Optimal, ListsLeastCostModelsWithTheirCosts) {
    Reasoner reasoner(Program::from_text(penalised));
    const auto answer = all_models(reasoner.ask(), three_outcomes, optimal());
    ASSERT_EQ(answer.models.size(), 2U);
    for (const StableModel &model : answer.models) {
        EXPECT_EQ(model.cost, (std::vector<std::int64_t>{0, 1}));
        EXPECT_FALSE(holds(model, "f"));
    }
}

TEST(Optimal, RanksLeastCostModelsByProbability) {
    Reasoner reasoner(Program::from_text(penalised));
    const auto answer = reasoner.ask().most_probable(three_outcomes, 5, false, optimal());
    ASSERT_EQ(answer.models.size(), 2U);
    EXPECT_TRUE(holds(answer.models[0], "d(0,x,c)"));
    EXPECT_NEAR(answer.models[0].probability.value, 0.15, probability_tolerance);
    EXPECT_TRUE(holds(answer.models[1], "d(0,x,b)"));
    const auto plain = reasoner.ask().most_probable(three_outcomes);
    EXPECT_TRUE(holds(plain.models.at(0), "d(0,x,a)"));
}

TEST(Optimal, AnswersManyObservationsWithOneReasoner) {
    Reasoner reasoner(Program::from_text(penalised));
    for (int round = 0; round < 3; ++round) {
        for (const auto &[observation, expected] : {std::pair{"", 0.25},
                                                    {":- not d(0,x,a).", 0.25},
                                                    {":- d(0,x,c).", 0.1},
                                                    {":- d(0,x,V).", 0.0}}) {
            const auto answer = reasoner.ask(observation).probability(three_outcomes, optimal());
            EXPECT_NEAR(answer.probability.lower, expected, probability_tolerance) << observation;
            EXPECT_TRUE(answer.how.exact);
        }
    }
}

TEST(Optimal, TakesNegativeCosts) {
    const std::string bonus = "nn(d(1,x),[a,b,c]). #maximize{3:d(0,x,a); 3:d(0,x,b)}.";
    const auto answer = probability(bonus, "", three_outcomes, {}, optimal());
    EXPECT_NEAR(answer.probability.lower, 0.7, probability_tolerance);
}

TEST(Optimal, ChangesNothingWithoutWeakConstraints) {
    const auto answer =
        probability("nn(d(1,x),[a,b,c]).", ":- d(0,x,a).", three_outcomes, {}, optimal());
    EXPECT_NEAR(answer.probability.lower, 0.5, probability_tolerance);
}

TEST(Optimal, ShowsCostsOutsideOfOptimalModeToo) {
    Reasoner reasoner(Program::from_text(penalised));
    const auto answer = all_models(reasoner.ask(":- not f. :- not d(0,x,a)."), three_outcomes);
    ASSERT_EQ(answer.models.size(), 1U);
    EXPECT_EQ(answer.models[0].cost, (std::vector<std::int64_t>{1, 2}));
}

// A circuit of all models is there already; it must not be taken for one of the cheapest.
TEST(Optimal, CompilesNothingWhileTheLeastCostIsNotKnown) {
    Reasoner reasoner(Program::from_text(penalised));
    const Question question = reasoner.ask();
    CompileSettings cheapest;
    cheapest.optimal = true;
    Limits no_time;
    no_time.seconds = 0.0;
    ASSERT_TRUE(question.compile().circuit.has_value());
    const Compilation late = question.compile(cheapest, no_time);
    EXPECT_FALSE(late.circuit.has_value());
    EXPECT_EQ(late.note, "the least cost is not known");
    EXPECT_TRUE(late.is_limit);
    const Compilation timely = question.compile(cheapest);
    ASSERT_TRUE(timely.circuit.has_value());
    std::vector<double> log(1);
    CircuitEvaluator<double>(*timely.circuit)
        .run(timely.circuit->weights(three_outcomes), 1, log, {});
    EXPECT_NEAR(std::exp(log[0]), 0.25, probability_tolerance);
}

TEST(Optimal, SaysWhenTheLeastCostIsNotKnown) {
    Limits limits;
    limits.seconds = 0.0;
    const auto answer = probability(penalised, "", three_outcomes, {}, optimal(), limits);
    EXPECT_FALSE(answer.how.exact);
    EXPECT_LE(answer.probability.lower, 0.25);
    EXPECT_GE(answer.probability.upper, 0.25);
}

} // namespace
} // namespace neurasp::inference::test
