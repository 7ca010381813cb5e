// Whether every total choice, or the most probable one, has a stable model.
#include "inference_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::inference::test {
namespace {

CoherenceAnswer coherence(const std::string &program, const Limits &limits = {}) {
    Reasoner reasoner(Program::from_text(program));
    return reasoner.ask().coherence(limits);
}

using Witness = std::vector<std::string>;

TEST(Coherence, IsKnownWithoutSearchIfNothingForbidsModels) {
    const auto answer = coherence("nn(d(30,x),[a,b]). p :- d(0,x,a), not q. {q}.");
    EXPECT_EQ(answer.coherence, Coherence::coherent);
    EXPECT_EQ(answer.how.solver_calls, 0U);
    EXPECT_TRUE(answer.witness.empty());
}

TEST(Coherence, FindsTheChoiceThatAConstraintForbids) {
    const auto answer = coherence("nn(d(2,x),[a,b,c]). p :- d(0,x,b), d(1,x,c). :- p.");
    EXPECT_EQ(answer.coherence, Coherence::incoherent);
    EXPECT_EQ(answer.witness, (Witness{"d(0,x,b)", "d(1,x,c)"}));
}

TEST(Coherence, SeesThatAConstraintForbidsNothing) {
    EXPECT_EQ(coherence("nn(d(1,x),[a,b,c]). :- d(0,x,a), d(0,x,b).").coherence,
              Coherence::coherent);
    EXPECT_EQ(
        coherence("nn(d(1,x),[a,b,c]). :- not d(0,x,a), not d(0,x,b), not d(0,x,c).").coherence,
        Coherence::coherent);
}

TEST(Coherence, IsNotConfusedByVariablesThatDoNotMatter) {
    const std::string other = " nn(e(1,y),[p,q]).";
    EXPECT_EQ(coherence("nn(d(1,x),[a,b,c]). :- d(0,x,a), d(0,x,b)." + other).coherence,
              Coherence::coherent);
    const auto answer = coherence("nn(d(1,x),[a,b,c]). :- d(0,x,a)." + other);
    EXPECT_EQ(answer.coherence, Coherence::incoherent);
    ASSERT_EQ(answer.witness.size(), 2U); // a total choice names every variable
    EXPECT_EQ(answer.witness[0], "d(0,x,a)");
}

TEST(Coherence, FindsAWitnessAmongAMillionMillionChoices) {
    const auto answer = coherence("nn(d(40,x),[0,1]). :- d(I,x,1) : I=0..39.");
    EXPECT_EQ(answer.coherence, Coherence::incoherent);
    ASSERT_EQ(answer.witness.size(), 40U);
    EXPECT_EQ(answer.witness[17], "d(17,x,1)");
}

TEST(Coherence, GoesThroughAllChoicesIfModelsMayBranch) {
    // with a and b, p must be both true and false
    const std::string program = "nn(d(1,x),[a,b,c]). {p}. :- p, d(0,x,b). :- not p, d(0,x,a).";
    EXPECT_EQ(coherence(program).coherence, Coherence::coherent);
    const auto answer = coherence(program + " :- not p, d(0,x,b).");
    EXPECT_EQ(answer.coherence, Coherence::incoherent);
    EXPECT_EQ(answer.witness, Witness{"d(0,x,b)"});
}

TEST(Coherence, SeesOddLoopsAndEdges) {
    EXPECT_EQ(coherence("nn(d(1,x),[a,b]). p :- d(0,x,b), not p.").witness, Witness{"d(0,x,b)"});
    EXPECT_EQ(coherence("nn(d(1,x),[a,b]). #edge(1,2) : d(0,x,b). #edge(2,1).").witness,
              Witness{"d(0,x,b)"});
    EXPECT_EQ(coherence("nn(d(1,x),[a,b]). p :- d(0,x,b), not q. q :- d(0,x,b), not p.").coherence,
              Coherence::coherent);
}

TEST(Coherence, TakesTheAggregatesOfConstraints) {
    const auto answer =
        coherence("nn(d(3,x),[0,1]). nn(e(1,y),[p,q]). :- #sum{1,I : d(I,x,1)} >= 3.");
    EXPECT_EQ(answer.coherence, Coherence::incoherent);
    EXPECT_EQ((Witness{answer.witness.begin(), answer.witness.begin() + 3}),
              (Witness{"d(0,x,1)", "d(1,x,1)", "d(2,x,1)"}));
    EXPECT_EQ(coherence("nn(d(3,x),[0,1]). :- #sum{1,I : d(I,x,1)} >= 4.").coherence,
              Coherence::coherent);
}

TEST(Coherence, SaysWhenItDoesNotKnow) {
    Limits limits;
    limits.models = 10;
    const auto answer =
        coherence("nn(d(20,x),[0,1]). {p}. :- p, d(0,x,1). :- p, not d(0,x,1).", limits);
    EXPECT_EQ(answer.coherence, Coherence::unknown);
    EXPECT_FALSE(answer.how.exact);
    EXPECT_EQ(answer.how.limit, "model limit reached");
}

ConsistencyAnswer argmax(const std::string &program, const std::string &observation,
                         const NetworkOutputs &outputs) {
    Reasoner reasoner(Program::from_text(program));
    return reasoner.ask(observation).argmax_consistency(outputs);
}

TEST(Argmax, TriesTheMostProbableOutcomeOfEachVariable) {
    const auto outputs = output("d", "x", {0.2, 0.5, 0.3, 0.1, 0.1, 0.8});
    const std::string program = "nn(d(2,x),[a,b,c]). p :- d(0,x,b).";
    const auto answer = argmax(program, ":- not p.", outputs);
    EXPECT_EQ(answer.choice, (Witness{"d(0,x,b)", "d(1,x,c)"}));
    EXPECT_TRUE(answer.satisfies_program);
    EXPECT_TRUE(answer.satisfies_observation);
    EXPECT_FALSE(argmax(program, ":- p.", outputs).satisfies_observation);
    EXPECT_TRUE(argmax(program, ":- p.", outputs).satisfies_program);
}

TEST(Argmax, IsInconsistentIfTheProgramForbidsIt) {
    const auto answer = argmax("nn(d(1,x),[a,b]). :- d(0,x,b).", "", output("d", "x", {0.2, 0.8}));
    EXPECT_FALSE(answer.satisfies_program);
    EXPECT_FALSE(answer.satisfies_observation);
}

TEST(Argmax, NeedsOneModelThatSatisfiesTheObservation) {
    const std::string program = "nn(d(1,x),[a,b]). {f} :- d(0,x,b). #show f/0.";
    EXPECT_TRUE(argmax(program, ":- not f.", output("d", "x", {0.2, 0.8})).satisfies_observation);
    EXPECT_FALSE(argmax(program, ":- not f.", output("d", "x", {0.8, 0.2})).satisfies_observation);
}

TEST(Argmax, TakesTheFirstOfEquallyProbableOutcomes) {
    EXPECT_EQ(argmax("nn(d(1,x),[b,a]).", "", output("d", "x", {0.5, 0.5})).choice,
              Witness{"d(0,x,b)"});
}

} // namespace
} // namespace neurasp::inference::test
