// Reasons and runner-up models; the expected numbers are worked out by hand.
#include "inference_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace neurasp::inference::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Two digits from 0 to 2 and their sum.
constexpr auto addition = R"(
nn(digit(1,X), [0,1,2]) :- X = (i1;i2).
sum(A+B) :- digit(0,i1,A), digit(0,i2,B).
#show sum/1.
#show digit/3.
)";

NetworkOutputs digits() {
    NetworkOutputs outputs;
    outputs.set("digit", "i1", {0.2, 0.3, 0.5});
    outputs.set("digit", "i2", {0.6, 0.3, 0.1});
    return outputs;
}

ExplanationAnswer explain(const std::string &program, const std::string &query,
                          const std::string &observation = "", std::uint64_t count = 3,
                          const Settings &settings = {}, const NetworkOutputs &outputs = {},
                          const Limits &limits = {}) {
    Reasoner reasoner(Program::from_text(program));
    return reasoner.ask(observation, {query}).explain(outputs, count, settings, limits);
}

std::vector<std::string> atoms_of(const Reason &reason) {
    std::vector<std::string> atoms;
    for (const ReasonOutcome &outcome : reason.outcomes) atoms.push_back(outcome.atom);
    return atoms;
}

TEST(Explanation, ListsTheChoicesThatMakeASum) {
    const auto answer = explain(addition, "sum(2)", "", 3, {}, digits());
    // 0.5 * 0.6 + 0.3 * 0.3 + 0.2 * 0.1
    EXPECT_NEAR(answer.probability->lower, 0.41, probability_tolerance);
    EXPECT_NEAR(answer.observation.lower, 1.0, probability_tolerance);
    ASSERT_EQ(answer.reasons.size(), 3u);
    EXPECT_THAT(atoms_of(answer.reasons[0]), ElementsAre("digit(0,i1,2)", "digit(0,i2,0)"));
    EXPECT_NEAR(answer.reasons[0].probability.value, 0.3, probability_tolerance);
    EXPECT_NEAR(answer.reasons[0].share, 0.3 / 0.41, probability_tolerance);
    EXPECT_EQ(answer.reasons[0].certainty, 1.0);
    EXPECT_EQ(answer.reasons[0].outcomes[0].variable, "digit(i1)");
    EXPECT_EQ(answer.reasons[0].outcomes[0].probability, 0.5);
    EXPECT_THAT(atoms_of(answer.reasons[1]), ElementsAre("digit(0,i1,1)", "digit(0,i2,1)"));
    EXPECT_THAT(atoms_of(answer.reasons[2]), ElementsAre("digit(0,i1,0)", "digit(0,i2,2)"));
    EXPECT_NEAR(answer.reasons[2].share, 0.02 / 0.41, probability_tolerance);
    EXPECT_TRUE(answer.disjoint);
    EXPECT_FALSE(answer.truncated);
    EXPECT_EQ(answer.note, "");
    EXPECT_TRUE(answer.how.exact);
}

TEST(Explanation, SaysThatThereAreFurtherReasons) {
    const auto answer = explain(addition, "sum(2)", "", 1, {}, digits());
    EXPECT_EQ(answer.reasons.size(), 1u);
    EXPECT_TRUE(answer.truncated);
    EXPECT_EQ(explain(addition, "sum(2)", "", 0, {}, digits()).reasons.size(), 0u);
}

TEST(Explanation, ShowsHowTheRunnerUpDiffers) {
    const auto answer = explain(addition, "sum(2)", "", 3, {}, digits());
    ASSERT_TRUE(answer.with_query && answer.without_query);
    EXPECT_TRUE(answer.models_known);
    EXPECT_NEAR(answer.with_query->probability.value, 0.5 * 0.6, probability_tolerance);
    EXPECT_NEAR(answer.without_query->probability.value, 0.3 * 0.6, probability_tolerance);
    EXPECT_THAT(answer.only_with, ElementsAre("sum(2)", "digit(0,i1,2)"));
    EXPECT_THAT(answer.only_without, ElementsAre("sum(1)", "digit(0,i1,1)"));
}

