// Marginals from circuits: many atoms together, and apart where that is too much.
#include "inference_support.hpp"

#include <gtest/gtest.h>

#include <map>

namespace neurasp::inference::test {
namespace {

constexpr double rounding = 1e-12;

std::map<std::string, double> marginals_of(const Question &question, const Settings &settings) {
    const MarginalsAnswer answer = question.marginals({}, settings);
    EXPECT_TRUE(answer.how.exact);
    return {answer.atoms.begin(), answer.atoms.end()};
}

std::map<std::string, double> marginals_of(const std::string &program,
                                           const std::string &observation) {
    Reasoner reasoner(Program::from_text(program));
    Settings settings;
    settings.engine = "circuit";
    return marginals_of(reasoner.ask(observation), settings);
}

// Each pair is easy, all pairs together are not: a circuit that mentions all of them tells apart all values of all coins.
TEST(Marginals, of_pairs_of_independent_variables_are_right) {
    std::string program;
    constexpr int coins = 18;
    for (int c = 0; c < coins; ++c) {
        const double heads = 0.1 + 0.04 * c;
        program += std::to_string(heads) + " : heads(" + std::to_string(c) + ").\n";
    }
    program += "both(A,B) :- heads(A), heads(B), A < B.\n";
    const auto found = marginals_of(program, "");
    for (int a = 0; a < coins; ++a) {
        for (int b = a + 1; b < coins; ++b) {
            const auto name = "both(" + std::to_string(a) + "," + std::to_string(b) + ")";
            EXPECT_NEAR(found.at(name), (0.1 + 0.04 * a) * (0.1 + 0.04 * b), rounding) << name;
        }
    }
}

// One of a, b and c holds, the same with every outcome; d excludes a. P(d) = 0.5.
TEST(Marginals, of_free_choices_share_the_models) {
    const auto found =
        marginals_of("0.5 : d. 1 {a; b; c} 1. :- a, d. e :- not a. f :- b. f :- d.", "");
    // without d: 1/3 each; with d: 1/2 for b and c
    EXPECT_NEAR(found.at("a"), 1.0 / 6, rounding);
    EXPECT_NEAR(found.at("b"), 1.0 / 6 + 1.0 / 4, rounding);
    EXPECT_NEAR(found.at("e"), 5.0 / 6, rounding);
    EXPECT_NEAR(found.at("f"), 1.0 / 6 + 1.0 / 2, rounding);
}

// The observation does not depend on the free choice, only the atoms do.
TEST(Marginals, of_free_choices_beside_the_observation_are_right) {
    const auto found = marginals_of("0.25 : c. {x}. y :- c, x. z :- not c. z :- x.", ":- not c.");
    EXPECT_NEAR(found.at("x"), 0.5, rounding);
    EXPECT_NEAR(found.at("y"), 0.5, rounding);
    EXPECT_NEAR(found.at("z"), 0.5, rounding);
}

// s - a - t and s - t, each edge with probability 0.5; the cycle a <-> t is positive.
TEST(Marginals, of_atoms_on_positive_cycles_are_right) {
    const std::string program = R"(0.5 : e(s,a). 0.5 : e(a,t). 0.5 : e(s,t).
reach(s). reach(Y) :- reach(X), e(X,Y). reach(Y) :- reach(X), e(Y,X), Y != s.)";
    const auto found = marginals_of(program, ":- not e(s,t).");
    EXPECT_NEAR(found.at("reach(s)"), 1.0, rounding);
    EXPECT_NEAR(found.at("reach(t)"), 1.0, rounding);
    EXPECT_NEAR(found.at("reach(a)"), 0.75, rounding);
}

TEST(Marginals, of_conditions_that_are_shown_are_right) {
    const auto found = marginals_of(R"(0.25 : p. 0.5 : q. r :- p. r :- q.
#show. #show any : r. #show any : p. #show both : p, q. #show same : q. #show always : not p. #show always : p.)",
                                    ":- not r.");
    EXPECT_NEAR(found.at("any"), 1.0, rounding);
    EXPECT_NEAR(found.at("both"), 0.125 / 0.625, rounding);
    EXPECT_NEAR(found.at("same"), 0.5 / 0.625, rounding);
    EXPECT_NEAR(found.at("always"), 1.0, rounding);
}

} // namespace
} // namespace neurasp::inference::test
