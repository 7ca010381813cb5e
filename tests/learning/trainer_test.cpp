// Whole training runs on tiny tasks with known answers.
#include "learning/small_task.hpp"
#include "protocol/history_json.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

namespace neurasp::learning {
namespace {

TEST_F(TrainerTest, LearnsTheKindsFromTheirSums) {
    for (const char *seed : {"seed=1", "seed=2", "seed=3"}) {
        const auto settings = experiment({seed});
        Trainer trainer(settings, false, {});
        const runs::TrainingResult result = trainer.run();
        ASSERT_EQ(result.history.epochs.size(), 12U);
        const runs::Evaluation &last = result.history.epochs.back().evaluations.at(0);
        EXPECT_EQ(metric(last, "accuracy of kind"), 1.0) << seed;
        EXPECT_EQ(metric(last, "sums"), 1.0);
        int even = 0;
        for (int i = 0; i < 60; i += 2) even += (kinds_[i] + kinds_[i + 1]) % 2 == 0;
        EXPECT_NEAR(metric(last, "constraints even"), even / 30.0, 1e-12);
        EXPECT_GT(metric(last, "mean log P(O)"), -0.2);
        for (const char *file : {"checkpoint.pt", "kind.pt", "log.jsonl"}) {
            EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / file)) << file;
        }
    }
}

TEST_F(TrainerTest, ResumesToTheSameBits) {
    const auto whole = experiment({"output=\"whole\""});
    Trainer uninterrupted(whole, false, {});
    uninterrupted.run();
    // stopped in the middle of the third epoch, then at its end, then finished
    const auto parts = experiment({"output=\"parts\""});
    std::atomic<bool> stop = false;
    std::size_t batches = 0;
    TrainerHooks hooks;
    hooks.stop = StopToken(stop);
    hooks.on_batch = [&](const TrainingView &) { stop = ++batches == 10; };
    EXPECT_TRUE(Trainer(parts, false, hooks).run().interrupted);
    batches = 0;
    hooks.on_batch = [&](const TrainingView &) { stop = ++batches == 2; };
    stop = false;
    EXPECT_TRUE(Trainer(parts, true, hooks).run().interrupted);
    stop = false;
    Trainer resumed(parts, true, {});
    const runs::TrainingResult result = resumed.run();
    EXPECT_FALSE(result.interrupted);
    EXPECT_EQ(weights(resumed), weights(uninterrupted));
    ASSERT_EQ(result.history.epochs.size(), 12U);
    EXPECT_EQ(result.history.epochs.back().loss,
              uninterrupted.progress().history.epochs.back().loss);
}

// Without a circuit, a step enumerates models; for pairs whose sum is 4, that never ends here. Steps have two examples,
// at once or one after the other.
class StoppedTrainerTest : public TrainerTest,
                           public testing::WithParamInterface<std::vector<std::string>> {};

INSTANTIATE_TEST_SUITE_P(Steps, StoppedTrainerTest,
                         testing::Values(std::vector<std::string>{"training.batch_size=2"},
                                         std::vector<std::string>{"training.batch_size=1",
                                                                  "training.accumulate=2"}));

TEST_P(StoppedTrainerTest, StopsWithinAStepWithoutATrace) {
    write("sum.lp", R"(img(i1). img(i2).
nn(kind(1,X),[0,1,2]) :- img(X).
sum(S) :- kind(0,i1,A), kind(0,i2,B), S = A + B.
x | y. x :- y. y :- x.
{c(1..40)} :- sum(4).)");
    std::size_t first = 0;
    while (kinds_[2 * first] + kinds_[2 * first + 1] != 4) ++first;
    ASSERT_GT(first, 0U);
    // dropout draws random numbers, and batch normalisation keeps statistics
    std::string text = toml();
    text.replace(text.find("{kind=\"softmax\"}"), 16,
                 "{kind=\"batch-norm\"}, {kind=\"dropout\", p=0.1}, {kind=\"softmax\"}");
    std::vector<std::string> settings = GetParam();
    settings.insert(settings.end(), {"training.shuffle=false", "training.epochs=1"});
    const std::size_t batches = first / 2;
    ASSERT_GT(batches, 0U);
    auto with = settings;
    with.insert(with.end(),
                {"output=\"before\"", "training.stop_after=" + std::to_string(batches)});
    const auto before = experiment(with, text);
    Trainer expected(before, false, {});
    expected.run();

    with = settings;
    with.emplace_back("output=\"stopped\"");
    const auto stopped = experiment(with, text);
    StopSource stop;
    std::atomic<std::size_t> done = 0;
    TrainerHooks hooks;
    hooks.stop = stop.token();
    hooks.on_batch = [&](const TrainingView &) { ++done; };
    Trainer trainer(stopped, false, hooks);
    std::jthread other([&] {
        while (done < batches) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(200)); // into the endless step
        stop.raise();
    });
    EXPECT_TRUE(trainer.run().interrupted);
    EXPECT_EQ(trainer.progress().batches, batches);
    EXPECT_EQ(weights(trainer), weights(expected));
}

