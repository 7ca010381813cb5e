// Budgets: limits, shares of processor time, progress, stop tokens.
#include "base/budget.hpp"
#include "support/broken_invariant.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace neurasp::base::test {
namespace {

Limits within(double seconds) {
    Limits limits;
    limits.seconds = seconds;
    return limits;
}

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
    Limits limits;
    limits.models = 2;
    Budget budget(limits);
    EXPECT_TRUE(budget.take_model());
    EXPECT_TRUE(budget.take_model());
    EXPECT_EQ(budget.reached(), LimitReached::none); // two were allowed
    EXPECT_FALSE(budget.take_model());
    EXPECT_EQ(budget.models_taken(), 2U);
    EXPECT_EQ(budget.reached(), LimitReached::models);
    EXPECT_TRUE(budget.exhausted());
}

TEST(Budget, EndsAtOnceWithoutTime) {
    Budget budget(within(0.0));
    EXPECT_TRUE(budget.exhausted());
    EXPECT_EQ(budget.reached(), LimitReached::time);
    EXPECT_EQ(budget.seconds_left(), 0.0);
}

TEST(Budget, TakesAnyNumberOfSeconds) {
    for (const double seconds : {1e-300, -5.0}) {
        EXPECT_TRUE(Budget(within(seconds)).exhausted()) << seconds;
    }
    for (const double seconds : {1e300, 1e9, 1e5}) {
        EXPECT_FALSE(Budget(within(seconds)).exhausted()) << seconds;
    }
}

TEST(Budget, RefusesBytesBeyondItsLimit) {
    Limits limits;
    limits.bytes = 100;
    Budget budget(limits);
    EXPECT_TRUE(budget.take_bytes(60));
    EXPECT_TRUE(budget.take_bytes(40));
    EXPECT_FALSE(budget.take_bytes(1));
    EXPECT_EQ(budget.reached(), LimitReached::memory);
    EXPECT_TRUE(budget.exhausted());
}

TEST(Budget, SeesTheStopFlag) {
    std::atomic<bool> stop = false;
    Limits limits;
    limits.stop = StopToken(stop);
    Budget budget(limits);
    EXPECT_FALSE(budget.exhausted());
    stop = true;
    EXPECT_TRUE(budget.exhausted());
    EXPECT_EQ(budget.reached(), LimitReached::stopped);
    stop = false;
    EXPECT_TRUE(budget.exhausted()); // once reached, it stays reached
}

TEST(Budget, KeepsTheFirstLimitThatWasReached) {
    Limits limits = within(0.0);
    limits.models = 0;
    Budget budget(limits);
    EXPECT_FALSE(budget.take_model());
    EXPECT_TRUE(budget.exhausted());
    EXPECT_EQ(budget.reached(), LimitReached::models);
}

TEST(Budget, GivesAPartAtMostItsShareOfTheTimeLeft) {
    Limits limits = within(1000.0);
    limits.models = 50;
    const Budget budget(limits);
    Budget part = budget.part({0.25, {}, {}}).with_models(1);
    EXPECT_LE(part.seconds_left().value(), 250.0);
    EXPECT_GT(part.seconds_left().value(), 200.0);
    EXPECT_TRUE(part.take_model());
    EXPECT_FALSE(part.take_model());
    EXPECT_EQ(budget.models_taken(), 0U); // a part counts its own models
}

TEST(Budget, GivesAPartTheSameStopFlag) {
    std::atomic<bool> stop = true;
    Limits limits;
    limits.stop = StopToken(stop);
    const Budget budget(limits);
    Budget part = budget.part({0.5, {}, {}});
    EXPECT_EQ(part.seconds_left(), std::nullopt);
    EXPECT_TRUE(part.exhausted());
}

// Keeps the calling thread busy for this much processor time.
void burn(double seconds) {
    const double end = thread_seconds() + seconds;
    while (thread_seconds() < end) {
    }
}

