// Num, the number of stable models of a total choice.
#include "inference/num_counter.hpp"
#include "inference_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::inference::test {
namespace {

// Num: a 4 (two free atoms), b 2 (a disjunction), c 1, e 0
constexpr const char *counted_program =
    "nn(d(1,x),[a,b,c,e]). {p; q} :- d(0,x,a). p | q :- d(0,x,b). "
    ":- d(0,x,e).";

TEST(NumCounter, CountsTheStableModelsOfAChoice) {
    const Grounding grounding = grounding_of(counted_program);
    base::Budget budget;
    NumCounter counter(grounding.problem(), budget);
    EXPECT_EQ(counter.count({0}), 4U);
    EXPECT_EQ(counter.count({1}), 2U);
    EXPECT_EQ(counter.count({2}), 1U);
    EXPECT_EQ(counter.count({3}), 0U);
}

TEST(NumCounter, StopsAtItsCap) {
    const Grounding grounding = grounding_of(counted_program);
    base::Budget budget;
    NumCounter counter(grounding.problem(), budget);
    EXPECT_EQ(counter.count({0}, 3), 3U);
    EXPECT_EQ(counter.count({0}, 1), 1U);
    EXPECT_EQ(counter.count({1}, 100), 2U);
    EXPECT_EQ(counter.count({0}), 4U); // a capped count is not remembered
}

TEST(NumCounter, CountsEachChoiceOnce) {
    const Grounding grounding = grounding_of(counted_program);
    base::Budget budget;
    NumCounter counter(grounding.problem(), budget);
    counter.count({0});
    const auto searches = grounding.problem().searches();
    EXPECT_EQ(counter.count({0}), 4U);
    EXPECT_EQ(grounding.problem().searches(), searches);
}

TEST(NumCounter, CostsNothingIfTheChoiceDeterminesTheModel) {
    const Grounding grounding = grounding_of("nn(d(1,x),[a,b]). p :- d(0,x,a).");
    base::Budget budget;
    NumCounter counter(grounding.problem(), budget);
    EXPECT_EQ(counter.count({0}), 1U);
    EXPECT_EQ(grounding.problem().searches(), 0U);
}

TEST(NumCounter, GivesUpWithTheBudget) {
    const Grounding grounding = grounding_of("nn(d(1,x),[a,b]). {p(1..40)} :- d(0,x,a).");
    Limits limits;
    limits.seconds = 0.05;
    base::Budget budget(limits);
    NumCounter counter(grounding.problem(), budget);
    EXPECT_EQ(counter.count({1}), 1U);
    EXPECT_EQ(counter.count({0}), std::nullopt); // 2^40
    EXPECT_EQ(budget.reached(), base::LimitReached::time);
}

TEST(NumCounter, TellsChoicesWithManyOutcomesApart) {
    // outcomes 255, 256 and 511 need more than one byte in a key
    std::string list = "0";
    for (int v = 1; v < 600; ++v) list += "," + std::to_string(v);
    const Grounding grounding =
        grounding_of("nn(d(2,x),[" + list +
                     "]). {p} :- d(0,x,255), d(1,x,256). "
                     "{p; q} :- d(0,x,256), d(1,x,255). {p; q; r} :- d(0,x,511), d(1,x,255).");
    base::Budget budget;
    NumCounter counter(grounding.problem(), budget);
    EXPECT_EQ(counter.count({255, 256}), 2U);
    EXPECT_EQ(counter.count({256, 255}), 4U);
    EXPECT_EQ(counter.count({511, 255}), 8U);
    EXPECT_EQ(counter.count({255, 255}), 1U);
}

} // namespace
} // namespace neurasp::inference::test