TEST_F(TrainerTest, EvaluationsWithinAnEpochAreRecordedAndChangeNothing) {
    const auto plain = experiment({"training.epochs=3", "output=\"plain\""});
    Trainer without(plain, false, {});
    without.run();
    const auto often =
        experiment({"training.epochs=3", "training.evaluate_batches=3", "output=\"often\""});
    Trainer with(often, false, {});
    const runs::History history = with.run().history;
    EXPECT_EQ(weights(with), weights(without));
    // 30 pairs are 4 batches per epoch; the evaluation after batch 12 is that of the last epoch
    std::vector<std::pair<std::uint64_t, double>> places;
    for (const runs::EarlyEvaluation &early : history.early) {
        places.emplace_back(early.batch, early.epoch);
        EXPECT_EQ(early.evaluation.split, "test");
        EXPECT_EQ(early.evaluation.examples, 30U);
    }
    EXPECT_EQ(places,
              (std::vector<std::pair<std::uint64_t, double>>{{3, 0.75}, {6, 1.5}, {9, 2.25}}));
    for (const runs::EpochRecord &epoch : history.epochs) EXPECT_EQ(epoch.evaluations.size(), 1U);
    const runs::History saved = protocol::history_from_json(protocol::history_to_json(history));
    ASSERT_EQ(saved.early.size(), 3U);
    EXPECT_EQ(saved.early[1].epoch, 1.5);
}

TEST_F(TrainerTest, WithAlphaOneIsSupervisedTrainingStepByStep) {
    const auto settings =
        experiment({"training.alpha=1.0", "training.epochs=2", "training.shuffle=false"});
    Trainer trainer(settings, false, {});
    // the same by hand, from the same first weights
    const auto state = trainer.model().networks()[0]->state();
    std::vector<torch::Tensor> own;
    for (const auto &[name, tensor] : state) own.push_back(tensor.clone().set_requires_grad(true));
    trainer.run();
    torch::optim::Adam adam(own, torch::optim::AdamOptions(0.1));
    std::ifstream in(folder_ / "points.csv");
    torch::Tensor points = torch::empty({60, 3});
    for (int i = 0; i < 60; ++i) {
        for (int c = 0; c < 3; ++c) {
            float x = 0;
            in >> x;
            in.get();
            points[i][c] = x;
        }
    }
    for (int epoch = 0; epoch < 2; ++epoch) {
        for (int first = 0; first < 60; first += 16) {
            const int last = std::min(first + 16, 60);
            adam.zero_grad();
            const torch::Tensor scores =
                torch::linear(points.slice(0, first, last), own[0], own[1]);
            std::vector<std::int64_t> truth(kinds_.begin() + first, kinds_.begin() + last);
            torch::nll_loss(scores.softmax(1).log(), torch::tensor(truth)).backward();
            adam.step();
        }
    }
    const auto learned = trainer.model().networks()[0]->state();
    for (std::size_t t = 0; t < own.size(); ++t) {
        EXPECT_TRUE(torch::allclose(learned[t].second, own[t].detach(), 1e-4, 1e-5)) << t;
    }
}

TEST_F(TrainerTest, CountsAndNamesImpossibleExamplesAndGoesOn) {
    write("pairs.csv", "a,b,sum\n0,1,99\n2,3," + std::to_string(kinds_[2] + kinds_[3]) + "\n");
    std::vector<std::string> warnings;
    TrainerHooks hooks;
    hooks.on_warning = [&](const std::string &, const std::string &message) {
        warnings.push_back(message);
    };
    const auto settings = experiment({"training.epochs=2"});
    Trainer trainer(settings, false, hooks);
    const runs::TrainingResult result = trainer.run();
    EXPECT_EQ(result.history.epochs.at(0).impossible, 1U);
    EXPECT_EQ(result.history.epochs.at(1).impossible, 1U);
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_NE(warnings[0].find("pairs.csv:2"), std::string::npos) << warnings[0];
    for (const float weight : weights(trainer)) EXPECT_TRUE(std::isfinite(weight));
}

