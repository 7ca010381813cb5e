// Computations on an experiment's settings.
#include "data/experiment.hpp"

#include <gtest/gtest.h>

namespace neurasp::data {
namespace {

TEST(ExperimentSettings, SchedulesMultiplyTheRate) {
    EXPECT_EQ(schedule_factor({ScheduleKind::constant, 0, 1.0}, 7, 10), 1.0);
    const ScheduleSettings step{ScheduleKind::step, 10, 0.5};
    EXPECT_EQ(schedule_factor(step, 9, 30), 1.0);
    EXPECT_EQ(schedule_factor(step, 10, 30), 0.5);
    EXPECT_EQ(schedule_factor(step, 29, 30), 0.25);
    EXPECT_DOUBLE_EQ(schedule_factor({ScheduleKind::exponential, 0, 0.9}, 2, 10), 0.81);
    const ScheduleSettings cosine{ScheduleKind::cosine, 0, 1.0};
    EXPECT_DOUBLE_EQ(schedule_factor(cosine, 0, 10), 1.0);
    EXPECT_DOUBLE_EQ(schedule_factor(cosine, 5, 10), 0.5);
    EXPECT_DOUBLE_EQ(schedule_factor({ScheduleKind::cosine, 4, 1.0}, 9, 10), 0.0);
    EXPECT_EQ(schedule_factor(cosine, 0, 0), 1.0);
}

TEST(ExperimentSettings, TheWarmUpGrowsEvenlyToOne) {
    const ScheduleSettings schedule{ScheduleKind::constant, 0, 1.0, 4};
    EXPECT_EQ(warmup_factor(schedule, 0), 0.25);
    EXPECT_EQ(warmup_factor(schedule, 2), 0.75);
    EXPECT_EQ(warmup_factor(schedule, 3), 1.0);
    EXPECT_EQ(warmup_factor(schedule, 100), 1.0);
    EXPECT_EQ(warmup_factor({}, 0), 1.0);
}

} // namespace
} // namespace neurasp::data
