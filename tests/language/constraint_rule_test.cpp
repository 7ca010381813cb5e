// Rules of observations without a positive head atom become violations, as constraints do.
#include "reading.hpp"

#include <gtest/gtest.h>

namespace neurasp::language::test {
namespace {

// The lowered text of an observation that holds nothing but constraints.
std::string violation(const std::string &text) {
    const Reading reading = read_observation(text, 7);
    EXPECT_EQ(reading.findings(), "") << text;
    EXPECT_TRUE(reading.program.has_constraints) << text;
    EXPECT_FALSE(reading.program.extends_program) << text;
    std::string lowered = reading.lowered();
    const std::string helper = "__neurasp_violated(7) :- ";
    EXPECT_EQ(lowered.substr(0, helper.size()), helper) << text;
    lowered.erase(0, helper.size());
    lowered.erase(0, lowered.find_first_not_of(' '));
    return lowered.substr(0, lowered.find('\n'));
}

TEST(Constraints, NegateALiteralOfTheHead) {
    EXPECT_EQ(violation("not a."), "not not a.");
    EXPECT_EQ(violation("not not a :- b."), "not a ; b.");
    EXPECT_EQ(violation("not a(X) :- b(X), not c."), "not not a(X) ; b(X), not c.");
    EXPECT_EQ(violation("not -a :- ."), "not not -a .");
    EXPECT_EQ(violation("not ~a."), "not not -a.");
    EXPECT_EQ(violation("1 < 0 :- a."), "not 1 < 0 ; a.");
    EXPECT_EQ(violation("X = 1 :- a(X)."), "not X = 1 ; a(X).");
    EXPECT_EQ(violation("not #true."), "not not #true.");
    EXPECT_EQ(violation("#true :- a."), "not #true ; a.");
    EXPECT_EQ(violation("f(X) != 2 :- a(X)."), "not f(X) != 2 ; a(X).");
    EXPECT_EQ(violation("not f = 2."), "not not f = 2.");
}

TEST(Constraints, NegateEveryDisjunct) {
    EXPECT_EQ(violation("not a | not b."), "not not a ; not not b.");
    EXPECT_EQ(violation("not a; not not b, 1<2."), "not not a; not b; not 1<2.");
    EXPECT_EQ(violation("not a : b, c | not not d : e :- f."), "not not a : b, c ; not d : e ; f.");
    EXPECT_EQ(violation("|X| < 2 | not a :- b(X)."), "not |X| < 2 ; not not a ; b(X).");
    EXPECT_EQ(violation("#false | not a."), "not #false ; not not a.");
}

TEST(Constraints, NegateAggregatesOverLiteralsThatDeriveNothing) {
    EXPECT_EQ(violation("1 { not a; not b : c } 1 :- d."), "not 1 { not a; not b : c } 1 ; d.");
    EXPECT_EQ(violation("#sum { X,1 : not a(X) : b(X), c; 2 : not d : ; 3 : not e } > 1."),
              "not #sum { X,1 : not a(X) , b(X), c; 2 : not d ; 3 : not e } > 1.");
    EXPECT_EQ(violation("{ not a }."), "not #inf<={ not a }.");
    EXPECT_EQ(violation("#count { 1 : not a }."), "not #inf<=#count { 1 : not a }.");
    EXPECT_EQ(violation("1 { } :- a."), "not 1 { } ; a.");
}

TEST(Constraints, DeriveNoAtomOfAConstant) {
    const Reading reading = read_on_top("0.5 : coin=head | 0.5 : coin=tail.",
                                        {Role::observation, "not coin=head | not not coin=tail."});
    EXPECT_EQ(reading.findings(), "");
    EXPECT_EQ(reading.lowered(), "__neurasp_violated(0) :- not not coin(head) ; not coin(tail).\n");
}

TEST(Constraints, AreNotWhatHasAPositiveHeadAtom) {
    for (const char *text : {"a | not b.", "c=1.", "{a; not b}.", "-a.", "~a :- b.",
                             "#count { X : p(X) : q(X); Y : not p(Y) : q(Y) } > 1.",
                             "a : b | not c.", "not a : b; c."}) {
        const Reading reading = read_observation(text);
        EXPECT_TRUE(reading.program.extends_program) << text;
        EXPECT_FALSE(reading.program.has_constraints) << text;
    }
}

TEST(Constraints, OfAProgramStayAsTheyAre) {
    EXPECT_EQ(read_program("not a | 1 < 0 :- b. 1 { not c }.").lowered(),
              "not a | 1 < 0 :- b. 1 { not c }.\n");
}

TEST(Constraints, KeepTheirPlaces) {
    const Reading reading = read_observation("not a(X) :-\n  b. not c | not d(Y) : e(Y).");
    EXPECT_EQ(reading.origin_of("a(X)"), "a(X)");
    EXPECT_EQ(reading.origin_of("b."), "b.");
    EXPECT_EQ(reading.origin_of("d(Y)"), "d(Y)");
    EXPECT_EQ(reading.origin_of("e(Y)"), "e(Y)");
}

TEST(Constraints, AreCheckedForAtomsOfNetworks) {
    const std::string base = "nn(weather(1,d),[sun,rain]).";
    EXPECT_EQ(read_on_top(base, {Role::observation, "not weather(0,d,fog)."}).findings(),
              "1:17 unknown-outcome");
    EXPECT_EQ(read_on_top(base, {Role::observation, "weather(0,d) != rain."}).findings(),
              "1:1 constant-comparison");
    EXPECT_EQ(read_on_top(base, {Role::observation, "weather(0,d) = rain."}).findings(),
              "1:1 network-atom-in-head");
}

} // namespace
} // namespace neurasp::language::test
