#include "base/budget.hpp"

#include <gtest/gtest.h>

namespace neurasp::base::test {
namespace {

TEST(Budget, IsNeverExhaustedWithoutLimits) {
    Budget budget;
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(budget.take_model());
    EXPECT_TRUE(budget.take_bytes(std::uint64_t{1} << 60U));
    EXPECT_FALSE(budget.exhausted());
    EXPECT_FALSE(budget.is_limited());
    EXPECT_EQ(budget.seconds_left(), std::nullopt);
    EXPECT_EQ(budget.reached(), LimitReached::none);
}

TEST(Budget, GrantsExactlyTheModelsOfItsLimit) {
    Budget budget(std::nullopt, 2, std::nullopt, nullptr);
    EXPECT_TRUE(budget.take_model());
    EXPECT_TRUE(budget.take_model());
    EXPECT_EQ(budget.reached(), LimitReached::none); // two were allowed
    EXPECT_FALSE(budget.take_model());
    EXPECT_EQ(budget.models_taken(), 2U);
    EXPECT_EQ(budget.reached(), LimitReached::models);
    EXPECT_TRUE(budget.exhausted());
}

TEST(Budget, EndsAtOnceWithoutTime) {
    Budget budget(0.0, std::nullopt, std::nullopt, nullptr);
    EXPECT_TRUE(budget.exhausted());
    EXPECT_EQ(budget.reached(), LimitReached::time);
    EXPECT_EQ(budget.seconds_left(), 0.0);
}

TEST(Budget, TakesAnyNumberOfSeconds) {
    for (const double seconds : {1e-300, -5.0}) {
        EXPECT_TRUE(Budget(seconds, std::nullopt, std::nullopt, nullptr).exhausted()) << seconds;
    }
    for (const double seconds : {1e300, 1e9, 1e5}) {
        EXPECT_FALSE(Budget(seconds, std::nullopt, std::nullopt, nullptr).exhausted()) << seconds;
    }
}

TEST(Budget, RefusesBytesBeyondItsLimit) {
    Budget budget(std::nullopt, std::nullopt, 100, nullptr);
    EXPECT_TRUE(budget.take_bytes(60));
    EXPECT_TRUE(budget.take_bytes(40));
    EXPECT_FALSE(budget.take_bytes(1));
    EXPECT_EQ(budget.reached(), LimitReached::memory);
    EXPECT_TRUE(budget.exhausted());
}

TEST(Budget, SeesTheStopFlag) {
    std::atomic<bool> stop = false;
    Budget budget(std::nullopt, std::nullopt, std::nullopt, &stop);
    EXPECT_FALSE(budget.exhausted());
    stop = true;
    EXPECT_TRUE(budget.exhausted());
    EXPECT_EQ(budget.reached(), LimitReached::stopped);
    stop = false;
    EXPECT_TRUE(budget.exhausted()); // once reached, it stays reached
}

TEST(Budget, KeepsTheFirstLimitThatWasReached) {
    Budget budget(0.0, 0, std::nullopt, nullptr);
    EXPECT_FALSE(budget.take_model());
    EXPECT_TRUE(budget.exhausted());
    EXPECT_EQ(budget.reached(), LimitReached::models);
}

TEST(Budget, GivesAPartAtMostItsShareOfTheTimeLeft) {
    const Budget budget(1000.0, 50, std::nullopt, nullptr);
    Budget part = budget.part(0.25, 1);
    EXPECT_LE(part.seconds_left().value(), 250.0);
    EXPECT_GT(part.seconds_left().value(), 200.0);
    EXPECT_TRUE(part.take_model());
    EXPECT_FALSE(part.take_model());
    EXPECT_EQ(budget.models_taken(), 0U); // parts count for themselves
}

TEST(Budget, GivesAPartTheSameStopFlag) {
    std::atomic<bool> stop = true;
    const Budget budget(std::nullopt, std::nullopt, std::nullopt, &stop);
    Budget part = budget.part(0.5, std::nullopt);
    EXPECT_EQ(part.seconds_left(), std::nullopt);
    EXPECT_TRUE(part.exhausted());
}

TEST(Budget, NamesItsLimitsForPeople) {
    EXPECT_EQ(describe(LimitReached::none), "");
    EXPECT_EQ(describe(LimitReached::time), "time limit reached");
    EXPECT_EQ(describe(LimitReached::models), "model limit reached");
    EXPECT_EQ(describe(LimitReached::memory), "memory limit reached");
    EXPECT_EQ(describe(LimitReached::stopped), "interrupted");
}

} // namespace
} // namespace neurasp::base::test
