// Neural rules: what they are lowered to, and their mistakes.
#include "reading.hpp"

#include <gtest/gtest.h>

namespace neurasp::language::test {
namespace {

TEST(NeuralRules, BecomeAHelperAtomAndAChoice) {
    const Reading reading = read_program("nn(digit(1,X),[0,1,2]) :- img(X).");
    EXPECT_EQ(reading.findings(), "");
    EXPECT_EQ(reading.lowered(),
              "__neurasp_nn(0, 1,(X,),(0,1,2)) :- img(X).\n"
              "{digit(I,T1,V1);digit(I,T1,V2);digit(I,T1,V3)} :- "
              "__neurasp_nn(0,E,(T1,),(V1,V2,V3)), I=0..0+E-1, (E,)<=(1000000,).\n");
}

TEST(NeuralRules, AreDescribedForTheNextLayer) {
    const Reading reading = read_program("a. nn(m(2*n,f(x),y),[p(1,2),\"b c\"]) :- q.");
    ASSERT_EQ(reading.program.neural_rules.size(), 1U);
    const NeuralRule &rule = reading.program.neural_rules[0];
    EXPECT_EQ(rule.network, "m");
    EXPECT_EQ(rule.term_count, 2U);
    EXPECT_EQ(rule.atom_signature(), Signature("m", 4));
    EXPECT_EQ(reading.sources.text(rule.events), "2*n");
    EXPECT_EQ(reading.sources.text(rule.outcomes[0]), "p(1,2)");
    EXPECT_EQ(reading.sources.text(rule.outcomes[1]), "\"b c\"");
    EXPECT_EQ(reading.sources.text(rule.span), "nn(m(2*n,f(x),y),[p(1,2),\"b c\"]) :- q.");
}

TEST(NeuralRules, CountEventsFromTheEventBase) {
    const Reading reading = read_program("#event_base 1. nn(sp(24,g),[true,false]).");
    EXPECT_NE(reading.lowered().find("I=1..1+E-1"), std::string::npos);
}

TEST(NeuralRules, MaySpanLinesAndShareThem) {
    const Reading reading =
        read_program("img(i). nn( % network\n d(1,X),\n[a,b])\n  :- img(X). ok.");
    EXPECT_EQ(reading.findings(), "");
    EXPECT_EQ(reading.lowered().substr(0, reading.lowered().find("{")),
              "img(i). __neurasp_nn(0,\n   1,(X,),\n(a,b))\n  :- img(X). ok.\n");
}

TEST(NeuralRules, TakeStringsWithAnyCharacters) {
    EXPECT_EQ(mistakes("nn(d(1,x),[\"a;b\",\"c[0]\",\"d,]e\"])."), "");
}

TEST(NeuralRules, NeedAListOfOutcomes) {
    EXPECT_EQ(mistakes("nn(a,b)."), "1:6 syntax");
    EXPECT_EQ(mistakes("nn(d(1,x))."), "1:10 syntax");
}

TEST(NeuralRules, AreHeadsSoThatNnInABodyIsAnOrdinaryAtom) {
    const Reading reading = read_program("x :- nn(a,b). nn.");
    EXPECT_EQ(reading.findings(), "");
    EXPECT_TRUE(reading.program.neural_rules.empty());
}

TEST(NeuralRules, NeedTwoOutcomes) {
    EXPECT_EQ(mistakes("nn(d(1,x),[a])."), "1:11 too-few-outcomes");
    EXPECT_EQ(mistakes("nn(d(1,x),[])."), "1:11 too-few-outcomes");
    EXPECT_EQ(mistakes("nn(d(1,x),[0..9])."), "1:12 too-few-outcomes");
    EXPECT_EQ(first_hint("nn(d(1,x),[0..9])."), "list the outcomes one by one: [0,1,2,3]");
    EXPECT_EQ(mistakes("nn(d(1,x),[0..9,none])."), "1:12 interval-in-outcomes");
}

TEST(NeuralRules, NeedDistinctOutcomes) {
    EXPECT_EQ(mistakes("nn(d(1,x),[a,f(1, 2),\n f(1,2)])."), "2:2 duplicate-outcome");
}

TEST(NeuralRules, NeedAPositiveNumberOfEvents) {
    EXPECT_EQ(mistakes("nn(d(0,x),[a,b])."), "1:6 events-not-positive");
    EXPECT_EQ(mistakes("nn(d(-1,x),[a,b])."), "1:6 events-not-positive");
    EXPECT_EQ(mistakes("nn(d(\"1\",x),[a,b])."), "1:6 events-not-positive");
    EXPECT_EQ(mistakes("nn(d(1000001,x),[a,b])."), "1:6 events-not-positive");
    EXPECT_EQ(mistakes("nn(d(2147483647,x),[a,b])."), "1:6 events-not-positive");
    EXPECT_EQ(mistakes("nn(d(n,x),[a,b]). nn(e(2*3,x),[a,b]). nn(f(0x10,x),[a,b])."), "");
}

TEST(NeuralRules, NeedATermForTheInput) {
    EXPECT_EQ(mistakes("nn(d(1),[a,b])."), "1:4 missing-term");
    EXPECT_EQ(mistakes("nn(d,[a,b])."), "1:4 missing-term");
    EXPECT_EQ(mistakes("nn(d(),[a,b])."), "1:4 missing-term");
}

TEST(NeuralRules, MayNotLowerToATextWithoutBound) {
    std::string text = "nn(d(1";
    for (int i = 0; i < 10000; ++i) text += ",x";
    text += "),[a";
    for (int i = 0; i < 1000; ++i) text += "," + std::to_string(i);
    EXPECT_EQ(mistakes(text + "])."), "1:4 network-too-large");
}

TEST(NeuralRules, ReportMistakesOfForm) {
    EXPECT_EQ(mistakes("nn(X,[a,b])."), "1:4 syntax");
    EXPECT_EQ(mistakes("nn(d(1,x)+1,[a,b])."), "1:10 syntax");
    EXPECT_EQ(mistakes("nn(d(1,x;y),[a,b])."), "1:9 syntax");
    EXPECT_EQ(mistakes("nn(d(1,x),[a;b])."), "1:13 syntax");
    EXPECT_EQ(mistakes("nn(d(1,x),[a,,b])."), "1:14 syntax");
    EXPECT_EQ(mistakes("nn(d(1,x),[a,b],c)."), "1:16 syntax");
    EXPECT_EQ(mistakes("nn(d(1,x),[a,b]) | c."), "1:18 syntax");
}

TEST(NeuralRules, OfOneNetworkShareTheirOutcomes) {
    EXPECT_EQ(mistakes("nn(d(1,x),[a,b,c]).\nnn(d(1,y),[p,q])."), "2:1 network-two-domains");
    EXPECT_EQ(mistakes("nn(d(1,x),[a,b]). nn(d(1,y),[a, b])."), "");
    EXPECT_EQ(mistakes("#const k=7. nn(d(1,x),[k,b]). nn(d(1,y),[7,b])."), "");
    EXPECT_EQ(
        read_on_top("nn(d(1,x),[a,b]).", {Role::observation, "nn(d(1,y),[a,c]).", 0}).findings(),
        "1:1 network-two-domains");
}

TEST(NetworkAtoms, MayNotBeDerived) {
    const std::string rule = "nn(m(1,X),[0,1]) :- i(X).\n";
    for (const char *head :
         {"m(0,a,1).", "{m(0,a,1)}.", "{m(I,b,V) : i(I)} :- v(V).", "1 {x; m(0,a,1)} 1.",
          "x | m(0,a,1).", "x ; m(0,a,1) : y.", "#count{1 : m(0,a,1) : x} 2.", "m(0,a,0..1).",
          "m(0,(a;b),1).", "m(0,a+1,1) :- x.", "m(1;0,a,1)."}) {
        EXPECT_NE(mistakes(rule + head).find(" network-atom-in-head"), std::string::npos) << head;
    }
}

TEST(NetworkAtoms, AreDistinguishedFromOthersBySyntax) {
    EXPECT_EQ(mistakes("nn(m(1,x),[a,b]). m(0,y,a). m(0,x,c). m(0,a). -m(0,x,a). not m(0,x,a). "
                       "z :- m(0,x,a). z : m(0,x,a). {z : m(0,x,a)}."),
              "");
}

TEST(NetworkAtoms, AreFoundWhereverTheNeuralRuleIs) {
    EXPECT_EQ(mistakes("a :- b. d(0,x,a). nn(d(1,x),[a,b])."), "1:9 network-atom-in-head");
    EXPECT_EQ(mistakes("0.5 : d(0,x,a). nn(d(1,x),[a,b])."), "1:7 network-atom-in-head");
    EXPECT_EQ(read_on_top("nn(d(1,x),[a,b]).", {Role::observation, "d(0,x,a).", 0}).findings(),
              "1:1 network-atom-in-head");
    EXPECT_EQ(read_on_top("d(0,x,a).", {Role::observation, "nn(d(1,x),[a,b]).", 0}).findings(),
              "1:1 network-atom-in-head");
    EXPECT_EQ(read_on_top("0.5 : d(0,x,a).", {Role::program, "nn(d(1,x),[a,b]).", 0}).findings(),
              "1:1 network-atom-in-head");
}

TEST(NetworkAtoms, InHeadsComeWithAHint) {
    EXPECT_NE(first_hint("d(0,x,a). nn(d(1,x),[a,b]).").find(":- not digit(0,i1,3)."),
              std::string::npos);
}

} // namespace
} // namespace neurasp::language::test
