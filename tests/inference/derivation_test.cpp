// Derivations in small programs; what must come out follows from the rules by hand. Random programs are in
// tests/property.
#include "inference_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::inference::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

ExplanationAnswer explained(const std::string &program, const std::string &query,
                            const std::string &observation = "", std::uint64_t steps = 40) {
    Reasoner reasoner(Program::from_text(program));
    Settings settings;
    settings.derivation_steps = steps;
    return reasoner.ask(observation, {query}).explain({}, 3, settings);
}

const DerivationStep *find(const Derivation &derivation, const std::string &literal) {
    for (const DerivationStep &step : derivation.steps) {
        if (step.literal == literal) return &step;
    }
    return nullptr;
}

DerivationStep step_of(const std::optional<Derivation> &derivation, const std::string &literal) {
    const DerivationStep *step = derivation ? find(*derivation, literal) : nullptr;
    EXPECT_NE(step, nullptr) << "no step for " << literal;
    return step == nullptr ? DerivationStep{} : *step;
}

std::vector<std::string> texts(const std::vector<DerivationLink> &links) {
    std::vector<std::string> result;
    for (const DerivationLink &link : links) result.push_back(link.literal);
    return result;
}

TEST(Derivation, GoesFromTheQueryDownToTheOutcomes) {
    const auto answer = explained("0.6 : a. 0.7 : b. c :- a. q :- c, b.", "q");
    ASSERT_TRUE(answer.why);
    EXPECT_THAT(texts(answer.why->query), ElementsAre("q"));
    const DerivationStep top = step_of(answer.why, "q");
    EXPECT_EQ(top.kind, StepKind::rule);
    EXPECT_EQ(top.rule, "q :- b, c.");
    EXPECT_THAT(texts(top.body), ElementsAre("b", "c"));
    EXPECT_EQ(answer.why->steps.at(*top.body[1].step).rule, "c :- a.");
    const DerivationStep leaf = step_of(answer.why, "a");
    EXPECT_EQ(leaf.kind, StepKind::outcome);
    EXPECT_EQ(leaf.probability, 0.6);
    EXPECT_EQ(leaf.outcome, "a");
    EXPECT_EQ(answer.why->left_out, 0u);
}

TEST(Derivation, SaysWhatStopsEachRule) {
    const auto answer = explained("0.9 : a. 0.1 : b. 0.1 : c. q :- b. q :- a, c.", "q");
    const DerivationStep top = step_of(answer.why_not, "not q");
    EXPECT_EQ(top.kind, StepKind::blocked);
    ASSERT_EQ(top.blocked.size(), 2u);
    std::vector<std::string> rules{top.blocked[0].rule, top.blocked[1].rule};
    EXPECT_THAT(rules, UnorderedElementsAre("q :- b.", "q :- a, c."));
    EXPECT_THAT(texts(top.blocked[rules[0] == "q :- b." ? 0 : 1].because), ElementsAre("not b"));
    const DerivationStep other = step_of(answer.why_not, "not c");
    EXPECT_EQ(other.kind, StepKind::other);
    EXPECT_EQ(other.outcome, "-c");
    EXPECT_EQ(other.probability, 0.9);
}

// x and y support each other; only a founds them.
TEST(Derivation, PositiveLoopsDoNotFoundThemselves) {
    const auto answer = explained("0.6 : a. x :- y. y :- x. y :- a. q :- x.", "q");
    EXPECT_EQ(step_of(answer.why, "x").rule, "x :- y.");
    EXPECT_EQ(step_of(answer.why, "y").rule, "y :- a.");
    EXPECT_EQ(step_of(answer.why_not, "not x").kind, StepKind::circular);
}

TEST(Derivation, ShowsAggregatesAndTheElementsThatCount) {
    const auto answer =
        explained("0.9 : d(X) :- X = 1..3. q :- #sum{X : d(X)} >= 4, #count{X : d(X)} <= 2.", "q");
    const DerivationStep top = step_of(answer.why, "q");
    EXPECT_THAT(top.rule, AllOf(HasSubstr("#sum { 1 : d(1); 2 : d(2); 3 : d(3) } >= 4"),
                                HasSubstr("not #count { d(1); d(2); d(3) } >= 3")));
    // 1 + 3 or 2 + 3 reach 4, and the third does not hold
    EXPECT_THAT(texts(top.body), Contains("d(3)"));
    EXPECT_THAT(texts(top.body), testing::AnyOf(Contains("not d(1)"), Contains("not d(2)")));
    EXPECT_EQ(top.body.size(), 3u);
}

TEST(Derivation, TellsChoicesDisjunctionsAndExternalsApart) {
    const auto chosen = explained("0.9 : a. {c} :- a. q :- c.", "q");
    EXPECT_EQ(step_of(chosen.why, "c").kind, StepKind::choice);
    EXPECT_EQ(step_of(chosen.why, "c").rule, "{ c } :- a.");
    const DerivationStep not_chosen = step_of(chosen.why_not, "not c");
    ASSERT_EQ(not_chosen.blocked.size(), 1u);
    EXPECT_THAT(not_chosen.blocked[0].because, IsEmpty());
    const auto either = explained("0.9 : a. b | c :- a.", "b");
    EXPECT_EQ(step_of(either.why, "b").kind, StepKind::disjunction);
    EXPECT_EQ(step_of(either.why, "b").rule, "b | c :- a.");
    const auto outside = explained("#external e. 0.9 : a. q :- a, not e.", "q");
    EXPECT_EQ(step_of(outside.why, "not e").kind, StepKind::external);
}

