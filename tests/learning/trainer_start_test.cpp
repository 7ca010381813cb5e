// What happens before the first step: everything is tried on one example, then the output folder is opened.
#include "base/option_names.hpp"
#include "learning/live_outputs.hpp"
#include "learning/small_task.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::learning {
namespace {

TEST_F(TrainerTest, TryingExamplesChangesNoNumberOfTheRun) {
    // dropout draws random numbers, and batch normalisation keeps statistics
    std::string text = toml();
    text.replace(text.find("{kind=\"softmax\"}"), 16,
                 "{kind=\"batch-norm\"}, {kind=\"dropout\", p=0.1}, {kind=\"softmax\"}");
    const auto tried = experiment({"output=\"tried\"", "training.evaluate_every=0"}, text);
    const std::size_t begin = text.find("[splits.test]");
    text.erase(begin, text.find("[training]") - begin);
    text.erase(text.find("[evaluation]"));
    const auto plain = experiment({"output=\"plain\""}, text);
    Trainer with(tried, false, {});
    with.run();
    Trainer without(plain, false, {});
    without.run();
    EXPECT_EQ(weights(with), weights(without));
}

TEST_F(TrainerTest, AnEarlierRunIsKeptOnRequest) {
    const auto settings = experiment({"training.epochs=1"});
    Trainer(settings, false, {}, OldRun::keep).run();
    try {
        Trainer(settings, false, {}, OldRun::keep);
        FAIL() << "no EnvironmentError";
    } catch (const EnvironmentError &error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("already holds a run"));
        EXPECT_EQ(error.option(), base::option::overwrite);
    }
    Trainer(settings, true, {}, OldRun::keep).run();
    Trainer(settings, false, {}, OldRun::replace).run();
}

TEST_F(TrainerTest, TheTimeOfAResumedRunIsThatOfTheWholeRun) {
    const auto settings = experiment();
    const double first = Trainer(settings, false, {}).run().seconds;
    ASSERT_GT(first, 0.0);
    // nothing is left to do
    Trainer resumed(settings, true, {});
    EXPECT_GE(resumed.run().seconds, first);
    EXPECT_GE(resumed.summary().seconds, first);
}

TEST_F(TrainerTest, WeightsAreSavedWithTheFormOfTheirInputs) {
    const auto file = weights_file((folder_ / "out").string(), "kind");
    const auto settings = experiment({"training.epochs=0", "splits.train.arrays.points.scale=2.0",
                                      "splits.train.arrays.points.mean=[0.1, 0.2, 0.3]"});
    Trainer(settings, false, {}).run();
    data::InputForm form;
    form.shape = {3};
    form.scale = 2.0;
    form.mean = {0.1, 0.2, 0.3};
    EXPECT_EQ(trained_form(file), form);
    EXPECT_EQ(trained_form(file + ".nowhere"), std::nullopt);
}

// One network for both inputs of a pair, which are prepared in different ways: no form would be right.
TEST_F(TrainerTest, WeightsSayNothingAboutInputsOfDifferentForms) {
    std::string text = toml();
    text.replace(text.find("i2 = \"points[b]\""), 16, "i2 = \"others[b]\"");
    const std::string others = "\nothers = {file = \"points.csv\", scale = 2.0}";
    for (const char *split : {"[splits.train.arrays]", "[splits.test.arrays]"}) {
        text.insert(text.find(split) + std::string(split).size(), others);
    }
    const auto settings = experiment({"training.epochs=0"}, text);
    Trainer(settings, false, {}).run();
    EXPECT_EQ(trained_form(weights_file((folder_ / "out").string(), "kind")), std::nullopt);
}

} // namespace
} // namespace neurasp::learning
