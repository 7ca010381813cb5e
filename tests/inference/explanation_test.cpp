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
    EXPECT_EQ(never.note, "no stable model that satisfies the observation satisfies the query");
    EXPECT_FALSE(never.with_query);
    EXPECT_NEAR(never.without_query->probability.value, 0.3, probability_tolerance);
    const auto unknown = explain(either, "nowhere");
    EXPECT_EQ(unknown.probability->lower, 0.0);
    EXPECT_TRUE(unknown.reasons.empty());
    EXPECT_FALSE(unknown.with_query);
}

// Without c, neither; with c, a and b support each other. No engine has a circuit.
TEST(Explanation, GivesReasonsWithoutCircuit) {
    for (const std::string &engine : engine_names()) {
        Settings settings;
        settings.engine = engine;
        const auto answer =
            explain("0.6 : c. 0.5 : d. a | b :- c. a :- b. b :- a.", "a", "", 3, settings);
        EXPECT_NEAR(answer.probability->lower, 0.6, probability_tolerance) << engine;
        ASSERT_EQ(answer.reasons.size(), 1u) << engine;
        EXPECT_THAT(atoms_of(answer.reasons[0]), ElementsAre("c"));
        EXPECT_NEAR(answer.reasons[0].probability.value, 0.6, probability_tolerance);
        EXPECT_NEAR(answer.reasons[0].share, 1.0, probability_tolerance);
        EXPECT_NEAR(answer.reasons[0].certainty, 1.0, probability_tolerance);
        EXPECT_TRUE(answer.reasons[0].exact);
        EXPECT_FALSE(answer.truncated);
        EXPECT_EQ(answer.note, "");
        ASSERT_TRUE(answer.models_known && answer.with_query && answer.without_query) << engine;
        EXPECT_NEAR(answer.with_query->probability, 0.3, probability_tolerance) << engine;
        EXPECT_NEAR(answer.without_query->probability, 0.2, probability_tolerance) << engine;
        EXPECT_THAT(answer.only_with, testing::IsSupersetOf({"a", "b", "c"}));
    }
}

// What circuits say about these programs, the solver says as well.
TEST(Explanation, SearchFindsTheReasonsThatCircuitsFind) {
    struct Case {
        const char *program;
        const char *query;
        const char *observation;
    };
    const Case cases[] = {{either, "q", ""},
                          {either, "q", ":- not q."},
                          {either, "a", ":- not q."},
                          {"0.3 : rain. 0.5 : noise. {umbrella} :- rain. "
                           "wet :- rain, not umbrella.",
                           "wet", ""},
                          {"0.9 : a. 0.8 : b. 0.7 : c. q :- a, b. q :- c.", "q", ""}};
    Settings search;
    search.engine = "enumerate";
    for (const Case &one : cases) {
        const auto expected = explain(one.program, one.query, one.observation, 5);
        const auto found = explain(one.program, one.query, one.observation, 5, search);
        ASSERT_EQ(found.reasons.size(), expected.reasons.size()) << one.program;
        for (std::size_t i = 0; i < found.reasons.size(); ++i) {
            EXPECT_EQ(atoms_of(found.reasons[i]), atoms_of(expected.reasons[i]));
            EXPECT_NEAR(found.reasons[i].share, expected.reasons[i].share, 1e-12);
            EXPECT_NEAR(found.reasons[i].certainty, expected.reasons[i].certainty, 1e-12);
            EXPECT_NEAR(found.reasons[i].probability, expected.reasons[i].probability, 1e-12);
        }
        EXPECT_EQ(found.disjoint, expected.disjoint);
        EXPECT_EQ(found.truncated, expected.truncated);
    }
}

// The most probable total choice has a, 0.4, and not c; but c is true with 0.55, so it covers more.
TEST(Explanation, ListsTheWeightiestReasonFirst) {
    constexpr auto program =
        "0.9 : n=1 | 0.1 : n=2. 0.1 : a=0 | 0.3 : a=1 | 0.3 : a=2 | 0.3 : a=3. "
        "0.45 : c. q :- a=1, n=1. q :- c.";
    for (const char *engine : {"auto", "enumerate"}) {
        Settings settings;
        settings.engine = engine;
        const auto answer = explain(program, "q", "", 3, settings);
        // P(q) = 0.45 + 0.55 * 0.27
        EXPECT_NEAR(answer.probability->value, 0.5985, probability_tolerance);
        ASSERT_EQ(answer.reasons.size(), 2u);
        EXPECT_THAT(atoms_of(answer.reasons[0]), ElementsAre("c"));
        EXPECT_NEAR(answer.reasons[0].share, 0.45 / 0.5985, probability_tolerance);
        EXPECT_THAT(atoms_of(answer.reasons[1]), ElementsAre("n(1)", "a(1)"));
        EXPECT_NEAR(answer.reasons[1].share, 0.27 / 0.5985, probability_tolerance);
    }
}