// q = a or b; P(q) = 1 - 0.5 * 0.6.
constexpr auto either = "0.5 : a. 0.4 : b. q :- a. q :- b.";

TEST(Explanation, DropsOutcomesThatAreNotNeeded) {
    const auto answer = explain(either, "q");
    EXPECT_NEAR(answer.probability->lower, 0.7, probability_tolerance);
    ASSERT_EQ(answer.reasons.size(), 2u);
    EXPECT_THAT(atoms_of(answer.reasons[0]), ElementsAre("a"));
    EXPECT_NEAR(answer.reasons[0].probability.value, 0.5, probability_tolerance);
    EXPECT_NEAR(answer.reasons[0].share, 0.5 / 0.7, probability_tolerance);
    EXPECT_THAT(atoms_of(answer.reasons[1]), ElementsAre("b"));
    EXPECT_NEAR(answer.reasons[1].share, 0.4 / 0.7, probability_tolerance);
    EXPECT_FALSE(answer.disjoint); // a and b may both be true
    EXPECT_FALSE(answer.truncated);
}

TEST(Explanation, IsGivenTheObservation) {
    const auto answer = explain(either, "a", ":- not q.");
    EXPECT_NEAR(answer.observation.lower, 0.7, probability_tolerance);
    EXPECT_NEAR(answer.probability->lower, 0.5 / 0.7, probability_tolerance);
    ASSERT_EQ(answer.reasons.size(), 1u);
    EXPECT_THAT(atoms_of(answer.reasons[0]), ElementsAre("a"));
    EXPECT_NEAR(answer.reasons[0].probability.value, 0.5 / 0.7, probability_tolerance);
    EXPECT_NEAR(answer.reasons[0].share, 1.0, probability_tolerance);
    EXPECT_NEAR(answer.without_query->probability.value, 0.5 * 0.4, probability_tolerance);
}

TEST(Explanation, NeedsNoOutcomeWhereTheObservationDecides) {
    const auto answer = explain(either, "q", ":- not q.");
    ASSERT_EQ(answer.reasons.size(), 1u);
    EXPECT_TRUE(answer.reasons[0].outcomes.empty());
    EXPECT_NEAR(answer.reasons[0].share, 1.0, probability_tolerance);
    EXPECT_FALSE(answer.without_query);
    EXPECT_TRUE(answer.models_known);
}

// The first reason covers half of the 2^40 total choices; the second one is found nevertheless.
TEST(Explanation, SkipsWhatAReasonCoversInOneStep) {
    const auto answer = explain("0.5 : a(X) :- X = 1..40. q :- a(X).", "q");
    ASSERT_EQ(answer.reasons.size(), 3u);
    for (const Reason &reason : answer.reasons) {
        EXPECT_EQ(reason.outcomes.size(), 1u);
        EXPECT_NEAR(reason.share, 0.5 / (1.0 - std::ldexp(1.0, -40)), probability_tolerance);
    }
    EXPECT_NE(atoms_of(answer.reasons[0]), atoms_of(answer.reasons[1]));
    EXPECT_TRUE(answer.truncated);
}

// What is left over in these choices is far below the precision of any sum of probabilities.
TEST(Explanation, ALittleDoubtIsStillDoubt) {
    const auto answer =
        explain("nn(m(1,x),[s,t,u]). 0.5 : b. q :- m(0,x,s). q :- m(0,x,t), b. q :- m(0,x,u).", "q",
                "", 3, {}, output("m", "x", {0.5, 1e-40, 0.5}));
    EXPECT_EQ(answer.probability->lower, 1.0);
    ASSERT_EQ(answer.reasons.size(), 3u);
    EXPECT_EQ(answer.reasons[0].outcomes.size(), 1u);
    EXPECT_TRUE(answer.without_query);
}

