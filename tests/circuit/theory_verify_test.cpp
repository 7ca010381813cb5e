// Theory::verify finds every broken invariant.
#include "circuit/theory.hpp"

#include "circuit/theory_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace neurasp::circuit {

// Breaks invariants that the interface of a theory protects.
struct TheoryAccess {
    static std::vector<Lit> &literals(Theory &theory) { return theory.literals_; }
    static std::vector<std::uint32_t> &choice_of(Theory &theory) { return theory.choice_of_; }
};

namespace test {
namespace {

using ::testing::HasSubstr;

// Choices of one, two and three outcomes, a gate, two atoms that support each other, and open atoms.
class TheoryVerify : public testing::Test {
  protected:
    TheoryVerify() {
        theory.add_choice({{true_lit}, 0});
        coin = Lit(theory.add_variable(VarKind::outcome));
        theory.add_choice({{coin, ~coin}, 1});
        for (Lit &lit : die) lit = Lit(theory.add_variable(VarKind::outcome));
        theory.add_choice({{die[0], die[1], die[2]}, 2});
        gate = Lit(theory.add_variable(VarKind::defined));
        add_clause(theory, {coin, gate, die[1]}, gate.var());
        a = theory.add_variable(VarKind::defined);
        b = theory.add_variable(VarKind::open);
        theory.recursive = {{a, 0, {{Lit(b), {b}, {}, false}, {gate, {}, {gate}, false}}},
                            {b, 0, {{Lit(a), {a}, {}, true}}}};
        theory.recursive_components = 1;
        theory.open_atoms = {{b, asp::AtomId(7U)}};
        theory.determined = false;
        theory.evidence = {Lit(a)};
    }

    std::string complaint() const {
        try {
            theory.verify();
        } catch (const std::logic_error &error) {
            return error.what();
        }
        return {};
    }
    Var unknown() const { return theory.variable_limit(); }

