// Which evaluation is the best, and when patience ends.
#include "runs/best_evaluation.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace neurasp::runs {
namespace {

Evaluation measured(double value) { return {"validation", 10, {{"right", value, true}}, 0.0}; }

TEST(BestEvaluation, TheFirstOfEqualValuesStaysTheBest) {
    History history;
    EXPECT_TRUE(note_evaluation(history, "right", measured(0.5), {4, 1.0}));
    EXPECT_TRUE(note_evaluation(history, "right", measured(0.75), {8, 2.0}));
    EXPECT_FALSE(note_evaluation(history, "right", measured(0.75), {12, 3.0}));
    EXPECT_FALSE(note_evaluation(history, "right", measured(0.25), {14, 3.5}));
    ASSERT_TRUE(history.best);
    EXPECT_EQ(history.best->value, 0.75);
    EXPECT_EQ(history.best->batch, 8U);
    EXPECT_EQ(history.best->epoch, 2.0);
    EXPECT_EQ(history.best->since, 2U);
}

TEST(BestEvaluation, PatienceCountsEvaluationsSinceTheBest) {
    History history;
    EXPECT_FALSE(is_patience_exhausted(history, 1));
    note_evaluation(history, "right", measured(0.5), {4, 1.0});
    EXPECT_FALSE(is_patience_exhausted(history, 1));
    note_evaluation(history, "right", measured(0.5), {8, 2.0});
    EXPECT_TRUE(is_patience_exhausted(history, 1));
    EXPECT_FALSE(is_patience_exhausted(history, 2));
    EXPECT_FALSE(is_patience_exhausted(history, 0));
}

TEST(BestEvaluation, AnEvaluationCountsOnce) {
    History history;
    note_evaluation(history, "right", measured(0.5), {4, 1.0});
    note_evaluation(history, "right", measured(0.25), {8, 2.0});
    EXPECT_FALSE(note_evaluation(history, "right", measured(0.25), {8, 2.0}));
    EXPECT_EQ(history.best->since, 1U);
}

TEST(BestEvaluation, ANumberThatWasNotMeasuredIsNotAnImprovement) {
    History history;
    EXPECT_FALSE(note_evaluation(history, "other", measured(0.5), {4, 1.0}));
    EXPECT_FALSE(note_evaluation(history, "right",
                                 measured(std::numeric_limits<double>::quiet_NaN()), {8, 2.0}));
    EXPECT_TRUE(is_patience_exhausted(history, 2));
    EXPECT_TRUE(note_evaluation(history, "right", measured(-3.0), {12, 3.0}));
    EXPECT_EQ(history.best->value, -3.0);
}

TEST(BestEvaluation, EpochsHaveNames) {
    EXPECT_EQ(epoch_name(7.0), "epoch 7");
    EXPECT_EQ(epoch_name(6.5), "epoch 6.5");
}

} // namespace
} // namespace neurasp::runs
