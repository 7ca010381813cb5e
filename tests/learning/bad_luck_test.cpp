// Checkpoints that are damaged or contradict themselves, networks that cannot be trained, training that diverges.
#include "base/atomic_file.hpp"
#include "learning/model.hpp"
#include "learning/small_task.hpp"

#include <gmock/gmock.h>
#include <torch/script.h>

#include <limits>

namespace neurasp::learning {
namespace {

using testing::HasSubstr;

class BadLuck : public TrainerTest {
  protected:
    template <class Action> static Diagnostic error_of(Action action) {
        try {
            action();
        } catch (const InputError &error) {
            return error.diagnostics().front();
        }
        ADD_FAILURE() << "no InputError";
        return {};
    }
    static std::string bytes_of(const std::string &file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    // The task with a network that is a TorchScript module of one weight, 3 x 3.
    data::Experiment with_script(const std::string &forward) const {
        torch::jit::Module module("Test");
        module.register_parameter("weight", torch::eye(3).set_requires_grad(true), false);
        module.define("def forward(self, x: Tensor):\n" + forward);
        return with_module(module);
    }
    data::Experiment with_module(const torch::jit::Module &module) const {
        module.save((folder_ / "script.pt").string());
        std::string text = toml();
        const std::string layers = R"(layers = [{kind="linear", out=3}, {kind="softmax"}])";
        text.replace(text.find(layers), layers.size(), "script = \"script.pt\"");
        return experiment({"training.epochs=1"}, text);
    }
};

TEST_F(BadLuck, RefusesACheckpointOfOtherSettings) {
    const auto first = experiment({"training.epochs=1"});
    Trainer(first, false, {}).run();
    const auto longer = experiment({"training.epochs=2"});
    EXPECT_NO_THROW(Trainer(longer, true, {}));
    const auto other = experiment({"training.batch_size=4"});
    EXPECT_THROW(Trainer(other, true, {}), InputError);
}

TEST_F(BadLuck, RefusesADamagedCheckpoint) {
    const auto settings = experiment({"training.epochs=1"});
    Trainer(settings, false, {}).run();
    const std::string file = Trainer::checkpoint_file(settings);
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    EXPECT_THROW(Trainer(settings, true, {}), InputError);
    std::filesystem::remove(file);
    EXPECT_THROW(Trainer(settings, true, {}), EnvironmentError);
}

// Wherever it is, a changed or missing byte either is an error or does not matter.
TEST_F(BadLuck, AnyDamageOfACheckpointIsAnErrorThatNamesIt) {
    const auto settings = experiment({"training.epochs=1"});
    Trainer(settings, false, {}).run();
    const std::string file = Trainer::checkpoint_file(settings);
    const std::string whole = bytes_of(file);
    for (std::size_t at = 11; at < whole.size(); at += 1501) {
        base::write_file(file, whole.substr(0, at));
        const Diagnostic cut = error_of([&] { Trainer(settings, true, {}); });
        EXPECT_EQ(cut.code, "checkpoint") << at;
        EXPECT_EQ(cut.location.file, file);
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 0x24);
        base::write_file(file, changed);
        try {
            Trainer(settings, true, {});
        } catch (const InputError &error) {
            EXPECT_EQ(error.diagnostics().front().code, "checkpoint") << at;
        }
    }
}

TEST_F(BadLuck, ACheckpointWhoseNumbersContradictEachOtherIsRefused) {
    const auto settings = experiment({"training.epochs=2"});
    const std::string file = (folder_ / "lies.pt").string();
    Trainer trainer(settings, false, {});
    trainer.run();
    Optimizers none;
    none.emplace_back();
    const auto read = [&](const Progress &progress) {
        save_checkpoint(file, "it", trainer.model(), none, progress);
        return load_checkpoint(file, "it", trainer.model(), none);
    };
    EXPECT_EQ(read(trainer.progress()).epoch, 2U);
    Progress late = trainer.progress();
    late.epoch = 7;
    EXPECT_THAT(error_of([&] { read(late); }).message, HasSubstr("contradict"));
    Progress between = trainer.progress();
    between.batch = 3;
    EXPECT_THAT(error_of([&] { read(between); }).message, HasSubstr("contradict"));
    Progress negative = trainer.progress();
    negative.batches = std::numeric_limits<std::uint64_t>::max();
    EXPECT_THAT(error_of([&] { read(negative); }).message, HasSubstr("negative"));
}

TEST_F(BadLuck, AnOptimiserOfAnotherNetworkIsRefused) {
    const auto settings = experiment({"training.epochs=1"});
    Trainer trainer(settings, false, {});
    const std::string file = (folder_ / "other.pt").string();
    const auto adam = [](const torch::Tensor &weights, bool step) {
        Optimizers all;
        all.push_back(std::make_unique<torch::optim::Adam>(std::vector<torch::Tensor>{weights},
                                                           torch::optim::AdamOptions(0.1)));
        if (step) {
            weights.sum().backward();
            all.front()->step();
        }
        return all;
    };
    const auto saved = adam(torch::ones({2}).set_requires_grad(true), true);
    auto fitting = adam(torch::ones({2}).set_requires_grad(true), false);
    auto other = adam(torch::ones({3}).set_requires_grad(true), false);
    save_checkpoint(file, "it", trainer.model(), saved, {});
    EXPECT_NO_THROW(load_checkpoint(file, "it", trainer.model(), fitting));
    const Diagnostic error = error_of([&] { load_checkpoint(file, "it", trainer.model(), other); });
    EXPECT_EQ(error.code, "checkpoint");
    EXPECT_THAT(error.message, HasSubstr("the state of an optimiser does not fit"));
}

TEST_F(BadLuck, AFailingGradientIsReported) {
    const auto settings = with_script("    p = torch.softmax(torch.matmul(x, self.weight), 1)\n"
                                      "    q = (p * p).sum() * 0.0\n"
                                      "    p.add_(0.0)\n"
                                      "    return p + q\n");
    Trainer trainer(settings, false, {});
    const Diagnostic error = error_of([&] { trainer.run(); });
    EXPECT_EQ(error.code, "network-gradient");
    EXPECT_THAT(error.message, HasSubstr("modified by an inplace operation"));
}

TEST_F(BadLuck, ANetworkThatCannotLearnIsReportedOnceWithItsTrueLoss) {
    const auto settings =
        with_script("    return torch.softmax(self.weight.detach()[0] * x * 0, 1)\n");
    std::vector<std::string> codes;
    TrainerHooks hooks;
    hooks.on_warning = [&](const std::string &code, const std::string &) { codes.push_back(code); };
    Trainer trainer(settings, false, hooks);
    const runs::EpochRecord epoch = trainer.run().history.epochs.at(0);
    EXPECT_EQ(codes, std::vector<std::string>{"no-gradient"});
    // every outcome has probability 1/3: a sum of s has as many of the nine pairs as there are
    double expected = 0.0;
    for (std::size_t i = 0; i < kinds_.size(); i += 2) {
        const int pairs = 3 - std::abs(kinds_[i] + kinds_[i + 1] - 2);
        expected -= std::log(pairs / 9.0) / 30.0;
    }
    EXPECT_NEAR(epoch.loss, expected, 1e-6);
}

// The masks of attention are such tensors.
TEST_F(BadLuck, ATensorThatIsInfiniteFromTheStartMayStaySo) {
    torch::jit::Module module("Test");
    module.register_parameter("weight", torch::eye(3).set_requires_grad(true), false);
    const float infinity = std::numeric_limits<float>::infinity();
    module.register_buffer("mask", torch::tensor({0.0F, -infinity}));
    module.define("def forward(self, x: Tensor):\n"
                  "    return torch.softmax(torch.matmul(x, self.weight) + self.mask[0], 1)\n");
    const auto settings = with_module(module);
    Trainer(settings, false, {}).run();
    Trainer resumed(settings, true, {});
    EXPECT_EQ(resumed.progress().epoch, 1U);
    EXPECT_NO_THROW(resumed.model().load(settings.output.path));
}

TEST_F(BadLuck, ANetworkThatReturnsNaNIsReported) {
    const auto settings = with_script("    return torch.matmul(x, self.weight) * float('nan')\n");
    const Diagnostic error = error_of([&] { Trainer(settings, false, {}); });
    EXPECT_EQ(error.code, "output-not-distribution");
    EXPECT_THAT(error.message, HasSubstr("entry 0 is nan"));
}

// The first epoch is fine; the second diverges and does not reach the checkpoint.
TEST_F(BadLuck, WeightsThatAreNotFiniteAreNotKept) {
    const auto settings = experiment({"training.epochs=3"});
    TrainerHooks hooks;
    Trainer *running = nullptr;
    hooks.on_epoch = [&](const runs::EpochRecord &record) {
        if (record.epoch < 2) return;
        const torch::NoGradGuard guard;
        running->model().networks()[0]->parameters()[0].fill_(
            std::numeric_limits<float>::infinity());
    };
    {
        Trainer trainer(settings, false, hooks);
        running = &trainer;
        const Diagnostic error = error_of([&] { trainer.run(); });
        EXPECT_EQ(error.code, "training-diverged");
        EXPECT_THAT(error.message, HasSubstr("'linear1.weight' of network 'kind'"));
        EXPECT_THAT(error.hint, HasSubstr("lower networks.kind.optimizer.learning_rate"));
    }
    Trainer resumed(settings, true, {});
    EXPECT_EQ(resumed.progress().epoch, 1U);
    EXPECT_EQ(resumed.run().history.epochs.size(), 3U);
    const auto whole = experiment({"training.epochs=3", "output=\"whole\""});
    Trainer uninterrupted(whole, false, {});
    uninterrupted.run();
    EXPECT_EQ(weights(resumed), weights(uninterrupted));
}

TEST_F(BadLuck, ALearningRateTooLargeForAFloatIsReported) {
    const auto settings = experiment({"networks.kind.optimizer.learning_rate=1e39"});
    Trainer trainer(settings, false, {});
    EXPECT_EQ(error_of([&] { trainer.run(); }).code, "training-diverged");
}

TEST_F(BadLuck, RuleProbabilitiesThatAreNotADistributionAreRefused) {
    write("rows.csv", "obs\n:- not a.\n");
    const auto settings = experiment({}, R"toml(program_text = "@0.5 : a. b :- a."
output = "out"
[example]
observation = "{obs}"
[splits.train]
table = "rows.csv"
header = true
[training]
epochs = 1
)toml");
    Trainer trainer(settings, false, {});
    trainer.run();
    EXPECT_NO_THROW(trainer.model().load(settings.output.path));
    for (const char *numbers : {"[0.5, 0.6]", "[1.5, -0.5]", "[null, 1]", "[1]", "{}"}) {
        write("out/rules.json", R"([{"probabilities": )" + std::string(numbers) + "}]");
        EXPECT_EQ(error_of([&] { trainer.model().load(settings.output.path); }).code,
                  "rule-numbers")
            << numbers;
    }
}

TEST_F(BadLuck, ARunOfNoEpochsSucceeds) {
    const auto settings = experiment({"training.epochs=0", "training.batch_size=1000"});
    EXPECT_TRUE(Trainer(settings, false, {}).run().history.epochs.empty());
    const auto longer = experiment({"training.epochs=1", "training.batch_size=1000"});
    EXPECT_EQ(Trainer(longer, true, {}).run().history.epochs.at(0).batches, 1U);
}

TEST_F(BadLuck, TwoTrainersDoNotShareAFolder) {
    const auto settings = experiment();
    const Trainer first(settings, false, {});
    EXPECT_THROW(Trainer(settings, false, {}), EnvironmentError);
}

// The time is only written to the log; nothing depends on it.
TEST_F(BadLuck, ClocksMayGoBack) {
    const auto settings = experiment({"training.epochs=2"});
    TrainerHooks hooks;
    std::vector<std::string> times = {"1970-01-01T00:00:00Z", "2038-01-19T03:14:08Z"};
    hooks.time = [&] {
        const std::string time = times.back();
        times.pop_back();
        return time;
    };
    EXPECT_EQ(Trainer(settings, false, hooks).run().history.epochs.size(), 2U);
    std::filesystem::last_write_time(Trainer::checkpoint_file(settings),
                                     std::filesystem::file_time_type::min());
    const auto longer = experiment({"training.epochs=3"});
    EXPECT_EQ(Trainer(longer, true, {}).run().history.epochs.size(), 3U);
}

} // namespace
} // namespace neurasp::learning
