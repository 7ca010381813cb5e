// P(O) is computed from the rules that it depends on, with the same result.
#include "inference_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::inference::test {
namespace {

const std::string digit = "nn(d(1,x),[a,b,c]). p :- d(0,x,a). p :- d(0,x,b).";
const NetworkOutputs digit_output = output("d", "x", {0.2, 0.3, 0.5});

double p_of(const std::string &program, const NetworkOutputs &outputs = digit_output) {
    const auto answer = probability(program, ":- not p.", outputs);
    EXPECT_TRUE(answer.probability.exact);
    return answer.probability.lower;
}

TEST(Slice, LeavesOutRandomVariablesThatDoNotMatter) {
    NetworkOutputs outputs = digit_output;
    std::vector<double> rest;
    for (int i = 0; i < 60; ++i) rest.insert(rest.end(), {0.25, 0.75});
    outputs.set("e", "y", rest);
    const auto answer =
        probability(digit + "nn(e(60,y),[0,1]). q(I) :- e(I,y,1).", ":- not p.", outputs);
    EXPECT_NEAR(answer.probability.lower, 0.5, probability_tolerance);
    EXPECT_TRUE(answer.probability.exact);
    EXPECT_LE(answer.how.models_seen, 3U); // not 2^60
}

TEST(Slice, LeavesOutFreeChoicesThatDoNotMatter) {
    EXPECT_NEAR(p_of(digit + "{f(1..50)}. g :- f(1), p."), 0.5, probability_tolerance);
}

TEST(Slice, KeepsFreeChoicesThatDoMatter) {
    // with c, p holds in one of two models
    EXPECT_NEAR(p_of(digit + "{f}. p :- f, d(0,x,c)."), 0.5 + 0.5 * 0.5, probability_tolerance);
}

TEST(Slice, KeepsConstraintsOnOtherVariables) {
    NetworkOutputs outputs = digit_output;
    outputs.set("e", "y", {0.25, 0.75});
    EXPECT_NEAR(p_of(digit + "nn(e(1,y),[0,1]). :- e(0,y,0).", outputs), 0.5 * 0.75,
                probability_tolerance);
}

TEST(Slice, KeepsOtherThingsThatForbidModels) {
    NetworkOutputs outputs = digit_output;
    outputs.set("e", "y", {0.25, 0.75});
    const std::string both = digit + "nn(e(1,y),[0,1]). ";
    EXPECT_NEAR(p_of(both + "odd :- e(0,y,0), not odd.", outputs), 0.375, probability_tolerance);
    EXPECT_NEAR(p_of(both + "#edge(1,2) : e(0,y,0). #edge(2,1).", outputs), 0.375,
                probability_tolerance);
    EXPECT_NEAR(p_of(both + "-s :- e(0,y,0). s.", outputs), 0.375, probability_tolerance);
    EXPECT_NEAR(p_of(both + "v | w. w :- v. v :- w. :- v, e(0,y,0).", outputs), 0.375,
                probability_tolerance);
}

TEST(Slice, KeepsFreeChoicesUnderConstraints) {
    // with b, f must be false, so b has one model left and loses no mass
    EXPECT_NEAR(p_of(digit + "{f}. :- f, d(0,x,b). p :- f, d(0,x,c)."), 0.75,
                probability_tolerance);
    // but a choice without any model loses all of it
    EXPECT_NEAR(p_of(digit + "{f}. :- f, d(0,x,b). :- not f, d(0,x,b)."), 0.2,
                probability_tolerance);
}

TEST(Slice, KeepsTheRowSumsOfWhatItLeavesOut) {
    NetworkOutputs outputs = digit_output;
    outputs.set("e", "y", {0.25, 0.7495}); // 0.9995
    EXPECT_NEAR(p_of(digit + "nn(e(1,y),[0,1]).", outputs), 0.5 * 0.9995, probability_tolerance);
    EXPECT_NEAR(p_of(digit + "nn(e(1,y),[0,1]). q :- e(0,y,0). :- q, not q.", outputs),
                0.5 * 0.9995, probability_tolerance);
}

TEST(Slice, FollowsQueriesAsWellAsTheObservation) {
    NetworkOutputs outputs = digit_output;
    outputs.set("e", "y", {0.25, 0.75});
    const auto answer = probability(digit + "nn(e(1,y),[0,1]).", ":- not p.", outputs,
                                    {"e(0,y,0)", "d(0,x,a)", "nowhere"});
    EXPECT_NEAR(answer.queries.at(0).joint.lower, 0.5 * 0.25, probability_tolerance);
    EXPECT_NEAR(answer.queries.at(0).conditional->lower, 0.25, probability_tolerance);
    EXPECT_NEAR(answer.queries.at(1).conditional->lower, 0.4, probability_tolerance);
    EXPECT_EQ(answer.queries.at(2).joint.lower, 0.0);
}

TEST(Slice, GivesTheMassOfConsistentChoices) {
    NetworkOutputs outputs = digit_output;
    outputs.set("e", "y", {0.25, 0.75});
    const auto answer = probability(digit + "nn(e(1,y),[0,1]). :- e(0,y,0).", ":- not p.", outputs);
    EXPECT_NEAR(answer.mass.lower, 0.75, probability_tolerance);
    EXPECT_NEAR(answer.given_consistency->lower, 0.5, probability_tolerance);
}

TEST(Slice, TakesExternalsAsTheyAreSet) {
    EXPECT_NEAR(p_of(digit + "#external t. [true] p :- t, d(0,x,c). {f}."), 1.0,
                probability_tolerance);
    EXPECT_NEAR(p_of(digit + "#external t. p :- t, d(0,x,c). {f}."), 0.5, probability_tolerance);
}

} // namespace
} // namespace neurasp::inference::test
