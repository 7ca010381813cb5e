// Tight, determined, relevant: what the structure of a program says.
#include "asp/analysis.hpp"
#include "asp_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::asp::test {
namespace {

Analysis analysis_of(const std::string &text) { return analyse(grounded(text).program()); }

TEST(Analyse, CallsProgramsWithoutPositiveCyclesTight) {
    EXPECT_TRUE(analysis_of("{a}. b :- a. c :- not b.").tight);
    EXPECT_TRUE(analysis_of("a :- not b. b :- not a.").tight); // the cycle is negative
    EXPECT_EQ(analysis_of("{a}. b :- a.").largest_scc, 1U);
    EXPECT_EQ(analysis_of("").largest_scc, 0U);
}

TEST(Analyse, FindsPositiveCycles) {
    const Analysis analysis = analysis_of("{e}. a :- b. b :- c. c :- a. a :- e.");
    EXPECT_FALSE(analysis.tight);
    EXPECT_EQ(analysis.largest_scc, 3U);
}

TEST(Analyse, FindsASelfLoop) {
    GroundProgram program;
    const AtomId a(1U);
    const Literal positive(a);
    program.add_rule(false, std::span(&a, 1), std::span(&positive, 1));
    EXPECT_FALSE(analyse(program).tight);
    EXPECT_EQ(analyse(program).largest_scc, 1U);
    EXPECT_TRUE(analyse(program).determined); // its only stable model is empty
}

TEST(Analyse, CallsStratifiedProgramsDetermined) {
    EXPECT_TRUE(analysis_of("a. b :- a. c :- not d.").determined);
    EXPECT_TRUE(analysis_of("e(1,2). e(2,1). r(1). r(Y) :- r(X), e(X,Y). u(X) :- e(X,_), not r(X).")
                    .determined);
    EXPECT_TRUE(analysis_of("").determined);
}

TEST(Analyse, CallsProgramsThatMayBranchUndetermined) {
    EXPECT_FALSE(analysis_of("{a}.").determined);
    EXPECT_FALSE(analysis_of("a | b.").determined);
    EXPECT_FALSE(analysis_of("a :- not b. b :- not a.").determined);
    EXPECT_FALSE(analysis_of("a :- not a.").determined);
    EXPECT_FALSE(analysis_of("a :- not b. b :- c. c :- not a.").determined); // through a third atom
    EXPECT_FALSE(analysis_of("#external a. [free] b :- a.").determined);
    EXPECT_FALSE(analysis_of("a :- #sum{1:not b} > 0. b :- #sum{1:not a} > 0.").determined);
}

TEST(Analyse, CallsFixedExternalsAndConstraintsDetermined) {
    EXPECT_TRUE(analysis_of("#external a. b :- a. :- b.").determined);
    EXPECT_TRUE(analysis_of("#external a. [true] b :- a.").determined);
    EXPECT_TRUE(
        analysis_of("#external a. [free] #external c. a :- not c.").determined); // a rule defines a
}

TEST(Analyse, CountsConstraints) {
    EXPECT_EQ(analysis_of("{a; b}. :- a, b. :- not a.").constraints, 2U);
    EXPECT_EQ(analysis_of("{e(1,2); e(2,1)}. #edge (X,Y) : e(X,Y).").constraints, 1U);
}

TEST(Analyse, LooksOnlyAtMarkedRules) {
    GroundProgram program;
    const std::vector<AtomId> a{AtomId(1U)};
    const std::vector<AtomId> b{AtomId(2U)};
    program.add_rule(true, a, {});
    program.add_rule(false, b, std::vector<Literal>{Literal(1)});
    EXPECT_FALSE(analyse(program).determined);
    EXPECT_TRUE(analyse(program, {false, true}).determined);
}

TEST(RelevantRules, FollowsRulesFromTheRootsDown) {
    const Grounder grounder = grounded("{c}. {d}. a :- b. b :- not c. x :- d. y :- x, a.");
    const GroundProgram &program = grounder.program();
    const AtomId root = atom(program, "a");
    const Relevance relevance = relevant_rules(program, std::span(&root, 1), false);
    EXPECT_EQ(relevance.rule_count, 3U); // a, b and the choice of c
    EXPECT_TRUE(relevance.atoms[atom(program, "c").index()]);
    EXPECT_FALSE(relevance.atoms[atom(program, "d").index()]);
    EXPECT_FALSE(relevance.atoms[atom(program, "y").index()]);
}

TEST(RelevantRules, IncludesAtomsThatShareAHead) {
    const Grounder grounder = grounded("{e; f}. a | b :- e. c :- b.");
    const GroundProgram &program = grounder.program();
    const AtomId root = atom(program, "c");
    const Relevance relevance = relevant_rules(program, std::span(&root, 1), false);
    EXPECT_TRUE(relevance.atoms[atom(program, "a").index()]);
    EXPECT_TRUE(relevance.atoms[atom(program, "f").index()]);
}

TEST(RelevantRules, AddsRulesThatMayForbidModelsOnlyIfAsked) {
    const Grounder grounder = grounded("{a; x}. b :- a. :- b. y :- x.");
    const GroundProgram &program = grounder.program();
    EXPECT_EQ(relevant_rules(program, {}, false).rule_count, 0U);
    const Relevance relevance = relevant_rules(program, {}, true);
    EXPECT_TRUE(relevance.atoms[atom(program, "b").index()]);
    EXPECT_FALSE(relevance.atoms[atom(program, "y").index()]);
}

TEST(RelevantRules, IncludesEveryKindOfRuleThatMayForbidModels) {
    for (const char *text : {"{a}. p :- a, not p.", "{a}. p | q :- a.", "{a}. #edge(1,2) : a.",
                             "{a}. :- #sum{1:a} > 0.", "{a}. p :- a, not q. q :- a, not p."}) {
        const Grounder grounder = grounded(text);
        const Relevance relevance = relevant_rules(grounder.program(), {}, true);
        EXPECT_TRUE(relevance.atoms[atom(grounder.program(), "a").index()]) << text;
    }
}

TEST(RelevantRules, LeavesOutChoicesThatNothingDependsOn) {
    const Grounder grounder = grounded("{a; b}. c :- a, not b. d :- d, c.");
    EXPECT_EQ(relevant_rules(grounder.program(), {}, true).rule_count, 0U);
}

} // namespace
} // namespace neurasp::asp::test
