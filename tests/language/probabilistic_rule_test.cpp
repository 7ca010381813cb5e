// Probabilistic rules: what they are lowered to, and their mistakes.
#include "reading.hpp"

#include <gtest/gtest.h>

namespace neurasp::language::test {
namespace {

// The first line of the lowered text.
std::string first_line(const std::string &program) {
    const Reading reading = read_program(program);
    EXPECT_EQ(reading.findings(), "") << program;
    const std::string &text = reading.lowered();
    const std::size_t start = text.find_first_not_of(" \n");
    return text.substr(start, text.find('\n', start) - start);
}

std::vector<double> probabilities(const std::string &program) {
    const Reading reading = read_program(program);
    EXPECT_EQ(reading.findings(), "") << program;
    return reading.program.probabilistic_rules.at(0).probabilities;
}

TEST(ProbabilisticRules, BecomeAHelperAtomAndAChoice) {
    const Reading reading = read_program("0.4 : c(X,Y)=v | 0.6 : c(X,Y)=w :- d(Y,X).");
    EXPECT_EQ(reading.findings(), "");
    EXPECT_EQ(reading.lowered(), "      __neurasp_pr(0,(X,Y),(c(X,Y ,v) , c(X,Y ,w))) :- d(Y,X).\n"
                                 "{c(X,Y,v);c(X,Y,w)} :- __neurasp_pr(0,(X,Y),_).\n");
    EXPECT_EQ(reading.program.constants, (std::set<Signature>{{"c", 2}}));
}

TEST(ProbabilisticRules, WithOneInstanceHaveAChoiceWithoutBody) {
    EXPECT_EQ(read_program("0.25 : a.").lowered(), "       __neurasp_pr(0,(),(a,-a)).\n{a;-a}.\n");
    EXPECT_EQ(read_program("0.4 : c(1)=v | 0.6 : c(1)=w.").lowered(),
              "      __neurasp_pr(0,(),(c(1 ,v) , c(1 ,w))).\n{c(1,v);c(1,w)}.\n");
    // a body or a head without a value means that there is no instance
    EXPECT_EQ(read_program("0.25 : a :- b.").lowered(),
              "       __neurasp_pr(0,(),(a,-a)) :- b.\n{a;-a} :- __neurasp_pr(0,(),_).\n");
    EXPECT_EQ(read_program("0.25 : a(1/0).").lowered(),
              "       __neurasp_pr(0,(),(a(1/0),-a(1/0))).\n"
              "{a(1/0);-a(1/0)} :- __neurasp_pr(0,(),_).\n");
}

TEST(ProbabilisticRules, OfOneAtomGetItsComplement) {
    EXPECT_EQ(first_line("0.25 : a."), "__neurasp_pr(0,(),(a,-a)).");
    EXPECT_EQ(first_line("0.25 : -a(X) :- b(X)."), "__neurasp_pr(0,(X,),(-a(X),a(X))) :- b(X).");
    EXPECT_EQ(probabilities("0.25 : a."), (std::vector<double>{0.25, 0.75}));
}

TEST(ProbabilisticRules, TakeAllWaysOfWriting) {
    const std::string expected = "__neurasp_pr(0,(),(a, b)).";
    EXPECT_EQ(first_line(".4 a; .6 b."), expected);
    EXPECT_EQ(first_line("@0.4 a; @0.6 b."), expected);
    EXPECT_EQ(first_line("  0.4 a| 0.6 b."), expected);
    EXPECT_EQ(first_line("0.4:a; 0.6:b."), expected);
    EXPECT_EQ(first_line("1 a; 0 b."), expected);
    EXPECT_EQ(first_line("1e-30 a; 1 b."), expected);
}

TEST(ProbabilisticRules, ReadATildeAsStrongNegation) {
    EXPECT_EQ(first_line("0.3 : ~a."), "__neurasp_pr(0,(),(-a,a)).");
    EXPECT_EQ(first_line("0.3:~a."), "__neurasp_pr(0,(),(-a,a)).");
    EXPECT_EQ(first_line("0.3:-a."), "__neurasp_pr(0,(),(-a,a)).");
    EXPECT_EQ(mistakes("0.3 :- a."), "1:5 syntax");
}

TEST(ProbabilisticRules, RememberWhatIsLearnable) {
    const Reading reading = read_program("@0.4 a; 0.6 b. @0.5 : c.");
    EXPECT_EQ(reading.program.probabilistic_rules[0].learnable, (std::vector<bool>{true, false}));
    EXPECT_EQ(reading.program.probabilistic_rules[1].learnable, (std::vector<bool>{true, true}));
}

TEST(ProbabilisticRules, KnowThePlacesOfTheirOutcomes) {
    const Reading reading = read_program("0.4 a(1); 0.6 c=2. 0.5 : b.");
    const std::vector<ProbabilisticRule> &rules = reading.program.probabilistic_rules;
    EXPECT_EQ(reading.sources.text(rules[0].outcomes[0]), "a(1)");
    EXPECT_EQ(reading.sources.text(rules[0].outcomes[1]), "c=2");
    EXPECT_EQ(reading.sources.text(rules[1].outcomes[1]), "b");
    EXPECT_EQ(reading.sources.text(rules[1].span), "0.5 : b.");
}

TEST(ProbabilisticRules, ReadProbabilitiesExactly) {
    EXPECT_EQ(probabilities("1e-30 a; 2.5E-1 b; 0.75 c."),
              (std::vector<double>{1e-30, 0.25, 0.75}));
    EXPECT_EQ(probabilities("1e-999 a; 1 b."), (std::vector<double>{0, 1}));
}

TEST(ProbabilisticRules, MayHaveFractions) {
    EXPECT_EQ(probabilities("1/4 : a."), (std::vector<double>{0.25, 0.75}));
    EXPECT_EQ(probabilities("1/3 a; 2 / 3 b."), (std::vector<double>{1.0 / 3, 2.0 / 3}));
    EXPECT_EQ(probabilities("@1/3:c=1|@2/3:c=2."), (std::vector<double>{1.0 / 3, 2.0 / 3}));
    EXPECT_EQ(probabilities("0.1/0.4 : a :- b."), (std::vector<double>{0.1 / 0.4, 1 - 0.1 / 0.4}));
    EXPECT_EQ(probabilities("0x1/0x4 : a."), (std::vector<double>{0.25, 0.75}));
    EXPECT_EQ(first_line("1/3 -a; 2/3 b."), "__neurasp_pr(0,(),(-a, b)).");
    EXPECT_EQ(first_line("1/3:~a."), "__neurasp_pr(0,(),(-a,a)).");
    EXPECT_EQ(first_line("1/3:-a."), "__neurasp_pr(0,(),(-a,a)).");
    EXPECT_EQ(mistakes("3/2 : a."), "1:1 probability-range");
    EXPECT_EQ(mistakes("-1/2 : a."), "1:1 probability-range");
    EXPECT_EQ(mistakes("1/0 : a."), "1:1 probability-range");
    EXPECT_EQ(mistakes("0/0.0 a; 1 b."), "1:1 probability-range");
    EXPECT_EQ(first_hint("1/0 : a."), "it divides by zero");
    EXPECT_EQ(mistakes("1/3 a; 1/3 b."), "1:1 probability-sum");
}

TEST(ProbabilisticRules, LeaveFractionsOfClingoAlone) {
    for (const char *text : {"1/3 { a }.", "1/3-1 { a; b }.", "1/3 < 2 :- a.", "1/3 <= { a }."}) {
        const Reading reading = read_program(text);
        EXPECT_EQ(reading.findings(), "") << text;
        EXPECT_EQ(reading.lowered(), std::string(text) + "\n");
    }
}

TEST(ProbabilisticRules, MayHaveManyFractions) {
    std::string rule = "1/2000 a(0)";
    for (int i = 1; i < 2000; ++i) rule += " | 1/2000 a(" + std::to_string(i) + ")";
    EXPECT_EQ(mistakes(rule + "."), "");
}

TEST(ProbabilisticRules, MustSumToOne) {
    EXPECT_EQ(mistakes("a. 0.4 a1; 0.9 b."), "1:4 probability-sum");
    EXPECT_NE(read_program("0.4 a; 0.9 b.").diagnostics.all()[0].message.find("1.3"),
              std::string::npos);
    EXPECT_EQ(mistakes("0.333333 a; 0.333333 b; 0.333333 c."), "");
    EXPECT_EQ(mistakes("0.2 : c=v."), "1:1 probability-sum");
    EXPECT_EQ(mistakes("1 : c=v."), "");
}

TEST(ProbabilisticRules, NeedProbabilitiesFromZeroToOne) {
    EXPECT_EQ(mistakes("1.5 : a."), "1:1 probability-range");
    EXPECT_EQ(mistakes("-0.5 : a."), "1:1 probability-range");
    EXPECT_EQ(mistakes("0.5 a; 1e999 b.").substr(0, 21), "1:1 probability-sum; ");
}

TEST(ProbabilisticRules, TakeNoIntervalsOrPoolsAsOutcomes) {
    EXPECT_EQ(mistakes("0.5 p(1..2); 0.5 q."), "1:8 interval-in-probabilistic-head");
    EXPECT_EQ(mistakes("0.5 p; 0.5 q(1;2)."), "1:15 interval-in-probabilistic-head");
    EXPECT_EQ(mistakes("1 : c=1..2."), "1:8 interval-in-probabilistic-head");
}

TEST(ProbabilisticRules, ReportMistakesOfForm) {
    EXPECT_EQ(mistakes("0.5 p(_); 0.5 q."), "1:7 syntax");
    EXPECT_EQ(mistakes("0.5 a, 0.5 b."), "1:6 syntax");
    EXPECT_EQ(mistakes("0.5 a; b."), "1:8 syntax");
    EXPECT_EQ(mistakes("0.5 a; ."), "1:8 syntax");
    EXPECT_EQ(mistakes("0.5 ."), "1:5 syntax");
    EXPECT_EQ(mistakes("0.5 : not a."), "1:7 syntax");
    EXPECT_EQ(mistakes("0.5 : {a}."), "1:7 syntax");
    EXPECT_EQ(mistakes("0.5 : a<b."), "1:7 syntax");
    EXPECT_EQ(mistakes("1/3/2 : a."), "1:4 syntax");
    EXPECT_EQ(mistakes("@1/x : a."), "1:4 syntax");
    EXPECT_EQ(mistakes("0.5 a; 1/ b."), "1:11 syntax");
}

TEST(ProbabilisticRules, HaveDistinctOutcomes) {
    EXPECT_EQ(mistakes("0.4 a(1, 2); 0.6 a(1,2)."), "1:18 random-variable-twice");
    EXPECT_EQ(mistakes("0.5 a; 0.5 b.\n0.5 a; 0.5 c."), "2:5 random-variable-twice");
    EXPECT_EQ(mistakes("0.5 c=1; 0.5 c=2. 0.5 : c(1)."), "1:25 random-variable-twice");
    EXPECT_EQ(mistakes("0.5 : a :- b. 0.5 : a :- c."), "");
    EXPECT_EQ(read_on_top("0.5 : a.", {Role::observation, "0.5 : a.", 0}).findings(),
              "1:7 random-variable-twice; 1:7 random-variable-twice");
}

TEST(ProbabilisticAtoms, MayNotBeDerivedByOrdinaryRules) {
    EXPECT_EQ(mistakes("b :- a. a :- c. 0.5 : a."), "1:9 probabilistic-atom-in-head");
    EXPECT_EQ(mistakes("0.5 : a. -a :- c."), "1:10 probabilistic-atom-in-head");
    EXPECT_EQ(mistakes("0.4 : c=1 | 0.6 : c=2. c=2 :- d."), "1:24 probabilistic-atom-in-head");
    EXPECT_EQ(mistakes("0.4 : c=1 | 0.6 : c=2. c(3) :- d."), "");
    EXPECT_EQ(read_on_top("a.", {Role::observation, "0.5 : a.", 0}).findings(),
              "1:7 probabilistic-atom-in-head");
}

} // namespace
} // namespace neurasp::language::test