TEST_F(TrainerTest, OtherMethodsLearnTheTaskToo) {
    for (const char *method : {"training.method=\"sampling\"", "training.method=\"top-k\""}) {
        const auto settings = experiment({method, "training.samples=20", "training.k=2"});
        Trainer trainer(settings, false, {});
        const runs::TrainingResult result = trainer.run();
        EXPECT_GE(metric(result.history.epochs.back().evaluations.at(0), "accuracy of kind"), 0.95)
            << method;
    }
}

TEST_F(TrainerTest, RecoversKnownRuleProbabilities) {
    // 70 of 100 observations show a and 40 show b; the likelihood is greatest at these shares
    std::string rows = "obs\n";
    for (int i = 0; i < 100; ++i) {
        rows += std::string(":- ") + (i % 10 < 7 ? "not a" : "a") + ". :- " +
                (i % 5 < 2 ? "not b" : "b") + ".\n";
    }
    write("rows.csv", rows);
    const std::string text = R"toml(program_text = "@0.5 : a. @0.5 : b. c :- a, b."
output = "out"
[rules]
learning_rate = 0.02
[example]
observation = "{obs}"
[splits.train]
table = "rows.csv"
header = true
[training]
batch_size = 100
epochs = 200
)toml";
    const auto settings = experiment({}, text);
    Trainer trainer(settings, false, {});
    trainer.run();
    const auto numbers = trainer.model().rule_values();
    EXPECT_NEAR(numbers[0], 0.7, 0.01);
    EXPECT_NEAR(numbers[1], 0.3, 0.01);
    EXPECT_NEAR(numbers[2], 0.4, 0.01);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "rules.json"));
}

TEST_F(TrainerTest, LearnsRulesThatOnlyFactsOfObservationsGround) {
    write("rows.csv", "obs\nitem(1). :- not a(1).\nitem(2). :- not a(2).\n");
    const std::string text = R"toml(program_text = "@0.9 : z. @0.5 : a(X) | @0.5 : b(X) :- item(X)."
output = "out"
[rules]
learning_rate = 0.1
[example]
observation = "{obs}"
[splits.train]
table = "rows.csv"
header = true
[training]
epochs = 20
)toml";
    const auto settings = experiment({}, text);
    Trainer trainer(settings, false, {});
    trainer.run();
    const auto numbers = trainer.model().rule_values();
    ASSERT_EQ(numbers.size(), 4U);
    EXPECT_NEAR(numbers[0], 0.9, 1e-12); // nothing depends on z
    EXPECT_GT(numbers[2], 0.95);
}

TEST_F(TrainerTest, DoesNotTouchNetworksThatABatchDoesNotCallEvenAfterResuming) {
    write("two.lp", R"(nn(kind(1,X),[0,1,2]) :- first(X). nn(other(1,X),[0,1,2]) :- second(X).
ok(V) :- kind(0,i1,V). ok(V) :- other(0,i1,V).)");
    std::string rows = "a,fact,v\n";
    for (int i = 0; i < 12; ++i) {
        rows += std::to_string(i) + (i % 3 == 0 ? ",first," : ",second,") +
                std::to_string(kinds_[i]) + "\n";
    }
    write("rows.csv", rows);
    std::string text = R"toml(program = "two.lp"
[networks.kind]
layers = [{kind="linear", out=3}, {kind="softmax"}]
[networks.other]
layers = [{kind="linear", out=3}, {kind="softmax"}]
[example]
observation = "{fact}(i1). :- not ok({v})."
[example.inputs]
i1 = "points[a]"
[splits.train]
table = "rows.csv"
[splits.train.arrays]
points = {file = "points.csv"}
[training]
batch_size = 1
epochs = 2
)toml";
    const auto whole = experiment({"output=\"whole\""}, text);
    Trainer uninterrupted(whole, false, {});
    uninterrupted.run();
    const auto first = experiment({"output=\"parts\"", "training.stop_after=5"}, text);
    Trainer(first, false, {}).run();
    const auto second = experiment({"output=\"parts\""}, text);
    Trainer resumed(second, true, {});
    resumed.run();
    EXPECT_EQ(weights(resumed), weights(uninterrupted));
}

} // namespace
} // namespace neurasp::learning