// Rain leaves two stable models, with umbrella and without: 0.3 / 2 each.
TEST(Explanation, TellsHowFarOutcomesDecideWhereChoicesAreFree) {
    const auto answer =
        explain("0.3 : rain. 0.5 : noise. {umbrella} :- rain. wet :- rain, not umbrella.", "wet");
    EXPECT_NEAR(answer.probability->lower, 0.15, probability_tolerance);
    ASSERT_EQ(answer.reasons.size(), 1u);
    EXPECT_THAT(atoms_of(answer.reasons[0]), ElementsAre("rain"));
    EXPECT_NEAR(answer.reasons[0].probability.value, 0.3, probability_tolerance);
    EXPECT_NEAR(answer.reasons[0].share, 1.0, probability_tolerance);
    EXPECT_NEAR(answer.reasons[0].certainty, 0.5, probability_tolerance);
    EXPECT_NEAR(answer.with_query->probability.value, 0.3 * 0.5 / 2, probability_tolerance);
    EXPECT_NEAR(answer.without_query->probability.value, 0.7 * 0.5, probability_tolerance);
}

TEST(Explanation, TellsWhatIsImpossible) {
    const auto nothing = explain(either, "q", ":- q. :- not q.");
    EXPECT_FALSE(nothing.probability);
    EXPECT_EQ(nothing.observation.lower, 0.0);
    EXPECT_THAT(nothing.note, HasSubstr("P(O) = 0"));
    const auto never = explain(either, "q", ":- q.");
    EXPECT_EQ(never.probability->lower, 0.0);
    EXPECT_TRUE(never.reasons.empty());
    EXPECT_THAT(never.note, HasSubstr("no possible stable model"));
    EXPECT_FALSE(never.with_query);
    EXPECT_NEAR(never.without_query->probability.value, 0.3, probability_tolerance);
    const auto unknown = explain(either, "nowhere");
    EXPECT_EQ(unknown.probability->lower, 0.0);
    EXPECT_TRUE(unknown.reasons.empty());
    EXPECT_FALSE(unknown.with_query);
}

// Without a and b, neither; with c, a and b support each other.
TEST(Explanation, GivesWhatIsPossibleWithoutCircuit) {
    for (const std::string &engine : engine_names()) {
        Settings settings;
        settings.engine = engine;
        const auto answer = explain("0.6 : c. a | b :- c. a :- b. b :- a.", "a", "", 3, settings);
        EXPECT_NEAR(answer.probability->lower, 0.6, probability_tolerance) << engine;
        EXPECT_TRUE(answer.reasons.empty());
        EXPECT_THAT(answer.note, HasSubstr("there are no reasons: they need a circuit"));
        ASSERT_TRUE(answer.models_known && answer.with_query && answer.without_query) << engine;
        EXPECT_NEAR(answer.with_query->probability, 0.6, probability_tolerance) << engine;
        EXPECT_NEAR(answer.without_query->probability, 0.4, probability_tolerance) << engine;
        EXPECT_THAT(answer.only_with, ElementsAre("a", "b", "c"));
        EXPECT_THAT(answer.only_without, ElementsAre("-c"));
    }
    Settings settings;
    settings.engine = "enumerate";
    const auto enumerated = explain(either, "q", "", 3, settings);
    EXPECT_NEAR(enumerated.probability->lower, 0.7, probability_tolerance);
    EXPECT_NEAR(enumerated.with_query->probability, 0.3, probability_tolerance);
    EXPECT_THAT(enumerated.note, HasSubstr("circuit"));
}

// With c, three models of 0.2 each: d with both a and b, or one of them without d. The observation excludes d.
TEST(Explanation, KeepsToTheObservationWithoutCircuit) {
    for (const std::string &engine : engine_names()) {
        Settings settings;
        settings.engine = engine;
        const auto answer = explain("0.6 : c. {d} :- c. a | b :- c. a :- b, d. b :- a, d.", "a",
                                    ":- d.", 3, settings);
        EXPECT_NEAR(answer.observation.value, 0.8, probability_tolerance) << engine;
        EXPECT_NEAR(answer.probability->value, 0.25, probability_tolerance) << engine;
        ASSERT_TRUE(answer.with_query && answer.without_query) << engine;
        EXPECT_NEAR(answer.with_query->probability, 0.2, probability_tolerance) << engine;
        EXPECT_THAT(answer.with_query->atoms, ElementsAre("a", "c"));
        EXPECT_NEAR(answer.without_query->probability, 0.4, probability_tolerance) << engine;
        EXPECT_TRUE(answer.how.exact) << engine;
    }
}

