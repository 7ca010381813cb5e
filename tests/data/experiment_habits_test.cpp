// Settings of [training] that refer to other parts of the experiment file.
#include "experiment_texts.hpp"

#include <gtest/gtest.h>

namespace neurasp::data {
namespace {

const std::string labelled = R"toml(program = 'p'
[networks.d]
preset = 'x'
[example]
observation = ':- not a.'
inputs.i = 'pictures[#]'
labels."d(i)" = 'digits[#]'
[splits.train]
arrays.pictures.file = 'a'
[splits.validation]
arrays.pictures.file = 'b'
arrays.digits.file = 'c'
[evaluation]
queries = [{name = 'sum', query = 'a'}]
constraints = [{name = 'c', text = ':- b.'}]
[training]
)toml";

TEST(ExperimentHabits, BestNamesAMetricThatIsMeasured) {
    for (const char *metric :
         {"accuracy of d", "whole outputs of d", "sum", "constraints c", "mean log P(O)"}) {
        EXPECT_EQ(experiment_places(labelled + "best = '" + metric + "'"), "") << metric;
    }
    const auto errors = experiment_errors(labelled + "best = 'acuracy of d'");
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].code, "unknown-name");
    EXPECT_EQ(errors[0].location.line, 17U);
    EXPECT_EQ(errors[0].message, "there is no metric 'acuracy of d'");
    EXPECT_EQ(errors[0].hint, "did you mean 'accuracy of d'?");
    EXPECT_EQ(experiment_errors(labelled + "best = 'F1'").at(0).hint,
              "available: accuracy of d, whole outputs of d, sum, constraints c, mean log P(O)");
}

TEST(ExperimentHabits, BestNeedsLabelsAndLogProbabilitiesWhereItIsMeasured) {
    EXPECT_EQ(experiment_places(labelled + "best = 'mean log P(O)'",
                                {"evaluation.log_probability=false"}),
              "unknown-name 17:8");
    // only the split train is labelled
    std::string elsewhere = labelled;
    const std::string digits = "arrays.digits.file = 'c'\n";
    elsewhere.replace(elsewhere.find(digits), digits.size(), "");
    elsewhere.insert(elsewhere.find("[splits.validation]"), digits);
    EXPECT_EQ(experiment_places(elsewhere + "best = 'accuracy of d'"), "unknown-name 17:8");
}

TEST(ExperimentHabits, BestNeedsAValidationSplit) {
    const auto errors = experiment_errors(minimal_experiment + "training.best = 'mean log P(O)'");
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].code, "missing-key");
    EXPECT_EQ(errors[0].message, "'training.best' needs a split 'validation'");
}

TEST(ExperimentHabits, PatienceNeedsAMetric) {
    EXPECT_EQ(experiment_places(minimal_experiment + "training.patience = 3"), "unused-key 2:21");
    EXPECT_EQ(experiment_places(minimal_experiment + "training.patience = 0"), "");
    EXPECT_EQ(experiment_places(labelled + "best = 'sum'\npatience = 3"), "");
}

TEST(ExperimentHabits, SettingsOfTheSupervisedLossNeedOne) {
    EXPECT_EQ(experiment_places(minimal_experiment + "training.label_smoothing = 0.1"),
              "unused-key 2:28");
    EXPECT_EQ(
        experiment_places(minimal_experiment + "training = {label_smoothing = 0.1, alpha = 0.5}"),
        "");
    const std::string network = "program='p'\n[networks.d]\npreset='x'\nclass_weights = [1, 2]\n";
    EXPECT_EQ(experiment_places(network), "unused-key 4:17");
    EXPECT_EQ(experiment_places(network + "[training]\nalpha = 1"), "");
    EXPECT_EQ(
        experiment_places(network + "[training]\nalpha = 1", {"networks.d.class_weights=[1, 0]"}),
        "value-range 1:30");
}

TEST(ExperimentHabits, PicturesAreChangedOnlyForTraining) {
    const std::string array = "arrays.a = {file = 'f', augment = {shift = 2, rotate = 5}}\n";
    EXPECT_EQ(experiment_places(minimal_experiment + "[splits.train]\n" + array), "");
    EXPECT_EQ(experiment_places(minimal_experiment + "[splits.test]\n" + array), "unused-key 3:35");
    const Experiment read =
        read_experiment(minimal_experiment + "[splits.train]\n" + array, "x.toml", {});
    EXPECT_EQ(read.splits.at(0).arrays.at(0).augment, (AugmentationSettings{2.0, 5.0, 0.0, 0.0}));
    EXPECT_EQ(experiment_places(minimal_experiment + "[splits.train]\n" + array,
                                {"splits.train.arrays.a.augment.scale=1"}),
              "value-range 1:37");
}

TEST(ExperimentHabits, MetricsAreWordsAndNeedLabels) {
    EXPECT_EQ(experiment_places(minimal_experiment + "evaluation.metrics = ['macro F1']"),
              "unused-key 2:22");
    const Experiment read = read_experiment(
        labelled, "x.toml", std::vector<std::string>{"evaluation.metrics=['macro F1']"});
    EXPECT_EQ(read.evaluation.metrics, std::vector{LabelMetric::macro_f1});
    const auto errors = experiment_errors(labelled, {"evaluation.metrics=['F1']"});
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].message,
              "'evaluation.metrics' must be `balanced accuracy` or `macro F1`, found 'F1'");
}

TEST(ExperimentHabits, AdamWNeedsAWeightDecay) {
    const std::string network = "program='p'\n[networks.d]\npreset='x'\n";
    EXPECT_EQ(experiment_places(network + "optimizer = {kind='adamw'}"), "missing-key 4:13");
    EXPECT_EQ(experiment_places(network + "optimizer = {kind='adamw', weight_decay=0}"),
              "missing-key 4:41");
    EXPECT_EQ(experiment_places(network + "optimizer = {kind='adamw', weight_decay=0.01}"), "");
    EXPECT_EQ(
        experiment_places(network + "optimizer = {kind='adamw', weight_decay=0.01, momentum=0.5}"),
        "unused-key 4:56");
}

} // namespace
} // namespace neurasp::data