void sleep(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

TEST(BudgetShares, AreUsedUpByWork) {
    Budget share = Budget().with_seconds(0.02);
    EXPECT_FALSE(share.exhausted());
    burn(0.02);
    EXPECT_EQ(share.seconds_left(), 0.0);
    EXPECT_TRUE(share.exhausted());
    EXPECT_EQ(share.reached(), LimitReached::time);
}

TEST(BudgetShares, AreNotUsedUpByWaiting) {
    Budget share = Budget().with_seconds(0.02);
    sleep(0.05);
    EXPECT_FALSE(share.exhausted());
    EXPECT_GT(share.seconds_left().value(), 0.0);
    EXPECT_GE(share.seconds_used(), 0.05); // wall-clock time
    burn(0.02);
    EXPECT_TRUE(share.exhausted());
}

TEST(BudgetShares, AreNotUsedUpByOtherThreads) {
    Budget share = Budget().with_seconds(0.02);
    std::thread(burn, 0.05).join();
    EXPECT_FALSE(share.exhausted());
}

TEST(BudgetShares, EndAtTheCallersDeadline) {
    const Budget budget(within(0.02));
    Budget share = budget.with_seconds(1000.0);
    Budget part = budget.part({0.5, {}, {}});
    EXPECT_LE(share.seconds_left().value(), 0.02);
    sleep(0.02); // no processor time
    EXPECT_TRUE(share.exhausted());
    EXPECT_TRUE(part.exhausted());
    EXPECT_EQ(share.reached(), LimitReached::time);
}

TEST(BudgetShares, OfSharesAreSmaller) {
    const Budget budget(within(1000.0));
    const Budget half = budget.part({0.5, {}, {}});
    const Budget quarter = half.part({0.5, {}, {}});
    EXPECT_LE(quarter.seconds_left().value(), 250.0);
    EXPECT_GT(quarter.seconds_left().value(), 200.0);
}

TEST(BudgetShares, OfUnlimitedTimeAreTheSecondsOfThePlan) {
    const Budget unlimited;
    EXPECT_EQ(unlimited.part({0.5, {}, {}}).seconds_left(), std::nullopt);
    const double granted = unlimited.part({0.5, 100.0, {}}).seconds_left().value();
    EXPECT_LE(granted, 100.0);
    EXPECT_GT(granted, 90.0);
    EXPECT_LE(unlimited.part({0.5, {}, 10.0}).seconds_left().value(), 10.0);
    EXPECT_LE(unlimited.part({0.5, 100.0, 10.0}).seconds_left().value(), 10.0);
    EXPECT_LE(Budget(within(1000.0)).part({0.5, 1e9, 10.0}).seconds_left().value(), 10.0);
}

TEST(BudgetShares, StartAfreshAfterALimitWasReached) {
    Limits limits;
    limits.models = 1;
    Budget budget(limits);
    EXPECT_TRUE(budget.take_model());
    EXPECT_FALSE(budget.take_model());
    Budget part = budget.part(time_plan::all);
    EXPECT_FALSE(part.exhausted());
    EXPECT_TRUE(part.take_model());
    EXPECT_FALSE(part.take_model());
}

void watch(Budget &budget, std::chrono::milliseconds time) {
    const auto end = Clock::now() + time;
    while (Clock::now() < end) budget.exhausted();
}

TEST(BudgetProgress, IsReportedAtMostTenTimesASecondByTheCaller) {
    std::vector<Clock::time_point> times{Clock::now()};
    std::vector<std::thread::id> threads;
    Limits limits;
    limits.on_progress = [&](const Progress &) {
        times.push_back(Clock::now());
        threads.push_back(std::this_thread::get_id());
    };
    Budget budget(limits);
    watch(budget, std::chrono::milliseconds(330));
    ASSERT_GE(times.size(), 2U); // the first entry is the start
    // The clock is read before the report, so a late report may seem closer to the next one than 100 ms.
    const auto all = std::chrono::milliseconds(100) * (times.size() - 2);
    EXPECT_GE(times.back() - times.front(), all);
    for (const auto thread : threads) EXPECT_EQ(thread, std::this_thread::get_id());
}

TEST(BudgetProgress, ReportsThePhaseAndTheNumbersOfTheWork) {
    std::vector<Progress> reports;
    Limits limits;
    limits.on_progress = [&](const Progress &progress) { reports.push_back(progress); };
    const Budget budget(limits);
    budget.report(Phase::compiling);
    budget.report(7, 0.25, 0.5);
    Budget part = budget.part(time_plan::all); // shares the reporter
    while (reports.empty()) part.exhausted();
    EXPECT_EQ(reports[0].phase, Phase::compiling);
    EXPECT_EQ(reports[0].done, 7U);
    EXPECT_EQ(reports[0].lower, 0.25);
    EXPECT_EQ(reports[0].upper, 0.5);
    EXPECT_GE(reports[0].seconds, 0.1);
    part.report(Phase::searching); // the numbers belonged to the phase before
    while (reports.size() < 2) part.exhausted();
    EXPECT_EQ(reports[1].phase, Phase::searching);
    EXPECT_EQ(reports[1].done, 0U);
    EXPECT_EQ(reports[1].lower, std::nullopt);
}

TEST(BudgetProgress, NamesItsPhasesForPeople) {
    EXPECT_EQ(name_of(Phase::grounding), "grounding");
    EXPECT_EQ(name_of(Phase::compiling), "compiling");
    EXPECT_EQ(name_of(Phase::searching), "searching");
    EXPECT_EQ(name_of(Phase::sampling), "sampling");
    EXPECT_EQ(name_of(Phase::preparing), "preparing");
}

TEST(StopToken, IsNeverRaisedWithoutASource) { EXPECT_FALSE(StopToken().raised()); }

TEST(StopToken, SeesItsSourceRaisedByAnotherThread) {
    StopSource source;
    const StopToken token = source.token();
    const StopToken copy = token;
    EXPECT_FALSE(token.raised());
    std::thread([&source] { source.raise(); }).join();
    EXPECT_TRUE(token.raised());
    EXPECT_TRUE(copy.raised());
    EXPECT_TRUE(source.token().raised());
    EXPECT_FALSE(StopSource().token().raised()); // another source
}

TEST(StopToken, OutlivesItsSource) {
    StopToken token;
    {
        StopSource source;
        token = source.token();
        EXPECT_FALSE(token.raised());
        source.raise();
    }
    EXPECT_TRUE(token.raised());
}

TEST(Budget, NamesItsLimitsForPeople) {
    EXPECT_EQ(describe(LimitReached::none), "");
    EXPECT_EQ(describe(LimitReached::time), "time limit reached");
    EXPECT_EQ(describe(LimitReached::models), "model limit reached");
    EXPECT_EQ(describe(LimitReached::memory), "memory limit reached");
    EXPECT_EQ(describe(LimitReached::stopped), "interrupted");
}

TEST(Budget, AShareThatLeavesARestEndsByTheWallClockToo) {
    Limits limits;
    limits.seconds = 1000.0;
    const Budget budget(limits);
    const Budget part = budget.part({0.25, {}, {}, true});
    const Budget other = budget.part({0.25, {}, {}});
    EXPECT_LE(part.with_seconds(1e6).seconds_left().value(), 250.0); // by the wall clock
    EXPECT_GT(other.with_seconds(1e6).seconds_left().value(), 900.0);
}

TEST(Budget, AShareBelongsToTheThreadThatMadeIt) {
    NEURASP_NEEDS_ASSERTIONS();
    Budget part = Budget().with_seconds(1000.0);
    EXPECT_FALSE(part.exhausted());
    std::string broken;
    std::thread([&] {
        broken = neurasp::test::broken_invariant([&] { part.exhausted(); });
    }).join();
    EXPECT_NE(broken.find("a share is used by the thread that made it"), std::string::npos);
}

TEST(Budget, KnowsThatItIsInsideACallOfOnProgress) {
    Limits limits;
    bool inside = false;
    limits.on_progress = [&](const Progress &) { inside = is_reporting(); };
    Budget budget(limits);
    while (!inside && !budget.exhausted()) {
    }
    EXPECT_TRUE(inside);
    EXPECT_FALSE(is_reporting());
}

} // namespace
} // namespace neurasp::base::test
