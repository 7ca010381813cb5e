// Random variables of ground rules, and the mistakes that only grounding shows.
#include "inference_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::inference::test {
namespace {

std::string grounding_errors(const std::string &text) {
    return error_codes([&] { grounding_of(text); });
}

std::vector<std::string> names(const Grounding &grounding) {
    std::vector<std::string> result;
    for (const RandomVariable &variable : grounding.variables()) result.push_back(variable.name);
    return result;
}

TEST(ReadVariables, MakesOneVariablePerEvent) {
    const Grounding grounding = grounding_of("nn(d(2,X),[a,b]) :- i(X). i(2). i(1).");
    EXPECT_EQ(names(grounding), (std::vector<std::string>{"d(1), event 0", "d(1), event 1",
                                                          "d(2), event 0", "d(2), event 1"}));
    EXPECT_EQ(grounding.outcome_texts(1).atoms, (std::vector<std::string>{"d(1,1,a)", "d(1,1,b)"}));
}

TEST(ReadVariables, CountsEventsFromOneWithEventBaseOne) {
    const Grounding grounding = grounding_of("#event_base 1. nn(d(2,x),[a,b]).");
    EXPECT_EQ(grounding.outcome_texts(0).atoms, (std::vector<std::string>{"d(1,x,a)", "d(1,x,b)"}));
    EXPECT_EQ(grounding.variables()[0].network->event, 0U); // the row of the output
}

TEST(ReadVariables, KeepsTheOrderOfOutcomes) {
    const Grounding grounding = grounding_of("nn(d(1,x),[z,2,\"s\",f(1),a]).");
    EXPECT_EQ(grounding.outcome_texts(0).atoms,
              (std::vector<std::string>{"d(0,x,z)", "d(0,x,2)", "d(0,x,\"s\")", "d(0,x,f(1))",
                                        "d(0,x,a)"}));
}

TEST(ReadVariables, TakesEqualInstancesForOne) {
    const Grounding grounding =
        grounding_of("nn(d(1,X),[a,b]) :- p(X). nn(d(1,X),[a,b]) :- q(X). p(1). q(1..2).");
    EXPECT_EQ(names(grounding), (std::vector<std::string>{"d(1)", "d(2)"}));
}

TEST(ReadVariables, ReadsProbabilisticRules) {
    const Grounding grounding = grounding_of("0.3 : a. @0.1 : c=1 | @0.9 : c=2.");
    ASSERT_EQ(grounding.variables().size(), 2U);
    EXPECT_EQ(grounding.outcome_texts(0).atoms, (std::vector<std::string>{"a", "-a"}));
    EXPECT_EQ(grounding.variables()[0].probabilities, (std::vector<double>{0.3, 0.7}));
    EXPECT_FALSE(grounding.variables()[0].learnable);
    EXPECT_TRUE(grounding.variables()[1].learnable);
}

TEST(ReadVariables, MakesOneVariablePerInstanceOfAProbabilisticRule) {
    const Grounding grounding = grounding_of("0.3 : wet(X) :- day(X). day(1..3).");
    EXPECT_EQ(grounding.variables().size(), 3U);
}

TEST(ReadVariables, RefusesABodyThatGroundingDoesNotDecide) {
    const Diagnostic error =
        first_error([] { grounding_of("{p(1)}.\nnn(d(1,X),[a,b]) :- p(X)."); });
    EXPECT_EQ(error.code, "undecided-body");
    EXPECT_EQ(error.location.line, 2U);
    EXPECT_NE(error.message.find("'p(1)'"), std::string::npos) << error.message;
}

TEST(ReadVariables, RefusesABodyThatRandomOutcomesDecide) {
    EXPECT_EQ(grounding_errors("nn(d(1,x),[a,b]). nn(e(1,y),[0,1]) :- d(0,x,a)."),
              "undecided-body");
    EXPECT_EQ(grounding_errors("0.5 : a. 0.5 : b :- a."), "undecided-body");
    EXPECT_EQ(grounding_errors("p :- not q. q :- not p. 0.5 : b :- p."), "undecided-body");
}

TEST(ReadVariables, ReportsAnUndecidedRuleOnce) {
    EXPECT_EQ(grounding_errors("{p(1..9)}. nn(d(1,X),[a,b]) :- p(X)."), "undecided-body");
}

TEST(ReadVariables, RefusesNumbersOfEventsThatAreNotPositive) {
    for (const char *events : {"0", "-1", "f(1)", "\"1\"", "name", "1000001"}) {
        EXPECT_EQ(grounding_errors("nn(d(" + std::string(events) + ",x),[a,b])."),
                  "events-not-positive")
            << events;
    }
}

TEST(ReadVariables, ReadsNumbersOfEventsFromConstants) {
    EXPECT_EQ(grounding_of("#const n=3. nn(d(n,x),[a,b]).").variables().size(), 3U);
}

TEST(ReadVariables, RefusesOutcomesThatConstantsMakeEqual) {
    EXPECT_EQ(grounding_errors("#const k=1. nn(d(1,x),[1,k])."), "duplicate-outcome");
}

TEST(ReadVariables, RefusesOneCallWithTwoMeanings) {
    EXPECT_EQ(grounding_errors("nn(d(1,X),[a,b]) :- p(X). nn(d(2,X),[a,b]) :- q(X). p(1). q(1)."),
              "network-conflict");
    EXPECT_EQ(grounding_errors(
                  "#const k=2. nn(d(1,X),[a,b]) :- p(X). nn(d(k,X),[a,b]) :- q(X). p(1). q(1)."),
              "network-conflict");
}

TEST(ReadVariables, RefusesOneNetworkWithTwoListsOfOutcomes) {
    EXPECT_EQ(grounding_errors("nn(d(1,X),[a,b]) :- p(X). nn(d(1,X),[a,c]) :- q(X). p(1). q(2)."),
              "network-two-domains");
}

TEST(ReadVariables, RefusesTwoVariablesWithOneAtom) {
    EXPECT_EQ(grounding_errors("0.3 : a. 0.2 : b | 0.8 : a."), "random-variable-twice");
    EXPECT_EQ(grounding_errors("0.3 : a(X) :- p(X). 0.6 : a(X) :- q(X). p(1). q(1)."),
              "random-variable-twice");
    EXPECT_EQ(grounding_errors("0.3 : a(X) :- p(X). 0.3 : a(X) :- q(X). p(1). q(1)."),
              "random-variable-twice");
}

TEST(ReadVariables, RefusesRulesThatDeriveOutcomes) {
    EXPECT_EQ(grounding_errors("nn(d(1,x),[a,b]). d(0,x,a) :- p. {p}."), "network-atom-in-head");
    EXPECT_EQ(grounding_errors("0.5 : a. a :- p. {p}."), "probabilistic-atom-in-head");
    EXPECT_EQ(grounding_errors("0.5 : a. {a; p}."), "probabilistic-atom-in-head");
    EXPECT_EQ(grounding_errors("0.5 : a. -a."), "probabilistic-atom-in-head");
}

TEST(ReadVariables, SaysWhereClingoFindsAMistake) {
    const Diagnostic error =
        first_error([] { grounding_of("nn(d(1,x),[a,b]).\n  p(X) :- not q(X)."); });
    EXPECT_EQ(error.code, "clingo-error");
    EXPECT_EQ(error.location.line, 2U);
    EXPECT_EQ(error.location.file, "<program>");
}

} // namespace
} // namespace neurasp::inference::test
