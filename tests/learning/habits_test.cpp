// Habits of people who train: best weights, early stopping, other optimisers, warm-up, accumulated gradients.
#include "learning/habits_task.hpp"
#include "learning/trainer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <utility>

namespace neurasp::learning {
namespace {

// Four of ten sums of the split validation are wrong, so that its log-probability falls again as the network becomes
// sure.
const std::vector<std::string> noisy = {"splits.validation.table=noisy.csv"};

TEST_F(HabitsTest, KeepsTheWeightsOfTheBestEvaluation) {
    write_noisy_sums();
    const auto plain = settings(with(noisy, {"output=\"plain\""}));
    // the weights after each epoch
    std::vector<std::vector<float>> after;
    Trainer *running = nullptr;
    TrainerHooks hooks;
    hooks.on_epoch = [&](const runs::EpochRecord &) { after.push_back(weights(*running)); };
    Trainer all(plain, false, hooks);
    running = &all;
    const runs::History history = all.run().history;
    std::size_t best = 0;
    for (std::size_t e = 0; e < history.epochs.size(); ++e) {
        const double now = value(history.epochs[e], "mean log P(O)");
        if (now > value(history.epochs[best], "mean log P(O)")) best = e;
    }
    ASSERT_LT(best + 1, history.epochs.size()) << "the task must not end with its best epoch";

    const auto kept = settings(with(noisy, {"output=\"kept\"", "training.best=mean log P(O)"}));
    Trainer trainer(kept, false, {});
    const runs::TrainingResult result = trainer.run();
    ASSERT_TRUE(result.history.best);
    EXPECT_EQ(result.history.best->epoch, static_cast<double>(best + 1));
    EXPECT_EQ(result.history.best->value, value(history.epochs[best], "mean log P(O)"));
    EXPECT_EQ(weights(trainer), after[best]);
    EXPECT_EQ(result.history.epochs.size(), 12U);
    EXPECT_EQ(result.finished, "");
    // the weights in the folder are these
    trainer.model().load((folder_ / "kept").string());
    EXPECT_EQ(weights(trainer), after[best]);
}

TEST_F(HabitsTest, StopsWhenPatienceEnds) {
    write_noisy_sums();
    const auto patient = [&](const std::string &evaluations) {
        return settings(
            with(noisy, {"output=\"patient\"", "training.epochs=50", "training.best=mean log P(O)",
                         "training.patience=" + evaluations}));
    };
    const auto run = [&](const data::Experiment &experiment, bool resume) { // and what it leaves
        Trainer trainer(experiment, resume, {});
        runs::TrainingResult result = trainer.run();
        return std::pair(std::move(result), weights(trainer));
    };
    const auto two = patient("2");
    const auto [result, left] = run(two, false);
    const auto &epochs = result.history.epochs;
    ASSERT_LT(epochs.size(), 50U);
    ASSERT_GT(epochs.size(), 2U);
    EXPECT_FALSE(result.interrupted);
    EXPECT_EQ(result.finished, "'mean log P(O)' has not improved for 2 evaluations");
    const double best = value(epochs[epochs.size() - 3], "mean log P(O)");
    for (const runs::EpochRecord &epoch : epochs) {
        EXPECT_LE(value(epoch, "mean log P(O)"), best) << epoch.epoch;
    }
    EXPECT_EQ(result.history.best->value, best);
    // resuming it has nothing to do, and with more patience it goes on
    const auto [again, same] = run(two, true);
    EXPECT_EQ(again.history.epochs.size(), epochs.size());
    EXPECT_EQ(same, left);
    const auto four = patient("4");
    EXPECT_GT(run(four, true).first.history.epochs.size(), epochs.size());
}

TEST_F(HabitsTest, ACheckpointWithoutItsBestWeightsIsRejected) {
    const auto plain = settings({});
    Trainer trainer(plain, false, {});
    const std::string file = (folder_ / "other.pt").string();
    Optimizers none;
    Progress progress;
    save_checkpoint(file, "f", trainer.model(), none, progress);
    EXPECT_NO_THROW(load_checkpoint(file, "f", trainer.model(), none));
    progress.history.best = {"sums", 0.5, true, 4, 1.0, 0, 4};
    save_checkpoint(file, "f", trainer.model(), none, progress);
    EXPECT_THROW(load_checkpoint(file, "f", trainer.model(), none), InputError);
    progress.best_weights = state_of(trainer.model());
    save_checkpoint(file, "f", trainer.model(), none, progress);
    EXPECT_TRUE(load_checkpoint(file, "f", trainer.model(), none).best_weights);
    progress.best_weights->networks[0][0].second = torch::zeros({7});
    save_checkpoint(file, "f", trainer.model(), none, progress);
    EXPECT_THROW(load_checkpoint(file, "f", trainer.model(), none), InputError);
}

TEST_F(HabitsTest, AMetricOfWholeOutputsNeedsSeveralEvents) {
    const auto wrong = settings({"training.best=whole outputs of kind"});
    try {
        Trainer(wrong, false, {});
        FAIL() << "accepted";
    } catch (const InputError &error) {
        EXPECT_EQ(error.diagnostics().front().code, "unknown-metric");
        EXPECT_NE(error.diagnostics().front().message.find("use 'accuracy of kind'"),
                  std::string::npos);
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out" / "log.jsonl"));
}

// AdamW as in Loshchilov and Hutter, "Decoupled weight decay regularization", with torch's schedule multiplier: the
// decay is multiplied by the learning rate. The rate grows over the first five steps.
TEST_F(HabitsTest, AdamWWithWarmUpFollowsItsFormula) {
    const auto supervised =
        settings({"training.alpha=1.0", "training.epochs=2", "training.shuffle=false",
                  "networks.kind.optimizer.kind=adamw", "networks.kind.optimizer.weight_decay=0.3",
                  "networks.kind.optimizer.beta1=0.8", "networks.kind.schedule.warmup=5"});
    Trainer trainer(supervised, false, {});
    std::vector<torch::Tensor> own = first_weights(trainer);
    const runs::History history = trainer.run().history;
    const LinearTask task(folder_ / "points.csv", kinds_);
    std::vector<torch::Tensor> m{torch::zeros_like(own[0]), torch::zeros_like(own[1])};
    std::vector<torch::Tensor> v{torch::zeros_like(own[0]), torch::zeros_like(own[1])};
    int step = 0;
    for (int epoch = 0; epoch < 2; ++epoch) {
        for (int first = 0; first < 60; first += 16) {
            const auto gradient = task.gradient(own, first, std::min(first + 16, 60));
            ++step;
            const double rate = 0.1 * std::min(1.0, step / 5.0);
            for (std::size_t t = 0; t < own.size(); ++t) {
                m[t] = 0.8 * m[t] + 0.2 * gradient[t];
                v[t] = 0.999 * v[t] + 0.001 * gradient[t] * gradient[t];
                const torch::Tensor mean = m[t] / (1 - std::pow(0.8, step));
                const torch::Tensor square = v[t] / (1 - std::pow(0.999, step));
                own[t] = own[t] - rate * 0.3 * own[t] - rate * mean / (square.sqrt() + 1e-8);
            }
        }
        EXPECT_NEAR(history.epochs[epoch].learning_rates.at(0).second,
                    0.1 * std::min(1.0, step / 5.0), 1e-12);
    }
    const auto learned = trainer.model().networks()[0]->state();
    for (std::size_t t = 0; t < own.size(); ++t) {
        EXPECT_TRUE(torch::allclose(learned[t].second.to(torch::kDouble), own[t], 1e-4, 1e-5)) << t;
    }
}

// Rounding of floats, over all steps; the order of additions differs.
constexpr double accumulated_tolerance = 2e-4;

TEST_F(HabitsTest, AccumulatedGradientsAreThoseOfALargerBatch) {
    for (const char *alpha : {"training.alpha=0.0", "training.alpha=0.5", "training.alpha=1.0"}) {
        const auto large = settings({alpha, "training.batch_size=12", "output=\"large\""});
        const auto small =
            settings({alpha, "training.batch_size=5", "training.accumulate=1", "output=\"small\""});
        const auto parts =
            settings({alpha, "training.batch_size=4", "training.accumulate=3", "output=\"parts\""});
        Trainer whole(large, false, {});
        Trainer split(parts, false, {});
        Trainer other(small, false, {});
        const runs::History expected = whole.run().history;
        const runs::History history = split.run().history;
        other.run();
        ASSERT_EQ(history.epochs.size(), 12U);
        EXPECT_EQ(history.epochs[0].batches, 3U); // 30 pairs
        for (std::size_t e = 0; e < 12; ++e) {
            EXPECT_NEAR(history.epochs[e].loss, expected.epochs[e].loss, accumulated_tolerance);
        }
        const auto one = weights(whole);
        const auto two = weights(split);
        double largest = 0.0;
        for (std::size_t i = 0; i < one.size(); ++i) {
            EXPECT_NEAR(one[i], two[i], accumulated_tolerance) << alpha;
            largest = std::max<double>(largest, std::abs(one[i] - weights(other)[i]));
        }
        EXPECT_GT(largest, 10 * accumulated_tolerance) << "any batch size would pass";
    }
}

TEST_F(HabitsTest, ImpossibleExamplesDoNotWeighOnAccumulatedGradients) {
    std::string pairs = "a,b,sum\n";
    for (int i = 0; i < 24; i += 2) {
        const int sum = i < 6 ? 99 : kinds_[i] + kinds_[i + 1]; // the first three are impossible
        pairs += std::to_string(i) + "," + std::to_string(i + 1) + "," + std::to_string(sum) + "\n";
    }
    write("pairs.csv", pairs);
    const std::vector<std::string> common = {"training.shuffle=false", "training.epochs=6",
                                             "networks.kind.optimizer.kind=sgd"};
    const auto large = settings(with(common, {"training.batch_size=12", "output=\"large\""}));
    const auto parts = settings(
        with(common, {"training.batch_size=3", "training.accumulate=4", "output=\"parts\""}));
    Trainer whole(large, false, {});
    Trainer split(parts, false, {});
    whole.run();
    split.run();
    for (std::size_t i = 0; i < weights(whole).size(); ++i) {
        EXPECT_NEAR(weights(whole)[i], weights(split)[i], accumulated_tolerance);
    }
}

// Stopped three times, in the middle of epochs and within an evaluation, with every setting on.
TEST_F(HabitsTest, ResumesToTheSameBitsWithEverySetting) {
    write_pictures();
    std::string text =
        picture_task(", augment = {shift = 0.5, rotate = 10, scale = 0.1, noise = 0.05}");
    text.replace(text.find("{kind=\"softmax\"}"), 16,
                 "{kind=\"batch-norm\"}, {kind=\"dropout\", p=0.1}, {kind=\"softmax\"}");
    const std::vector<std::string> all = {"training.best=mean log P(O)",
                                          "training.patience=30",
                                          "training.batch_size=4",
                                          "training.accumulate=2",
                                          "training.alpha=0.3",
                                          "training.evaluate_batches=3",
                                          "training.clip=0.5",
                                          "networks.kind.optimizer.kind=adamw",
                                          "networks.kind.schedule.kind=cosine",
                                          "networks.kind.optimizer.weight_decay=0.05",
                                          "networks.kind.schedule.warmup=7",
                                          "training.label_smoothing=0.1",
                                          "networks.kind.class_weights=[1, 2, 1.5]"};
    const auto whole = experiment(with(all, {"output=\"whole\""}), text);
    Trainer uninterrupted(whole, false, {});
    const runs::History expected = uninterrupted.run().history;
    const auto parts = experiment(with(all, {"output=\"parts\""}), text);
    bool resume = false;
    for (const std::size_t after :
         {5, 4, 7}) { // 5 and 9 batches: within epochs; 16: an epoch's end
        std::atomic<bool> stop = false;
        std::size_t batches = 0;
        TrainerHooks hooks;
        hooks.stop = StopToken(stop);
        hooks.on_batch = [&](const TrainingView &) { stop = ++batches == after; };
        EXPECT_TRUE(Trainer(parts, resume, hooks).run().interrupted);
        resume = true;
    }
    Trainer resumed(parts, true, {});
    const runs::TrainingResult result = resumed.run();
    EXPECT_EQ(weights(resumed), weights(uninterrupted));
    ASSERT_TRUE(result.history.best && expected.best);
    EXPECT_EQ(result.history.best->value, expected.best->value);
    EXPECT_EQ(result.history.best->batch, expected.best->batch);
    EXPECT_EQ(result.history.early.size(), expected.early.size());
    ASSERT_EQ(result.history.epochs.size(), expected.epochs.size());
    for (std::size_t e = 0; e < expected.epochs.size(); ++e) {
        EXPECT_EQ(result.history.epochs[e].loss, expected.epochs[e].loss) << e;
    }
    ASSERT_EQ(result.history.confusions.size(), 2U); // of two splits
    ASSERT_EQ(expected.confusions.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(result.history.confusions[i].split, expected.confusions[i].split);
        EXPECT_EQ(result.history.confusions[i].counts, expected.confusions[i].counts);
    }
}

} // namespace
} // namespace neurasp::learning
