// Circuit or enumeration: which gets a turn, and how the answer reports it.
#include "inference/policy.hpp"

#include "inference/call.hpp"
#include "inference_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::inference::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

// Forty coins, heads with probability 0.1; the observation is an even number of heads: 2^40 models, and a
// circuit of a few hundred nodes.
constexpr auto forty_coins = "0.1 : h(N) :- N = 0..39. even(0). even(N+1) :- even(N), -h(N). "
                             "odd(N+1) :- even(N), h(N). odd(N+1) :- odd(N), -h(N). "
                             "even(N+1) :- odd(N), h(N).";
constexpr auto is_even = ":- not even(40).";
const double even_probability = (1.0 + std::pow(0.8, 40)) / 2;
// A disjunction that no translation can shift: a and b support each other.
constexpr auto no_circuit = "0.6 : c. a | b :- c. a :- b. b :- a.";

// Allows circuits one node in the first turn.
Policy tiny_first_turn() {
    Policy policy = auto_policy;
    policy.first_limits.nodes = 1;
    return policy;
}

TEST(Policy, ComesBackToTheCircuitWhenEnumerationDoesNotEnd) {
    Reasoner reasoner(Program::from_text(forty_coins));
    const Question question = reasoner.ask(is_even);
    const Settings settings;
    StopSource stop; // without it, the test would never end if enumeration kept its turn
    Limits limits;
    limits.stop = stop.token();
    limits.on_progress = [&](const Progress &progress) {
        if (progress.seconds > 60.0) stop.raise();
    };
    Call call(internal::Access::state(question), {}, settings, limits);
    const PolicyEngine engine(tiny_first_turn());
    const auto answer = engine.probability(*call.task());
    EXPECT_TRUE(answer.how.exact);
    EXPECT_NEAR(answer.probability, even_probability, probability_tolerance);
    EXPECT_EQ(answer.how.engine, "circuit");
    EXPECT_THAT(answer.how.why,
                AllOf(StartsWith("no circuit ("), HasSubstr("; enumeration did not end within"),
                      HasSubstr("; a circuit of ")));
}

// `is_even` with fewer coins: enumeration ends, so the circuit needs no second turn.
TEST(Policy, KeepsToEnumerationWhereThatEnds) {
    Reasoner reasoner(Program::from_text(forty_coins));
    const Question question = reasoner.ask(":- not even(3).");
    const Settings settings;
    Call call(internal::Access::state(question), {}, settings, {});
    const auto answer = PolicyEngine(tiny_first_turn()).probability(*call.task());
    EXPECT_TRUE(answer.how.exact);
    EXPECT_NEAR(answer.probability, (1.0 + std::pow(0.8, 3)) / 2, probability_tolerance);
    EXPECT_EQ(answer.how.engine, "enumerate");
    EXPECT_THAT(answer.how.why, StartsWith("no circuit ("));
    EXPECT_THAT(answer.how.why, testing::Not(HasSubstr("did not end")));
}

// No turn uses more nodes than the caller grants.
TEST(Policy, AnswersWithWhatEnumerationFoundWhereNoCircuitIsAllowed) {
    Reasoner reasoner(Program::from_text(forty_coins));
    Limits limits;
    limits.nodes = 1;
    limits.models = 100;
    const auto answer = reasoner.ask(is_even).probability({}, {}, limits);
    EXPECT_FALSE(answer.how.exact);
    EXPECT_EQ(answer.how.engine, "enumerate");
    EXPECT_LE(answer.probability.lower, even_probability);
    EXPECT_GE(answer.probability.upper, even_probability);
    EXPECT_EQ(answer.how.limit, "model limit reached");
    EXPECT_EQ(answer.how.why, "no circuit (node limit)"); // and enumeration ended at once
}

TEST(Policy, SaysHowLargeItsCircuitWas) {
    Reasoner reasoner(Program::from_text(forty_coins));
    const Question question = reasoner.ask(is_even);
    const auto compiled = question.compile();
    ASSERT_TRUE(compiled.circuit.has_value());
    const CircuitView view = compiled.circuit->view();
    const std::string expected = "a circuit of " + std::to_string(view.node_count()) +
                                 " nodes and " + std::to_string(view.edge_count()) + " edges";
    for (const HowAnswered &how :
         {question.probability({}).how, question.marginals({}).how, question.gradient({}).how}) {
        EXPECT_EQ(how.why, expected);
        EXPECT_EQ(how.engine, "circuit");
        EXPECT_TRUE(how.exact);
    }
}

TEST(Policy, SaysWhyThereWasNoCircuit) {
    Reasoner reasoner(Program::from_text(no_circuit));
    const Question question = reasoner.ask(":- not a.");
    const Compilation compiled = question.compile();
    ASSERT_FALSE(compiled.circuit.has_value());
    EXPECT_FALSE(compiled.is_limit);
    for (const HowAnswered &how : {question.probability({}).how, question.marginals({}).how,
                                   question.gradient({}).how, question.sample({}, 3).how}) {
        EXPECT_EQ(how.why, "no circuit (" + compiled.note + ")");
        EXPECT_EQ(how.engine, "enumerate");
        EXPECT_TRUE(how.exact);
    }
}

// An interrupted compilation does not show that it is too hard.
TEST(Policy, TriesAgainWhatTheCallerInterrupted) {
    Reasoner reasoner(Program::from_text(forty_coins));
    const Question question = reasoner.ask(is_even);
    StopSource stop;
    stop.raise();
    Limits limits;
    limits.stop = stop.token();
    EXPECT_FALSE(question.compile({}, limits).circuit.has_value());
    EXPECT_TRUE(question.compile().circuit.has_value());
}

} // namespace
} // namespace neurasp::inference::test
