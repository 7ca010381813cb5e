// Habits of people who train: augmented pictures, smoothed and weighted labels, a look at mistakes, tables.
#include "learning/habits_task.hpp"
#include "learning/trainer.hpp"
#include "runs/experiment_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace neurasp::learning {
namespace {

TEST_F(HabitsTest, AugmentedPicturesDifferInEachEpochButNotInEachRun) {
    write_pictures();
    const std::string plain = picture_task();
    const std::string moved = picture_task(", augment = {shift = 1}");
    // the picture of the first example in a batch, before training
    const auto first_batch = [&](const std::string &text, std::uint64_t seed) {
        const data::Experiment settings = experiment({}, text);
        data::ArrayStore arrays;
        TrainingProgram step(runs::program_of(settings), step_options(settings, true));
        const data::Dataset dataset(settings, "train", arrays);
        BatchMaker maker(dataset, step);
        maker.augment(seed);
        const std::vector<std::size_t> examples{0, 1};
        return maker.make(examples, BatchMaker::For::training).inputs.at(0);
    };
    EXPECT_TRUE(torch::equal(first_batch(moved, 1), first_batch(moved, 1)));
    EXPECT_FALSE(torch::equal(first_batch(moved, 1), first_batch(moved, 2)));
    EXPECT_FALSE(torch::equal(first_batch(moved, 1), first_batch(plain, 1)));
    EXPECT_TRUE(torch::equal(first_batch(plain, 1), first_batch(plain, 2)));
    const auto one = experiment({"output=\"one\""}, moved);
    const auto two = experiment({"output=\"two\""}, moved);
    const auto other = experiment({"output=\"other\""}, plain);
    Trainer first(one, false, {});
    Trainer second(two, false, {});
    Trainer third(other, false, {});
    first.run();
    second.run();
    third.run();
    EXPECT_EQ(weights(first), weights(second));
    EXPECT_NE(weights(first), weights(third));
}

TEST_F(HabitsTest, OnlyPicturesCanBeAugmented) {
    std::string text = toml();
    text.replace(text.find("\"points.csv\"}"), 13, "\"points.csv\", augment = {shift = 1}}");
    const auto wrong = experiment({}, text);
    try {
        Trainer(wrong, false, {});
        FAIL() << "accepted";
    } catch (const InputError &error) {
        EXPECT_EQ(error.diagnostics().front().code, "data-shape");
        EXPECT_NE(error.diagnostics().front().message.find("cannot be augmented"),
                  std::string::npos);
    }
}

// With smoothing s and weights w, the target of an outcome k is (1 - s) w[y] [k = y] + s w[k] / 3.
TEST_F(HabitsTest, SmoothedAndWeightedLabelsGiveTheStepsOfTheirFormula) {
    const auto supervised =
        settings({"training.alpha=1.0", "training.epochs=1", "training.shuffle=false",
                  "networks.kind.optimizer.kind=sgd", "training.label_smoothing=0.3",
                  "networks.kind.class_weights=[1, 2, 5]"});
    Trainer trainer(supervised, false, {});
    std::vector<torch::Tensor> own = first_weights(trainer);
    trainer.run();
    const LinearTask task(folder_ / "points.csv", kinds_);
    const torch::Tensor w = torch::tensor({1.0, 2.0, 5.0}, torch::kDouble);
    for (int first = 0; first < 60; first += 16) {
        const torch::Tensor x = task.points.slice(0, first, std::min(first + 16, 60));
        const torch::Tensor y = task.truth.slice(0, first, std::min(first + 16, 60));
        const torch::Tensor p = (x.matmul(own[0].t()) + own[1]).softmax(1);
        torch::Tensor target = (w * (0.3 / 3)).repeat({y.size(0), 1});
        for (std::int64_t i = 0; i < y.size(0); ++i) {
            target[i][y[i].item<std::int64_t>()] += 0.7 * w[y[i].item<std::int64_t>()];
        }
        const torch::Tensor d =
            (p * target.sum(1, true) - target) / w.index_select(0, y).sum().item<double>();
        own[0] = own[0] - 0.1 * d.t().matmul(x);
        own[1] = own[1] - 0.1 * d.sum(0);
    }
    const auto learned = trainer.model().networks()[0]->state();
    for (std::size_t t = 0; t < own.size(); ++t) {
        EXPECT_TRUE(torch::allclose(learned[t].second.to(torch::kDouble), own[t], 1e-4, 1e-5)) << t;
    }
}

TEST_F(HabitsTest, ThereIsAWeightForEachOutcome) {
    const auto wrong = settings({"training.alpha=1.0", "networks.kind.class_weights=[1, 2]"});
    try {
        Trainer(wrong, false, {});
        FAIL() << "accepted";
    } catch (const InputError &error) {
        EXPECT_EQ(error.diagnostics().front().code, "class-weights");
        EXPECT_EQ(
            error.diagnostics().front().message,
            "'class_weights' of network 'kind' has 2 numbers, but the network has 3 outcomes");
    }
}

TEST_F(HabitsTest, MistakesAreShownFirst) {
    const auto untrained = experiment({"training.epochs=0"});
    Trainer trainer(untrained, false, {});
    trainer.run();
    const auto all = trainer.predictions(30);
    ASSERT_EQ(all.size(), 30U);
    std::size_t mistakes = 0;
    while (mistakes < 30 && is_mistake(all[mistakes])) ++mistakes;
    ASSERT_GT(mistakes, 0U);
    ASSERT_LT(mistakes, 30U) << "the task needs examples that an untrained network gets right";
    for (std::size_t i = mistakes; i < 30; ++i) EXPECT_FALSE(is_mistake(all[i])) << i;
    const auto some = trainer.predictions(mistakes);
    EXPECT_TRUE(std::all_of(some.begin(), some.end(), runs::is_mistake));
    EXPECT_EQ(all.front().expected.size(), 1U);
    EXPECT_EQ(all.front().expected.at(0).substr(0, 4), "sum(");
}

TEST_F(HabitsTest, EpochsAreAlsoATable) {
    const auto short_run = settings({"training.epochs=3"});
    Trainer(short_run, false, {}).run();
    std::ifstream in(folder_ / "out" / "epochs.csv");
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0].substr(0, 20), "epoch,batches,exampl");
    EXPECT_NE(lines[0].find(",validation: accuracy of kind,"), std::string::npos);
    EXPECT_EQ(lines[3].substr(0, 7), "3,4,30,");
}

} // namespace
} // namespace neurasp::learning
