// Checks settings of [training] that refer to other parts of the file: `best` must name a metric that is measured on
// the split 'validation', and settings of the supervised loss need one.
#include "data/experiment_section.hpp"
#include "data/metric_names.hpp"

#include <algorithm>

namespace neurasp::data {

namespace {

// Whether the split has what the label is read from.
bool is_labelled(const SplitSettings &split, const LabelSettings &label) {
    if (!label.source) return true;
    return std::any_of(split.arrays.begin(), split.arrays.end(), [&](const ArraySettings &array) {
        return array.name == label.source->array;
    });
}

// Those of which more is better.
std::vector<std::string> metrics_of(const Experiment &experiment, const SplitSettings &split) {
    std::vector<std::string> names;
    const auto add = [&](std::string name) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            names.push_back(std::move(name));
        }
    };
    for (const LabelSettings &label : experiment.example.labels) {
        if (!is_labelled(split, label)) continue;
        add(accuracy_name(label.network));
        add(whole_outputs_name(label.network));
        for (const LabelMetric metric : experiment.evaluation.metrics) {
            add(metric == LabelMetric::macro_f1 ? macro_f1_name(label.network)
                                                : balanced_accuracy_name(label.network));
        }
        const std::string &filled = experiment.evaluation.one_by_one;
        if (filled != label.network + "(" + label.terms + ")") continue;
        add(one_by_one_name(accuracy_name(label.network)));
        add(one_by_one_name(whole_outputs_name(label.network)));
    }
    for (const QuerySettings &query : experiment.evaluation.queries) add(query.name);
    for (const ConstraintSettings &set : experiment.evaluation.constraints) {
        add(constraints_name(set.name));
    }
    if (measures_log_probability(experiment)) add(log_probability_name);
    return names;
}

void check_best(ExperimentContext &context, const TomlValue &best, const Experiment &experiment) {
    const auto split = std::find_if(experiment.splits.begin(), experiment.splits.end(),
                                    [](const auto &one) { return one.name == "validation"; });
    if (split == experiment.splits.end()) {
        context.add("missing-key", best.at, "'training.best' needs a split 'validation'",
                    "add a table [splits.validation]; weights chosen on the test data would make "
                    "its results look better than they are");
        return;
    }
    const std::vector<std::string> names = metrics_of(experiment, *split);
    if (std::find(names.begin(), names.end(), best.text) != names.end()) return;
    context.add_unknown(best.at, "metric", best.text, names);
}

// Refuses settings of the supervised loss where there is none.
void check_supervised(ExperimentContext &context, const Section &root,
                      const Experiment &experiment) {
    if (experiment.training.alpha > 0.0) return;
    const auto refuse = [&](const TomlValue *value, const std::string &key) {
        if (value == nullptr) return;
        context.add("unused-key", value->at, "'" + key + "' has no effect if training.alpha is 0",
                    "set training.alpha above 0, so that labels join the loss");
    };
    if (experiment.training.label_smoothing > 0.0) {
        refuse(root.table("training").given("label_smoothing"), "label_smoothing");
    }
    for (const TomlEntry &network : root.entries("networks")) {
        const TomlEntry *weights = network.value.find("class_weights");
        refuse(weights == nullptr ? nullptr : &weights->value, "class_weights");
    }
}

} // namespace

void check_habits(ExperimentContext &context, const Section &root, const Experiment &experiment) {
    check_supervised(context, root, experiment);
    const Section training = root.table("training");
    const TomlValue *best = training.given("best");
    if (best != nullptr) check_best(context, *best, experiment);
    const TomlValue *metrics = root.table("evaluation").given("metrics");
    if (metrics != nullptr && experiment.example.labels.empty()) {
        context.add("unused-key", metrics->at, "'metrics' has no effect without labels",
                    "add [example.labels]");
    }
    const TomlValue *patience = training.given("patience");
    if (patience != nullptr && best == nullptr && experiment.training.patience > 0) {
        context.add("unused-key", patience->at, "'patience' has no effect without 'best'",
                    "add the metric that decides, for example best = \"" +
                        std::string(log_probability_name) + "\"");
    }
}

} // namespace neurasp::data
