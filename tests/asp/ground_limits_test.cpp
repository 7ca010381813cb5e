// Grounding ends at its limits, even if it would otherwise never end.
#include "asp_support.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>

namespace neurasp::asp::test {
namespace {

using base::LimitReached;

// The limit that ended the grounding of `text`; `none` if grounding was complete.
LimitReached limit_reached(const std::string &text, const GroundLimits &limits) {
    Grounder grounder;
    try {
        grounder.ground(text, limits);
    } catch (const GroundingStopped &stopped) {
        return stopped.limit();
    }
    return LimitReached::none;
}

GroundLimits at_most(std::uint64_t rules) { return {rules, {}}; }

TEST(GroundLimits, EndAnAbsurdRange) {
    EXPECT_EQ(limit_reached("p(1..1000000000).", at_most(1000)), LimitReached::rules);
    EXPECT_EQ(limit_reached("{p(1..1000000000)}.", at_most(1000)), LimitReached::rules);
    EXPECT_EQ(limit_reached("#external p(X) : X=1..1000000000.", at_most(1000)),
              LimitReached::rules);
}

TEST(GroundLimits, EndTermsThatGrowForEver) {
    EXPECT_EQ(limit_reached("p(0). p(f(X)) :- p(X).", at_most(1000)), LimitReached::rules);
    EXPECT_EQ(limit_reached("p(0). p(X+1) :- p(X).", at_most(1000)), LimitReached::rules);
}

TEST(GroundLimits, EndTermsThatAreTooDeepToPrint) {
    const std::string text = "p(0,0). p(f(X),N+1) :- p(X,N), N<";
    EXPECT_EQ(limit_reached(text + "9000.", {}), LimitReached::none);
    EXPECT_EQ(limit_reached(text + "200000.", {}), LimitReached::term_size);
    EXPECT_EQ(limit_reached(text + "20000. #show. #show X : p(X,20000).", {}),
              LimitReached::term_size);
}

// In memory these are 60 small terms; as text, the last one has 2^60 parts.
TEST(GroundLimits, EndTermsThatAreTooLargeToPrint) {
    const std::string text = "p(0,0). p(f(X,X),N+1) :- p(X,N), N<";
    EXPECT_EQ(limit_reached(text + "15.", {}), LimitReached::none);
    EXPECT_EQ(limit_reached(text + "60.", {}), LimitReached::term_size);
}

TEST(GroundLimits, AllowAsManyRulesAsTheySay) {
    EXPECT_EQ(limit_reached("p(1..1000). #show.", at_most(1000)), LimitReached::none);
    EXPECT_EQ(limit_reached("p(1..1001). #show.", at_most(1000)), LimitReached::rules);
}

TEST(GroundLimits, CountLongRulesByTheirLiterals) {
    std::string body = "a(1)";
    for (int i = 2; i <= 200; ++i) body += ", a(" + std::to_string(i) + ")";
    const std::string text = "{a(1..200)}. h(1..50) :- " + body + ". #show."; // 250 rules
    EXPECT_EQ(limit_reached(text, at_most(500)), LimitReached::rules);
    EXPECT_EQ(limit_reached(text, at_most(5000)), LimitReached::none);
}

TEST(GroundLimits, CountAllPartsTogether) {
    Grounder grounder;
    const GroundLimits limits = at_most(1000);
    grounder.ground("p(1..600). #show.", limits);
    EXPECT_THROW(grounder.ground("q(1..600).", limits), GroundingStopped);
}

TEST(GroundLimits, TheClockEndsGrounding) {
    EXPECT_EQ(limit_reached("p(1..1000000000).", {1'000'000'000, base::Budget(within(0.0))}),
              LimitReached::time);
}

TEST(GroundLimits, TheStopFlagEndsGrounding) {
    const std::atomic<bool> stop{true};
    Limits limits;
    limits.stop = StopToken(stop);
    EXPECT_EQ(limit_reached("p(1..1000000000).", {1'000'000'000, base::Budget(limits)}),
              LimitReached::stopped);
}

} // namespace
} // namespace neurasp::asp::test
