// Observations, queries, and texts on top of a base program.
#include "reading.hpp"

#include <gtest/gtest.h>

namespace neurasp::language::test {
namespace {

TEST(Observations, NameTheirViolations) {
    const Reading reading = read_observation(":- not a.\n  :- b,\n c. #false :- d.", 7);
    EXPECT_EQ(reading.lowered(),
              "__neurasp_violated(7) :- not a.\n  __neurasp_violated(7) :- b,\n c. "
              "__neurasp_violated(7) :- d.\n");
    EXPECT_TRUE(reading.program.has_constraints);
    EXPECT_FALSE(reading.program.extends_program);
}

TEST(Observations, MayExtendTheProgram) {
    for (const char *text : {"img(i).", "a :- b.", "#show a/0.", "nn(d(1,x),[a,b]).", "0.4 : a.",
                             "{a}.", "#const a=1."}) {
        const Reading reading = read_observation(text);
        EXPECT_EQ(reading.findings(), "") << text;
        EXPECT_TRUE(reading.program.extends_program) << text;
        EXPECT_FALSE(reading.program.has_constraints) << text;
    }
}

TEST(Observations, KeepWeakConstraints) {
    const Reading reading = read_observation(":~ a. [1]");
    EXPECT_EQ(reading.lowered(), ":~ a. [1]\n");
    EXPECT_TRUE(reading.program.has_weak_constraints);
    EXPECT_TRUE(reading.program.extends_program);
}

TEST(Observations, MayBeEmpty) {
    EXPECT_EQ(read_observation("").findings(), "");
    EXPECT_EQ(read_observation(" % nothing\n").lowered(), "");
}

TEST(Programs, KeepTheirConstraints) {
    const Reading reading = read_program(":- a.");
    EXPECT_EQ(reading.lowered(), ":- a.\n");
    EXPECT_FALSE(reading.program.has_constraints);
    EXPECT_FALSE(reading.program.extends_program);
}

TEST(Queries, BecomeRules) {
    EXPECT_EQ(read_query("a, not b; c : d", 5).lowered(),
              "__neurasp_query(5) :- a, not b; c : d.\n");
    EXPECT_EQ(read_query(" a(X),\n  X>1. % done", 5).lowered(),
              " __neurasp_query(5) :- a(X),\n  X>1.\n");
}

TEST(Queries, AreOneBody) {
    EXPECT_EQ(read_query("").findings(), "1:1 syntax");
    EXPECT_EQ(read_query(" % nothing").findings(), "1:1 syntax");
    EXPECT_EQ(read_query(".").findings(), "1:1 syntax");
    EXPECT_EQ(read_query("a. b.").findings(), "1:4 syntax");
    EXPECT_EQ(read_query("a :- b.").findings(), "1:3 syntax");
    EXPECT_EQ(read_query(":- b.").findings(), "1:1 syntax");
    EXPECT_EQ(read_query("#show a.").findings(), "1:1 syntax");
    EXPECT_EQ(read_query("a(").findings(), "1:2 syntax");
}

TEST(Units, StartOnTheirOwnLines) {
    const Reading reading = read_texts({{Role::program, "a.", 0},
                                        {Role::observation, "% x\n :- a.", 1},
                                        {Role::observation, ":- b.", 2},
                                        {Role::query, "a", 3}});
    EXPECT_EQ(reading.lowered(), "a.\n\n __neurasp_violated(1) :- a.\n__neurasp_violated(2) :- b.\n"
                                 "__neurasp_query(3) :- a.\n");
}

TEST(TextsOnTop, CountTheirRulesFromTheBase) {
    const Reading reading =
        read_on_top("#event_base 1. nn(d(1,x),[a,b]). nn(e(1,x),[a,b]). 0.5 : r.",
                    {Role::observation, "nn(d(1,y),[a,b]). 0.5 : s.", 0});
    EXPECT_EQ(reading.findings(), "");
    EXPECT_EQ(reading.program.first_neural_rule, 2U);
    EXPECT_EQ(reading.program.first_probabilistic_rule, 1U);
    EXPECT_EQ(reading.program.neural_rules.size(), 1U);
    EXPECT_EQ(reading.program.event_base, 1);
    EXPECT_NE(reading.lowered().find("__neurasp_nn(2,"), std::string::npos);
    EXPECT_NE(reading.lowered().find("__neurasp_pr(1,"), std::string::npos);
    EXPECT_NE(reading.lowered().find("I=1..1+E-1"), std::string::npos);
}

TEST(TextsOnTop, CannotChangeTheEventBase) {
    EXPECT_EQ(read_on_top("a.", {Role::observation, "#event_base 1.", 0}).findings(),
              "1:1 event-base");
}

} // namespace
} // namespace neurasp::language::test
