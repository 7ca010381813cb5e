// Circuits from lists of models.
#include "inference/few_models.hpp"
#include "inference_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::inference::test {
namespace {

// A Latin square of size 7 of network outcomes: it has enough ground rules to be worth a list.
constexpr auto latin = R"(#const n = 7.
nn(cell(1,X,Y),[1,2,3,4,5,6,7]) :- X = 1..n, Y = 1..n.
a(X,Y,V) :- cell(0,X,Y,V).
:- a(X,Y,V), a(X,Z,V), Y < Z.
:- a(X,Y,V), a(Z,Y,V), X < Z.
first :- a(1,1,1).)";

// All rows but the last two are given, each shifted by one. Each column of the last two rows has two values
// left, and these form a cycle.
std::string shifted_rows(int rows) {
    std::string text;
    for (int x = 1; x <= rows; ++x) {
        for (int y = 1; y <= 7; ++y) {
            text += ":- not a(" + std::to_string(x) + "," + std::to_string(y) + "," +
                    std::to_string((x + y - 2) % 7 + 1) + ").\n";
        }
    }
    return text;
}

NetworkOutputs uniform() {
    NetworkOutputs outputs;
    for (int x = 1; x <= 7; ++x) {
        for (int y = 1; y <= 7; ++y) {
            outputs.set("cell", std::to_string(x) + "," + std::to_string(y),
                        {0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.1});
        }
    }
    return outputs;
}

TEST(FewModels, GiveACircuitThatIsRightAndSound) {
    for (const int rows : {5, 6}) {
        Reasoner reasoner(Program::from_text(latin));
        const Question question = reasoner.ask(shifted_rows(rows));
        Settings settings;
        settings.engine = "enumerate";
        // (`probability` would also need the mass of all Latin squares.)
        const auto listed = question.gradient(uniform(), GradientConvention::plain, settings);
        settings.engine = "circuit";
        const auto answer = question.gradient(uniform(), GradientConvention::plain, settings);
        EXPECT_EQ(answer.how.engine, "circuit");
        EXPECT_NEAR(answer.probability.log, listed.probability.log, 1e-12);
        const Compilation compiled = question.compile();
        ASSERT_TRUE(compiled.circuit);
        compiled.circuit->verify();
        EXPECT_EQ(compiled.circuit->statistics().clauses, 0U) << "it was compiled, not listed";
        // two rows left: each column has two values, and they form one cycle of length 7
        EXPECT_EQ(compiled.circuit->choice_count(), rows == 5 ? "2" : "1");
    }
}

TEST(FewModels, GiveTheMarginalsOfAtoms) {
    Reasoner reasoner(Program::from_text(latin));
    const Question question = reasoner.ask(shifted_rows(5));
    Settings settings;
    settings.engine = "enumerate";
    const auto listed = question.marginals(uniform(), settings);
    settings.engine = "circuit";
    const auto answer = question.marginals(uniform(), settings);
    EXPECT_EQ(answer.how.engine, "circuit");
    ASSERT_EQ(answer.atoms.size(), listed.atoms.size());
    for (std::size_t i = 0; i < listed.atoms.size(); ++i) {
        EXPECT_EQ(answer.atoms[i].first, listed.atoms[i].first);
        EXPECT_NEAR(answer.atoms[i].second, listed.atoms[i].second, 1e-12);
    }
}

TEST(FewModels, GiveTheEmptyCircuitIfThereIsNone) {
    Reasoner reasoner(Program::from_text(latin));
    const Question question = reasoner.ask(shifted_rows(6) + ":- a(7,1,7).");
    const Compilation compiled = question.compile();
    ASSERT_TRUE(compiled.circuit);
    EXPECT_EQ(compiled.circuit->choice_count(), "0");
}

TEST(FewModels, OfLeastCostAreListedHoweverSmallTheProgram) {
    Reasoner reasoner(Program::from_text(R"(0.5 : a(X) :- X=1..20.
:~ a(X). [1,X])"));
    CompileSettings settings;
    settings.optimal = true;
    // at least two of twenty: 190 cheapest models are too many for a list; at least one: 20 are not
    const auto many = reasoner.ask(":- #count{X : a(X)} < 2.").compile(settings);
    const auto few = reasoner.ask(":- #count{X : a(X)} < 1.").compile(settings);
    ASSERT_TRUE(many.circuit && few.circuit);
    EXPECT_EQ(many.circuit->choice_count(), "190");
    EXPECT_EQ(few.circuit->choice_count(), "20");
    EXPECT_GT(many.circuit->statistics().clauses, 0U);
    EXPECT_EQ(few.circuit->statistics().clauses, 0U);
    few.circuit->verify();
}

TEST(FewModels, AreNotListedWhereTheObservationDependsOnFewRules) {
    // 10,000 rules for all sums, of which few give one of these sums
    Reasoner reasoner(Program::from_text(R"(nn(digit(1,X),[0,1,2,3,4,5,6,7,8,9]) :- X = 1..4.
sum(10*(A+B)+C+D) :- digit(0,1,A), digit(0,2,B), digit(0,3,C), digit(0,4,D).)"));
    const auto zero = reasoner.ask(":- not sum(0).").compile();
    const auto three = reasoner.ask(":- not sum(3).").compile();
    ASSERT_TRUE(zero.circuit && three.circuit);
    EXPECT_GT(zero.circuit->statistics().clauses, 0U) << "it was listed, not compiled";
    EXPECT_EQ(zero.circuit->choice_count(), "1");
    EXPECT_GT(three.circuit->statistics().clauses, 0U) << "it was listed, not compiled";
    EXPECT_EQ(three.circuit->choice_count(), "4"); // 0 tens and 0+3, 1+2, 2+1, 3+0
    zero.circuit->verify();
}

TEST(FewModels, AreNotListedWhereThereAreMany) {
    const Grounding grounding = grounding_of(latin);
    base::Budget budget;
    EXPECT_FALSE(circuit_of_few_models(grounding, {}, budget).has_value());
}

} // namespace
} // namespace neurasp::inference::test
