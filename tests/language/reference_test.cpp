// The cases D and E of docs/original.md, defects of the Python original, as far as reading decides them.
#include "reading.hpp"

#include <gtest/gtest.h>

namespace neurasp::language::test {
namespace {

std::size_t neural(const std::string &text) {
    const Reading reading = read_program(text);
    EXPECT_EQ(reading.findings(), "") << text;
    return reading.program.neural_rules.size();
}

std::size_t probabilistic(const std::string &text) {
    const Reading reading = read_program(text);
    EXPECT_EQ(reading.findings(), "") << text;
    return reading.program.probabilistic_rules.size();
}

bool lowers_to(const std::string &text, const std::string &part) {
    const Reading reading = read_program(text);
    EXPECT_EQ(reading.findings(), "") << text;
    return reading.lowered().find(part) != std::string::npos;
}

TEST(Reference, D1BodiesOfNeuralRulesStay) {
    EXPECT_TRUE(lowers_to("{use}.\nnn(d(1,x),[a,b,c]) :- use.", ",(x,),(a,b,c)) :- use."));
}

TEST(Reference, D3NeuralRulesOverTwoLinesKeepTheirHead) {
    EXPECT_TRUE(lowers_to("img(i).\nnn(d(1,X),[a,b,c])\n  :- img(X).", "(a,b,c))\n  :- img(X)."));
}

TEST(Reference, D4RulesBehindANeuralRuleStay) {
    EXPECT_TRUE(lowers_to("nn(d(1,x),[a,b,c]). ok :- d(0,x,a).", "ok :- d(0,x,a)."));
}

TEST(Reference, D5NeuralRulesNeedNotStartALine) {
    EXPECT_EQ(neural("img(i). nn(d(1,X),[a,b,c]) :- img(X)."), 1U);
    EXPECT_EQ(neural("   nn(d(1,x),[a,b,c])."), 1U);
}

TEST(Reference, D6TermsMayBeFunctions) {
    EXPECT_TRUE(lowers_to("nn(d(1,f(x)),[a,b,c]).", "1,(f(x),),(a,b,c))"));
}

TEST(Reference, D7OutcomesMayHoldCommas) {
    EXPECT_EQ(
        read_program("nn(d(1,x),[p(1,2),p(2,1),p(0,0)]).").program.neural_rules[0].outcomes.size(),
        3U);
}

TEST(Reference, D8ToD10QuotedOutcomesStayAsTheyAre) {
    EXPECT_TRUE(lowers_to("nn(d(1,x),[\"big car\",\"cat\"]).", "(\"big car\",\"cat\")"));
    EXPECT_TRUE(lowers_to("nn(d(1,x),[\"a[0]\",\"b\"]).", "(\"a[0]\",\"b\")"));
    EXPECT_TRUE(lowers_to("nn(d(1,x),[\"a;b\",\"c\"]).", "(\"a;b\",\"c\")"));
}

TEST(Reference, E1ToE4ConstantsPass) {
    EXPECT_TRUE(
        lowers_to("#const a=1.\n#const k=7.\nnn(d(1,k),[x,y]).", "#const a=1.\n#const k=7."));
    EXPECT_TRUE(lowers_to("#const a=1. #const k=7.", "#const a=1. #const k=7."));
    EXPECT_TRUE(lowers_to("#const k=7. % size = seven.", "#const k=7.\n"));
    EXPECT_EQ(read_program("% old: #const k=9.").lowered(), "");
}

TEST(Reference, E6ToE8WeakConstraintsMayStandAnywhere) {
    EXPECT_TRUE(lowers_to("nn(d(1,x),[a,b,c]).\n:~d(0,x,a). [1]", ":~d(0,x,a). [1]"));
    EXPECT_TRUE(lowers_to(":~ d(0,x,a). [1]\nnn(d(1,x),[a,b,c]).", ":~ d(0,x,a). [1]"));
    EXPECT_TRUE(lowers_to("z. :~ d(0,x,a).\n [1]", "z. :~ d(0,x,a).\n [1]"));
}

TEST(Reference, E9TrailingCommentsAreFine) {
    EXPECT_EQ(neural("nn(d(1,x),[a,b,c]). % digits"), 1U);
}

TEST(Reference, E10SpacedBoundsAreChoices) {
    EXPECT_EQ(probabilistic("nn(d(1,x),[a,b,c]).\n1 {p; q} 1."), 0U);
}

TEST(Reference, E11ToE14ProbabilisticRulesMayStandAnywhere) {
    EXPECT_EQ(probabilistic("  0.4 a; 0.6 b."), 1U);
    EXPECT_EQ(probabilistic("0.4 a; 0.6 b. 0.3 c; 0.7 d."), 2U);
    EXPECT_EQ(probabilistic("0.4 a; 0.6 b. % coin.\nz."), 1U);
    EXPECT_EQ(probabilistic(".4 a; .6 b."), 1U);
}

TEST(Reference, E15OutcomesAreTermsForClingo) {
    EXPECT_TRUE(lowers_to("#const k=7.\n0.4 in(1,k); 0.6 in(1+1,k).", "{in(1,k);in(1+1,k)}"));
}

TEST(Reference, E16BlockCommentsAreNotRead) {
    EXPECT_EQ(probabilistic("%*\n0.4 a; 0.6 b.\n*%\nz."), 0U);
}

TEST(Reference, E17AndE18AreMistakes) {
    EXPECT_EQ(mistakes("0.4 a; 0.9 b."), "1:1 probability-sum");
    EXPECT_EQ(mistakes("0.5 a; 0.5 b.\n0.5 a; 0.5 c."), "2:5 random-variable-twice");
}

} // namespace
} // namespace neurasp::language::test