// A Sudoku of four by four, read off pictures; too many nodes are forbidden, so there is no circuit.
TEST(Explanation, FindsTheBestModelsOfASudokuThatHasNoCircuit) {
    constexpr auto sudoku = R"(
nn(cell(1,X,Y),[1,2,3,4]) :- X = 0..3, Y = 0..3.
a(X,Y,V) :- cell(0,X,Y,V).
:- a(X,Y,V), a(X,Z,V), Y < Z.
:- a(X,Y,V), a(Z,Y,V), X < Z.
:- a(X,Y,V), a(Z,W,V), X/2 = Z/2, Y/2 = W/2, X < Z, Y != W.
)";
    // Every cell is seen as in the solution 1234 3412 2143 4321 with 0.7, as each other number with 0.1.
    const std::string solution = "1234341221434321";
    NetworkOutputs outputs;
    for (std::size_t cell = 0; cell < 16; ++cell) {
        std::vector<double> row(4, 0.1);
        row[static_cast<std::size_t>(solution[cell] - '1')] = 0.7;
        outputs.set("cell", std::to_string(cell / 4) + "," + std::to_string(cell % 4), row);
    }
    Limits limits;
    limits.nodes = 2;
    for (const std::string &engine : engine_names()) {
        Settings settings;
        settings.engine = engine;
        const auto answer = explain(sudoku, "cell(0,0,0,1)", "", 3, settings, outputs, limits);
        EXPECT_TRUE(answer.reasons.empty()) << engine;
        EXPECT_THAT(answer.note, HasSubstr("there are no reasons: they need a circuit"));
        ASSERT_TRUE(answer.models_known && answer.with_query && answer.without_query) << engine;
        EXPECT_NEAR(answer.with_query->probability.log, 16 * std::log(0.7), 1e-12) << engine;
        // Some other number in the corner; no grid differs in less than four cells.
        EXPECT_FALSE(holds(*answer.without_query, "cell(0,0,0,1)"));
        EXPECT_LE(answer.without_query->probability.log,
                  12 * std::log(0.7) + 4 * std::log(0.1) + 1e-12);
    }
}

// Only models without b are optimal; then q is a.
TEST(Explanation, KeepsToOptimalModels) {
    constexpr auto program = "0.2 : a. {b}. :~ b. [1] q :- a. q :- b.";
    Settings settings;
    settings.optimal = true;
    const auto answer = explain(program, "q", "", 3, settings);
    EXPECT_NEAR(answer.probability->lower, 0.2, probability_tolerance);
    ASSERT_EQ(answer.reasons.size(), 1u);
    EXPECT_THAT(atoms_of(answer.reasons[0]), ElementsAre("a"));
    EXPECT_EQ(answer.reasons[0].certainty, 1.0);
    EXPECT_FALSE(holds(*answer.with_query, "b"));
}

TEST(Explanation, StopsWhenAskedTo) {
    const std::atomic<bool> stop{true};
    Limits limits;
    limits.stop = StopToken(stop);
    const auto answer = explain("0.5 : a(X) :- X = 1..40. q :- a(X).", "q", "", 3, {}, {}, limits);
    EXPECT_TRUE(answer.how.interrupted);
    EXPECT_FALSE(answer.how.exact);
}

TEST(Explanation, WantsExactlyOneQuery) {
    Reasoner reasoner(Program::from_text(either));
    EXPECT_THROW(reasoner.ask("").explain({}), ContractError);
    EXPECT_THROW(reasoner.ask("", {"a", "b"}).explain({}), ContractError);
}

} // namespace
} // namespace neurasp::inference::test
