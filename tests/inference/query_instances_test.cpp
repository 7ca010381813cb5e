// Queries that are asked for each instance.
#include "inference_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::inference::test {
namespace {

using Bindings = std::vector<std::pair<std::string, std::string>>;

constexpr auto digits_of_two = "img(a;b). nn(d(1,X),[10,9,2]) :- img(X)."
                               "sum(N) :- d(0,a,X), d(0,b,Y), N=X+Y.";

NetworkOutputs two_rows() {
    NetworkOutputs outputs;
    outputs.set("d", "a", {0.2, 0.3, 0.5});
    outputs.set("d", "b", {0.6, 0.3, 0.1});
    return outputs;
}

TEST(EachInstance, HasAnAnswerOfItsOwnWithItsValues) {
    Reasoner reasoner(Program::from_text(digits_of_two));
    const auto answer =
        reasoner.ask("", {"sum(N)", each("d(0,I,9), img(I)"), "sum(4)"}).probability(two_rows());
    ASSERT_EQ(answer.queries.size(), 4U);
    EXPECT_EQ(answer.queries[0].instance_of, "");
    EXPECT_NEAR(answer.queries[0].joint.value, 1.0, probability_tolerance);
    EXPECT_EQ(answer.queries[1].query, "d(0,a,9), img(a)");
    EXPECT_EQ(answer.queries[1].instance_of, "d(0,I,9), img(I)");
    EXPECT_EQ(answer.queries[1].bindings, (Bindings{{"I", "a"}}));
    EXPECT_NEAR(answer.queries[1].joint.value, 0.3, probability_tolerance);
    EXPECT_EQ(answer.queries[2].bindings, (Bindings{{"I", "b"}}));
    EXPECT_NEAR(answer.queries[3].joint.value, 0.5 * 0.1, probability_tolerance);
    ASSERT_EQ(answer.each.size(), 1U);
    EXPECT_EQ(answer.each[0].query, "d(0,I,9), img(I)");
    EXPECT_EQ(answer.each[0].instances, 2U);
}

// 4 11 12 18 19 20: numbers as numbers, not as texts.
TEST(EachInstance, ComesInClingosOrderOfTerms) {
    Reasoner reasoner(Program::from_text(digits_of_two));
    const Question question = reasoner.ask("", {each("sum(N)")});
    EXPECT_EQ(question.queries(), (std::vector<std::string>{"sum(4)", "sum(11)", "sum(12)",
                                                            "sum(18)", "sum(19)", "sum(20)"}));
    double total = 0.0;
    for (const QueryAnswer &query : question.probability(two_rows()).queries) total += query.joint;
    EXPECT_NEAR(total, 1.0, probability_tolerance); // exactly one of them holds
}

TEST(EachInstance, IsNoneWhereNothingCanHold) {
    Reasoner reasoner(Program::from_text(digits_of_two));
    const auto answer = reasoner.ask("", {each("sum(N), N > 20")}).probability(two_rows());
    EXPECT_TRUE(answer.queries.empty());
    ASSERT_EQ(answer.each.size(), 1U);
    EXPECT_EQ(answer.each[0].instances, 0U);
}

TEST(EachInstance, IsAnotherQuestionThanSomeInstance) {
    Reasoner reasoner(Program::from_text(digits_of_two));
    EXPECT_EQ(reasoner.ask("", {"img(X)"}).queries().size(), 1U);
    EXPECT_EQ(reasoner.ask("", {each("img(X)")}).queries().size(), 2U);
    EXPECT_EQ(reasoner.ask("", {"img(X)"}).queries().size(), 1U);
}

TEST(EachInstance, SeesTheFactsOfTheObservation) {
    Reasoner reasoner(Program::from_text("nn(d(1,X),[y,n]) :- img(X)."));
    NetworkOutputs outputs;
    outputs.set("d", "c", {0.25, 0.75});
    const auto answer = reasoner.ask("img(c).", {each("d(0,I,y)")}).probability(outputs);
    ASSERT_EQ(answer.queries.size(), 1U);
    EXPECT_EQ(answer.queries[0].query, "d(0,c,y)");
    EXPECT_NEAR(answer.queries[0].joint.value, 0.25, probability_tolerance);
}

TEST(EachInstance, IsToldOfEveryModel) {
    Reasoner reasoner(Program::from_text("0.5 : a(1). 0.5 : a(2)."));
    const auto pulled = all_models(reasoner.ask(":- not a(1). :- a(2).", {each("a(X)")}), {});
    ASSERT_EQ(pulled.models.size(), 1U);
    EXPECT_EQ(pulled.models[0].queries, (std::vector<bool>{true, false}));
}

} // namespace
} // namespace neurasp::inference::test