    Theory theory;
    Lit coin, gate;
    Lit die[3];
    Var a = 0, b = 0;
};

TEST_F(TheoryVerify, AcceptsAValidTheory) {
    EXPECT_EQ(complaint(), "");
    theory = Theory();
    EXPECT_EQ(complaint(), "");
}

TEST_F(TheoryVerify, CatchesAClauseOverAnUnknownVariable) {
    add_clause(theory, {coin, Lit(unknown())});
    EXPECT_THAT(complaint(), HasSubstr("clause 1: a constant or an unknown variable"));
}

TEST_F(TheoryVerify, CatchesAClauseWithAConstant) {
    TheoryAccess::literals(theory)[0] = true_lit;
    EXPECT_THAT(complaint(), HasSubstr("clause 0: a constant or an unknown variable"));
}

TEST_F(TheoryVerify, CatchesAClauseOutOfOrder) {
    std::swap(TheoryAccess::literals(theory)[0], TheoryAccess::literals(theory)[1]);
    EXPECT_THAT(complaint(), HasSubstr("clause 0: its variables do not ascend"));
}

TEST_F(TheoryVerify, CatchesALiteralBesideItsNegation) {
    TheoryAccess::literals(theory)[1] = ~TheoryAccess::literals(theory)[0];
    EXPECT_THAT(complaint(), HasSubstr("clause 0: its variables do not ascend"));
}

TEST_F(TheoryVerify, CatchesAnOwnerThatIsAnOutcomeOrUnknown) {
    Theory other = theory;
    add_clause(theory, {coin, gate}, coin.var());
    EXPECT_THAT(complaint(), HasSubstr("clause 1: its owner is an outcome or unknown"));
    theory = std::move(other);
    add_clause(theory, {coin, gate}, unknown());
    EXPECT_THAT(complaint(), HasSubstr("clause 1: its owner is an outcome or unknown"));
}

TEST_F(TheoryVerify, CatchesAnOwnerThatItsClauseDoesNotMention) {
    add_clause(theory, {coin, die[0]}, gate.var());
    EXPECT_THAT(complaint(), HasSubstr("clause 1: it does not mention its owner"));
}

TEST_F(TheoryVerify, CatchesAnEmptyClauseThatWasNotNoted) {
    add_clause(theory, {});
    EXPECT_EQ(complaint(), "");
    theory.contradictory = false;
    EXPECT_THAT(complaint(), HasSubstr("contradictory"));
}

TEST_F(TheoryVerify, CatchesAContradictionWithoutAnEmptyClause) {
    theory.contradictory = true;
    EXPECT_THAT(complaint(), HasSubstr("contradictory"));
}

TEST_F(TheoryVerify, CatchesAChoiceWithoutOutcomes) {
    theory.add_choice({{}, 3});
    EXPECT_THAT(complaint(), HasSubstr("choice 3: it has no outcome"));
}

TEST_F(TheoryVerify, CatchesAnOnlyOutcomeThatIsNotCertain) {
    theory.add_choice({{Lit(theory.add_variable(VarKind::outcome))}, 3});
    EXPECT_THAT(complaint(), HasSubstr("choice 3: its only outcome is not certain"));
}

TEST_F(TheoryVerify, CatchesAConstantAmongOutcomes) {
    theory.add_choice({{true_lit, false_lit}, 3});
    EXPECT_THAT(complaint(), HasSubstr("choice 3: a constant"));
}

TEST_F(TheoryVerify, CatchesTwoOutcomesThatAreNotOneVariable) {
    const Lit first(theory.add_variable(VarKind::outcome));
    const Lit second(theory.add_variable(VarKind::outcome));
    theory.add_choice({{first, second}, 3});
    EXPECT_THAT(complaint(), HasSubstr("choice 3: its outcomes are not"));
}

TEST_F(TheoryVerify, CatchesOutcomesThatAreNotNeighbours) {
    Lit x[3];
    for (Lit &lit : x) lit = Lit(theory.add_variable(VarKind::outcome));
    theory.add_choice({{x[0], x[2], x[1]}, 3});
    EXPECT_THAT(complaint(), HasSubstr("choice 3: its outcomes are not"));
}

TEST_F(TheoryVerify, CatchesChoicesThatShareAVariable) {
    theory.add_choice({{coin, ~coin}, 3});
    EXPECT_THAT(complaint(), HasSubstr("choice 3: it shares a variable"));
}

TEST_F(TheoryVerify, CatchesSourcesOutOfOrder) {
    theory.add_choice({{true_lit}, 2});
    EXPECT_THAT(complaint(), HasSubstr("choice 3: sources do not ascend"));
}

TEST_F(TheoryVerify, CatchesAnOutcomeOfNoChoice) {
    theory.add_variable(VarKind::outcome);
    EXPECT_THAT(complaint(), HasSubstr("an outcome of no choice"));
}

TEST_F(TheoryVerify, CatchesAChoiceOfADefinedVariable) {
    const Lit defined(theory.add_variable(VarKind::defined));
    theory.add_choice({{defined, ~defined}, 3});
    EXPECT_THAT(complaint(), HasSubstr("not an outcome, but in a choice"));
}

TEST_F(TheoryVerify, CatchesAVariableThatIsNotedForAnotherChoice) {
    TheoryAccess::choice_of(theory)[coin.var()] = 2;
    EXPECT_THAT(complaint(), HasSubstr("it is noted for another choice"));
}

TEST_F(TheoryVerify, CatchesARecursiveAtomThatIsAnOutcomeOrUnknown) {
    theory.recursive[0].atom = coin.var();
    EXPECT_THAT(complaint(), HasSubstr("an outcome or unknown"));
    theory.recursive[0].atom = unknown();
    EXPECT_THAT(complaint(), HasSubstr("an outcome or unknown"));
}

TEST_F(TheoryVerify, CatchesARecursiveAtomThatIsListedTwice) {
    theory.recursive.push_back({a, 0, {}});
    EXPECT_THAT(complaint(), HasSubstr("listed twice"));
}

TEST_F(TheoryVerify, CatchesComponentsThatDoNotFit) {
    theory.recursive_components = 2;
    EXPECT_THAT(complaint(), HasSubstr("a component without atoms"));
    theory.recursive_components = 0;
    EXPECT_THAT(complaint(), HasSubstr("no such component"));
}

TEST_F(TheoryVerify, CatchesABodyThatIsFalseOrUnknown) {
    Theory other = theory;
    theory.recursive[0].supports[0].body = false_lit;
    EXPECT_THAT(complaint(), HasSubstr("a body that is false or unknown"));
    theory = std::move(other);
    theory.recursive[0].supports[1].others = {Lit(unknown())};
    EXPECT_THAT(complaint(), HasSubstr("a literal of a body that is false or unknown"));
}

TEST_F(TheoryVerify, CatchesNeedsThatAreNotInTheComponent) {
    theory.recursive[0].supports[0].needs = {gate.var()};
    EXPECT_THAT(complaint(), HasSubstr("it needs what is not in its component"));
}

TEST_F(TheoryVerify, CatchesNeedsThatDoNotAscend) {
    theory.recursive[0].supports[0].needs = {b, b};
    EXPECT_THAT(complaint(), HasSubstr("its needs do not ascend"));
}

TEST_F(TheoryVerify, CatchesEvidenceOfADeterminedTheory) {
    theory.determined = true;
    EXPECT_THAT(complaint(), HasSubstr("a determined theory"));
}

TEST_F(TheoryVerify, CatchesEvidenceThatIsConstantOrUnknown) {
    theory.evidence = {true_lit};
    EXPECT_THAT(complaint(), HasSubstr("evidence: a constant or an unknown variable"));
    theory.evidence = {Lit(unknown())};
    EXPECT_THAT(complaint(), HasSubstr("evidence: a constant or an unknown variable"));
}

TEST_F(TheoryVerify, CatchesOpenAtomsThatAreNotTheOpenVariables) {
    theory.open_atoms.emplace_back(gate.var(), asp::AtomId(8U));
    EXPECT_THAT(complaint(), HasSubstr("a variable that is not open"));
    theory.open_atoms = {};
    EXPECT_THAT(complaint(), HasSubstr("an open variable is missing"));
    theory.open_atoms = {{b, asp::AtomId(7U)}, {b, asp::AtomId(7U)}};
    EXPECT_THAT(complaint(), HasSubstr("they do not ascend"));
}

TEST_F(TheoryVerify, CatchesShownLiteralsThatAreUnknownOrOnCycles) {
    theory.shown = {gate, ~gate, true_lit, coin};
    EXPECT_EQ(complaint(), "");
    theory.shown = {Lit(a)};
    EXPECT_THAT(complaint(), HasSubstr("shown: a recursive atom"));
    theory.shown = {Lit(unknown())};
    EXPECT_THAT(complaint(), HasSubstr("shown: an unknown variable"));
}

TEST_F(TheoryVerify, AcceptsTheTheoriesOfTranslation) {
    const Example example(
        "{coin(1;2)}. {x}. a :- b, coin(1). b :- a. b :- x. c :- not d. d :- not c."
        ":- c, coin(2). s :- 2 <= #sum { 1,p:a; 1,q:coin(2); 2,r:d }.",
        {{"coin(1)", "coin(2)"}});
    TranslationInput input = example.input({"a", "not s"}, true);
    for (const char *atom : {"a", "b", "c", "s", "coin(1)"}) {
        input.shown.push_back({{example.literal(atom)}, {example.literal("x")}});
        input.shown.push_back({{example.literal(atom)}});
    }
    const auto translated = translate(input);
    ASSERT_TRUE(translated.theory.has_value());
    EXPECT_NO_THROW(translated.theory->verify());
}

} // namespace
} // namespace test
} // namespace neurasp::circuit
