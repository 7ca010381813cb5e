// Whether outcomes agree with a program, for many observations at once, compared with each observation on its own.
#include "neurasp/consistency.hpp"
#include "neurasp/reasoner.hpp"

#include <gtest/gtest.h>

#include <random>

namespace neurasp {
namespace {

// A path in a square of four nodes: edge E is taken or not, edges may be removed.
constexpr auto square = R"(nn(edge(4,g),[true,false]).
at(1;2) :- edge(0,g,true). at(2;3) :- edge(1,g,true). at(3;4) :- edge(2,g,true). at(4;1) :- edge(3,g,true).
:- edge(E,g,true), removed(E).
:- end(N), not at(N).
{swap(N)} :- end(N).
:- swap(N), not at(N).)";

NetworkOutputs random_outputs(std::mt19937_64 &random) {
    std::vector<double> row;
    for (int e = 0; e < 4; ++e) {
        const double p = 0.05 + 0.9 * static_cast<double>(random() % 100) / 100.0;
        row.push_back(p);
        row.push_back(1.0 - p);
    }
    NetworkOutputs outputs;
    outputs.set("edge", "g", std::move(row));
    return outputs;
}

Observation random_observation(std::mt19937_64 &random) {
    std::string text;
    for (int e = 0; e < 4; ++e) {
        if (random() % 4 == 0) text += "removed(" + std::to_string(e) + "). ";
    }
    text += "end(" + std::to_string(1 + random() % 4) + "). ";
    if (random() % 3 == 0) text += ":- edge(0,g,true). "; // does not count
    return {text, {}};
}

bool on_its_own(Reasoner &reasoner, const Observation &observation, const NetworkOutputs &outputs) {
    return reasoner.ask({observation})
        .without_constraints()
        .argmax_consistency(outputs)
        .satisfies_program;
}

TEST(ConsistencyCheck, AgreesWithEachObservationOnItsOwn) {
    std::mt19937_64 random(1);
    std::vector<Observation> observations;
    for (int i = 0; i < 60; ++i) observations.push_back(random_observation(random));
    const Program program = Program::from_text(square);
    ConsistencyCheck check(program, observations);
    Reasoner reasoner(program);
    int satisfied = 0;
    for (const Observation &observation : observations) {
        const NetworkOutputs outputs = random_outputs(random);
        const bool expected = on_its_own(reasoner, observation, outputs);
        satisfied += expected ? 1 : 0;
        EXPECT_EQ(check.satisfies(observation, outputs), expected) << observation.text;
    }
    EXPECT_GT(satisfied, 5);
    EXPECT_LT(satisfied, 55);
}

TEST(ConsistencyCheck, AnswersObservationsThatItDidNotKnow) {
    std::mt19937_64 random(2);
    const std::vector<Observation> known{{"end(1)."}, {"end(2)."}};
    const Program program = Program::from_text(square);
    ConsistencyCheck check(program, known);
    Reasoner reasoner(program);
    for (const char *text :
         {"end(3).", "removed(E) :- E = 0..1. end(1).", "", "end(2). % removed(1)."}) {
        const NetworkOutputs outputs = random_outputs(random);
        const Observation observation{text, {}};
        EXPECT_EQ(check.satisfies(observation, outputs), on_its_own(reasoner, observation, outputs))
            << text;
    }
}

TEST(ConsistencyCheck, AnswersFactsThatDecideWhatNetworksAreCalled) {
    const Program program = Program::from_text("nn(digit(1,X),[0,1]) :- img(X). :- digit(0,X,1).");
    const std::vector<Observation> observations{{"img(a)."}, {"img(b)."}};
    ConsistencyCheck check(program, observations);
    NetworkOutputs zero;
    zero.set("digit", "a", {0.9, 0.1});
    NetworkOutputs one;
    one.set("digit", "b", {0.1, 0.9});
    EXPECT_TRUE(check.satisfies(observations[0], zero));
    EXPECT_FALSE(check.satisfies(observations[1], one));
}

TEST(ConsistencyCheck, ReportsMistakesAtTheirObservation) {
    const std::vector<Observation> observations{{"end(1)."}, {"end(X).", {}, "the second"}};
    ConsistencyCheck check(Program::from_text(square), observations);
    std::mt19937_64 random(3);
    const NetworkOutputs outputs = random_outputs(random);
    EXPECT_NO_THROW(check.satisfies(observations[0], outputs));
    EXPECT_THROW(check.prepare(observations[1]), InputError);
    try {
        check.satisfies(observations[1], outputs);
        FAIL() << "the variable is unsafe";
    } catch (const InputError &error) {
        EXPECT_EQ(error.diagnostics().front().location.file, "the second");
    }
}

} // namespace
} // namespace neurasp
