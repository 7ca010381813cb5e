// A run's epochs as CSV.
#include "runs/epochs_csv.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace neurasp::runs {
namespace {

TEST(EpochsCsv, HasARowForEachEpochAndColumnsForAllMetrics) {
    History history;
    history.epochs.resize(2);
    EpochRecord &first = history.epochs[0];
    first.epoch = 1;
    first.batches = 4;
    first.examples = 30;
    first.loss = 0.1;
    first.mean_log_probability = -0.25;
    first.seconds = {0.5, 2.0, 1.5, 0.75};
    first.learning_rates = {{"digit", 0.001}};
    EpochRecord &second = history.epochs[1];
    second = first;
    second.epoch = 2;
    second.loss = std::numeric_limits<double>::quiet_NaN();
    second.impossible = 3;
    second.evaluations = {{"test", 10, {{"sum \"of\" a, b", 0.875, true}}, 0.5}};
    EXPECT_EQ(epochs_csv(history),
              "epoch,batches,examples,loss,mean log P(O),impossible,"
              "\"test: sum \"\"of\"\" a, b\",learning rate of digit,seconds,seconds network,"
              "seconds symbolic,seconds compile,seconds data\n"
              "1,4,30,0.1,-0.25,0,,0.001,4,2,1.5,0.75,0.5\n"
              "2,4,30,,-0.25,3,0.875,0.001,4,2,1.5,0.75,0.5\n");
}

TEST(EpochsCsv, ARunWithoutEpochsHasAHeader) {
    EXPECT_EQ(epochs_csv({}).find('\n'), epochs_csv({}).size() - 1);
}

} // namespace
} // namespace neurasp::runs