// g is not chosen, but that alone does not settle it: h could derive it, and h only from g.
TEST(Derivation, AChoiceThatWasNotMadeIsNotTheWholeStory) {
    const auto answer = explained("0.9 : a. {g} :- a. g :- h. h :- g, a. q :- a, not g.", "q");
    const DerivationStep g = step_of(answer.why, "not g");
    EXPECT_EQ(g.kind, StepKind::circular);
    EXPECT_EQ(g.blocked.size(), 2u);
}

// Only that the model is minimal makes both true: one is the case at hand, the other follows from it.
TEST(Derivation, TakesACaseWhereADisjunctionHasACycle) {
    const auto answer = explained("0.6 : c. a | b :- c. a :- b. b :- a.", "a, b");
    ASSERT_TRUE(answer.why);
    const DerivationStep a = step_of(answer.why, "a");
    const DerivationStep b = step_of(answer.why, "b");
    EXPECT_TRUE((a.kind == StepKind::disjunction && b.rule == "b :- a.") ||
                (b.kind == StepKind::disjunction && a.rule == "a :- b."));
}

TEST(Derivation, NeverShowsHelperAtoms) {
    const auto answer =
        explained("0.9 : e(X,3) :- X = 1..2. 0.2 : f. p :- not e(_,3). r :- f : e(X,3). "
                  "1 {s(1..2)} 1. q :- p. q :- r, s(1).",
                  "q", ":- f, p.");
    for (const auto &derivation : {answer.why, answer.why_not}) {
        ASSERT_TRUE(derivation);
        for (const DerivationStep &step : derivation->steps) {
            std::string all = step.literal + step.rule;
            for (const BlockedRule &rule : step.blocked) all += rule.rule;
            EXPECT_THAT(all, AllOf(Not(HasSubstr("__neurasp")), Not(HasSubstr("#p_"))));
        }
    }
}

TEST(Derivation, ExplainsTheObservationAsWell) {
    const auto answer = explained("0.6 : a. 0.5 : b. s :- a, b.", "a", ":- not s. :- b, not a.");
    EXPECT_THAT(texts(answer.why->observation), Contains("s"));
    EXPECT_EQ(step_of(answer.why, "s").rule, "s :- a, b.");
}

TEST(Derivation, SaysWhereThereIsNothingToDerive) {
    const auto certain = explained("0.6 : a. f. q :- f.", "q");
    EXPECT_EQ(certain.why->note, "the query follows from facts alone");
    const auto never = explained("0.6 : a=1 | 0.4 : a=2.", "a=1, a=2");
    EXPECT_EQ(never.why_not->note, "nothing in the ground program can make the query true");
}

// r(1) .. r(50), a chain of 50 rules on top of a.
TEST(Derivation, IsCutWithACount) {
    constexpr auto chain = "0.5 : a. r(1) :- a. r(X+1) :- r(X), X < 50.";
    const auto cut = explained(chain, "r(50)", "", 10);
    EXPECT_EQ(cut.why->steps.size(), 10u);
    EXPECT_EQ(cut.why->left_out, 41u); // 50 rules and the outcome, without the 10
    EXPECT_FALSE(cut.why->steps.back().body.at(0).step);
    const auto whole = explained(chain, "r(50)", "", 100);
    EXPECT_EQ(whole.why->steps.size(), 51u);
    EXPECT_EQ(whole.why->left_out, 0u);
    EXPECT_FALSE(explained(chain, "r(50)", "", 0).why);
}

TEST(Derivation, OfAReasonKeepsToItsOutcomes) {
    const auto answer = explained("0.5 : a. 0.4 : b. q :- a. q :- b.", "q");
    ASSERT_EQ(answer.reasons.size(), 2u);
    EXPECT_EQ(step_of(answer.reasons[0].derivation, "q").rule, "q :- a.");
    EXPECT_EQ(step_of(answer.reasons[1].derivation, "q").rule, "q :- b.");
}

// Both coins most probably show heads, and the program forbids it.
TEST(Derivation, ShowsWhatTheMostProbableOutcomesViolate) {
    const auto answer = explained("0.9 : a. 0.8 : b. c :- a. :- c, b.", "a");
    ASSERT_TRUE(answer.conflict);
    EXPECT_NEAR(answer.conflict->probability.value, 0.72, probability_tolerance);
    ASSERT_EQ(answer.conflict->outcomes.size(), 1u);
    EXPECT_EQ(answer.conflict->outcomes[0].atom, "b"); // a, -b: 0.18 is the best that is allowed
    EXPECT_THAT(texts(answer.conflict->derivation.query), ElementsAre(":- b, c."));
    EXPECT_EQ(step_of(answer.conflict->derivation, "c").rule, "c :- a.");
    const auto observed = explained("0.9 : a. 0.8 : b. c :- a.", "a", ":- c, b.");
    ASSERT_TRUE(observed.conflict);
    EXPECT_THAT(texts(observed.conflict->derivation.query), ElementsAre(":- b, c."));
    EXPECT_FALSE(explained("0.9 : a. 0.8 : b. c :- a. :- c, not b, not a.", "a").conflict);
    // two instances that say the same are shown once
    const auto twice = explained("0.9 : p(X) :- X = 1..2. :- p(X), p(Y), X != Y.", "p(1)");
    ASSERT_TRUE(twice.conflict);
    EXPECT_THAT(texts(twice.conflict->derivation.query), ElementsAre(":- p(1), p(2)."));
}

TEST(Derivation, DrawingEscapesTexts) {
    const auto answer = explained("0.5 : a(\"x\\\"y\"). q :- a(X).", "q");
    const std::string dot = to_dot(answer);
    EXPECT_THAT(dot, HasSubstr(R"(label="a(\"x\\\"y\")\n0.5")"));
    EXPECT_THAT(dot, testing::StartsWith("digraph explanation {"));
}

} // namespace
} // namespace neurasp::inference::test
