// The hint about a probabilistic rule with an uncertain body: its lines are taken for the rule, and the
// probabilities must be those of an effect that follows its cause with the rule's probability.
#include "inference_support.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace neurasp::inference::test {
namespace {

Diagnostic refusal(const std::string &program) {
    return first_error([&] { grounding_of(program); });
}

// What the hint of `rule`, the last of a program, puts between quotes and ends with a dot.
std::string shown_lines(const std::string &program, const std::string &rule) {
    const Diagnostic error = refusal(program + rule);
    EXPECT_EQ(error.code, "undecided-body") << rule;
    std::string lines;
    const std::regex quoted("'([^']*\\.)'");
    for (std::sregex_iterator match(error.hint.begin(), error.hint.end(), quoted), end;
         match != end; ++match) {
        lines += (*match)[1].str() + "\n";
    }
    return lines;
}

double probability_of(const std::string &query, const std::string &program, const std::string &rule,
                      const NetworkOutputs &outputs = {}) {
    const std::string lines = shown_lines(program, rule);
    EXPECT_NE(lines, "") << rule;
    return probability(program + lines, "", outputs, {query}).queries.at(0).joint.value;
}

TEST(UndecidedRules, AreShownAsTheTwoLinesThatMeanThem) {
    const std::string program = "0.1 : burglary.\n";
    EXPECT_EQ(shown_lines(program, "0.9 : alarm :- burglary."),
              "0.9 : alarm_if_burglary.\nalarm :- burglary, alarm_if_burglary.\n");
    EXPECT_NEAR(probability_of("alarm", program, "0.9 : alarm :- burglary."), 0.09,
                probability_tolerance);
}

TEST(UndecidedRules, KeepWhatIsDecidedOfTheBody) {
    const std::string program = "person(a;b). 0.5 : broke_in(X) :- person(X).\n";
    const std::string rule = "9/10 : alarm(X) :- person(X), broke_in(X), not absent(X).";
    EXPECT_EQ(shown_lines(program, rule),
              "9/10 : alarm_if_broke_in(X) :- person(X), not absent(X).\n"
              "alarm(X) :- person(X), broke_in(X), not absent(X), alarm_if_broke_in(X).\n");
    EXPECT_NEAR(probability_of("alarm(a), alarm(b)", program, rule), 0.45 * 0.45,
                probability_tolerance);
}

TEST(UndecidedRules, ListTheValuesThatNothingDecidedBinds) {
    const std::string one = "0.5 : s(X) :- X=1..3.\n";
    EXPECT_NEAR(probability_of("ill(1), ill(3)", one, "0.3 : ill(X) :- s(X)."), 0.15 * 0.15,
                probability_tolerance);
    const std::string two = "0.5 : s(X,\"a b\") :- X=1..2.\n";
    EXPECT_NEAR(probability_of("t(1,\"a b\")", two, "0.2 : t(X,Y) :- s(X,Y)."), 0.1,
                probability_tolerance);
    EXPECT_NEAR(probability_of("e(4)", one, "0.2 : e(X+1) :- s(X), X > 1."), 0.1,
                probability_tolerance);
}

TEST(UndecidedRules, AskForFactsWhereThereAreManyValues) {
    const std::string program = "0.5 : s(X) :- X=1..30.\n";
    const std::string rule = "0.3 : ill(X) :- s(X).";
    EXPECT_NE(refusal(program + rule).hint.find("with facts for 'domain(X)'"), std::string::npos);
    const std::string lines = "domain(1..30).\n" + shown_lines(program, rule);
    EXPECT_NEAR(probability(program + lines, "", {}, {"ill(7)"}).queries.at(0).joint.value, 0.15,
                probability_tolerance);
}

TEST(UndecidedRules, MayHaveSeveralOutcomes) {
    const std::string program = "0.4 : u.\n";
    const std::string constant = "0.3 : c=1 | 0.7 : c=2 :- u.";
    EXPECT_NEAR(probability_of("c=1", program, constant), 0.12, probability_tolerance);
    EXPECT_NEAR(probability_of("c=2", program, constant), 0.28, probability_tolerance);
    const std::string atoms = "0.3 a; 0.7 ~b :- u.";
    EXPECT_NEAR(probability_of("a", program, atoms), 0.12, probability_tolerance);
    EXPECT_NEAR(probability_of("-b", program, atoms), 0.28, probability_tolerance);
}

TEST(UndecidedRules, MayHaveBodiesOfAnyKind) {
    const std::string program = "q(1..2). 0.5 : u(X) :- q(X).\n";
    const auto joint = [&](const char *rule) { return probability_of("h", program, rule); };
    EXPECT_NEAR(joint("0.4 : h :- u(X)."), 0.75 * 0.4, probability_tolerance);
    EXPECT_NEAR(joint("0.4 : h :- u(X) : q(X)."), 0.25 * 0.4, probability_tolerance);
    EXPECT_NEAR(joint("0.4 : h :- u(X) : q(X); q(2)."), 0.25 * 0.4, probability_tolerance);
    EXPECT_NEAR(joint("0.4 : h :- 1 { u(X) : q(X) } 1, q(Y), Y > 1."), 0.5 * 0.4,
                probability_tolerance);
    EXPECT_NEAR(joint("0.4 : h :- not u(1), X=1..3, X > 2."), 0.5 * 0.4, probability_tolerance);
    EXPECT_NEAR(joint("0.4 : h :- u(X), q(Y), X < Y."), 0.5 * 0.4, probability_tolerance);
    EXPECT_NEAR(joint("0.4 : h :- N = #count { X : u(X) }, N = 1."), 0.5 * 0.4,
                probability_tolerance);
}

TEST(UndecidedRules, MayDependOnANetwork) {
    const std::string program = "nn(sky(1,d),[sun,rain]).\n";
    EXPECT_NEAR(probability_of("wet", program, "0.3 : wet :- sky(0,d)=rain.",
                               output("sky", "d", {0.25, 0.75})),
                0.225, probability_tolerance);
}

TEST(UndecidedRules, GetANameThatIsFree) {
    EXPECT_EQ(shown_lines("{u}. a_if_u.\n", "@0.5 : a :- u."),
              "@0.5 : a_if_u2.\na :- u, a_if_u2.\n");
}

TEST(UndecidedRules, OfOtherKindsSayWhatBodiesMayUse) {
    for (const char *rule : {"nn(d(1,x),[a,b]) :- u.", "0.2 a; 0.2 b; 0.2 c; 0.4 d :- u."}) {
        EXPECT_EQ(refusal(std::string("{u}. ") + rule).hint.find("bodies of neural and"), 0U)
            << rule;
    }
}

} // namespace
} // namespace neurasp::inference::test