// A row may miss 1 by a thousandth. It is taken as it is: P(O) = 0.9995, P(q, O) = 0.5.
TEST(Explanation, TakesRowsAsTheyAre) {
    for (const std::string &engine : engine_names()) {
        Settings settings;
        settings.engine = engine;
        const auto answer = explain("nn(m(1,x),[s,t]). q :- m(0,x,s).", "q", "", 3, settings,
                                    output("m", "x", {0.5, 0.4995}));
        EXPECT_NEAR(answer.observation.value, 0.9995, probability_tolerance) << engine;
        EXPECT_NEAR(answer.probability->value, 0.5 / 0.9995, probability_tolerance) << engine;
        ASSERT_EQ(answer.reasons.size(), 1u);
        EXPECT_EQ(answer.reasons[0].outcomes[0].probability, 0.5) << engine;
        EXPECT_NEAR(answer.reasons[0].probability.value, 0.5 / 0.9995, probability_tolerance);
        EXPECT_NEAR(answer.with_query->probability.value, 0.5, probability_tolerance) << engine;
        EXPECT_NEAR(answer.without_query->probability.value, 0.4995, probability_tolerance);
        ASSERT_TRUE(answer.why && answer.why_not);
        EXPECT_EQ(answer.why->steps.back().probability, 0.5);
        EXPECT_EQ(answer.changes.at(0).without.probability, 0.4995);
    }
}

// a=2 has probability 0, and it is an outcome nevertheless: a=1 is what makes q certain.
TEST(Explanation, ModelsOfProbability0AreModels) {
    constexpr auto program = "1 : a=1 | 0 : a=2. 0.5 : b. q :- a=1. r :- a=2, b.";
    for (const std::string &engine : engine_names()) {
        Settings settings;
        settings.engine = engine;
        const auto certain = explain(program, "q", "", 3, settings);
        EXPECT_EQ(certain.probability->value, 1.0);
        ASSERT_EQ(certain.reasons.size(), 1u) << engine;
        EXPECT_THAT(atoms_of(certain.reasons[0]), ElementsAre("a(1)")) << engine;
        ASSERT_TRUE(certain.without_query) << engine;
        EXPECT_TRUE(certain.without_query->probability.is_zero());
        const auto impossible = explain(program, "r", "", 3, settings);
        EXPECT_EQ(impossible.probability->value, 0.0);
        ASSERT_TRUE(impossible.with_query) << engine;
        EXPECT_TRUE(holds(*impossible.with_query, "a(2)"));
        EXPECT_EQ(impossible.note, "every stable model that satisfies the query has probability 0");
        const auto undefined = explain(program, "b", ":- a=1.", 3, settings);
        EXPECT_FALSE(undefined.probability);
        EXPECT_TRUE(undefined.with_query && undefined.without_query) << engine;
        EXPECT_EQ(undefined.note, "P(O) = 0: every stable model that satisfies the observation has "
                                  "probability 0");
    }
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

// Whatever a limit leaves open: what is said to be covered at least is covered. a: 0.5 of 0.7, b: 0.4 of 0.7.
TEST(Explanation, SharesWithinLimitsAreLowerBounds) {
    Settings settings;
    settings.engine = "enumerate";
    for (std::uint64_t models = 1; models <= 6; ++models) {
        Limits limits;
        limits.models = models;
        const auto answer = explain(either, "q", "", 3, settings, {}, limits);
        for (const Reason &reason : answer.reasons) {
            double share = 1.0; // of both together, which a limit may leave as one reason
            if (atoms_of(reason) == std::vector<std::string>{"a"}) share = 0.5 / 0.7;
            if (atoms_of(reason) == std::vector<std::string>{"b"}) share = 0.4 / 0.7;
            EXPECT_LE(reason.share, share + 1e-12) << models;
            if (reason.exact) {
                EXPECT_NEAR(reason.share, share, 1e-12) << models;
            }
        }
        EXPECT_TRUE(answer.how.exact || !answer.reasons.empty() || !answer.note.empty()) << models;
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
        ASSERT_FALSE(answer.reasons.empty()) << engine;
        // Each reason makes it certain, so none is more probable than the query.
        for (const Reason &reason : answer.reasons) {
            EXPECT_NEAR(reason.certainty, 1.0, 1e-12) << engine;
            EXPECT_LE(reason.share, 1.0) << engine;
            EXPECT_GT(reason.share, 0.0) << engine;
        }
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
