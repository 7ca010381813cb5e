// The beginning of the report: the run, its final results, and what went wrong.
#include "runs/best_evaluation.hpp"
#include "runs/report_sections.hpp"
#include "runs/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace neurasp::runs::report {

namespace {

std::string summary_line(const RunSummary &run) {
    std::uint64_t examples = 0;
    for (const EpochRecord &epoch : run.history.epochs) examples += epoch.examples;
    return fmt::format("<p class=\"summary\">{} · {} · {}</p>\n",
                       counted(run.history.epochs.size(), "epoch"),
                       counted(examples, "training example"), seconds_text(run.seconds));
}

std::string tile(const std::string &name, const std::string &value) {
    return fmt::format("<li class=\"card\"><b>{}</b> {}</li>\n", escape(value), escape(name));
}

bool has_best(const History &history) { return history.best && !history.best->metric.empty(); }

// The value that belongs to the weights that were kept: that of the best evaluation, or the last one.
double final_value(const History &history, const MetricColumn &column) {
    double last = std::numeric_limits<double>::quiet_NaN();
    for (const EpochRecord &epoch : history.epochs) {
        const std::optional<double> value = metric_value(epoch, column);
        last = value.value_or(last);
        const bool is_best =
            has_best(history) && static_cast<double>(epoch.epoch) == history.best->epoch;
        if (value && is_best) return *value;
    }
    if (!has_best(history)) return last;
    for (const EarlyEvaluation &early : history.early) {
        const std::optional<double> value = metric_value(early.evaluation, column);
        if (value && early.batch == history.best->batch) return *value;
    }
    return last;
}

std::string kept_weights(const History &history) {
    if (!has_best(history)) return "";
    const BestEvaluation &best = *history.best;
    return fmt::format("<p class=\"summary\">The weights are those of {}, with the best {} on "
                       "validation: {}.</p>\n",
                       epoch_name(best.epoch), escape(best.metric),
                       best.is_share ? share_text(best.value) : number_text(best.value));
}

// The final value of each metric, and the training results of the last epoch.
std::string tiles(const History &history) {
    if (history.epochs.empty()) return "";
    std::string result;
    for (const MetricColumn &column : metric_columns(history)) {
        const double last = final_value(history, column);
        result += tile(fmt::format("{}, {}", column.name, column.split),
                       column.is_share ? share_text(last) : number_text(last));
    }
    const EpochRecord &last = history.epochs.back();
    result += tile("loss, training", number_text(last.loss));
    result += tile("mean log P(O), training", number_text(last.mean_log_probability));
    result += tile("examples/s", number_text(examples_per_second(last)));
    return "<ul class=\"tiles\">\n" + result + "</ul>\n";
}

std::string early_end(const RunSummary &run) {
    if (run.finished.empty()) return "";
    return fmt::format("<p class=\"notice\"><b>Ended early:</b> {}</p>\n", escape(run.finished));
}

std::string impossible_examples(const History &history) {
    std::uint64_t count = 0;
    for (const EpochRecord &epoch : history.epochs) count += epoch.impossible;
    if (count == 0 && history.impossible_examples.empty()) return "";
    count = std::max<std::uint64_t>(count, history.impossible_examples.size());
    std::string names;
    for (const std::string &name : history.impossible_examples) {
        names += fmt::format("<li><code>{}</code></li>", escape(name));
    }
    if (!names.empty()) names = "<details><summary>Which</summary><ul>" + names + "</ul></details>";
    return fmt::format("<div class=\"notice\"><b>Warning:</b> P(O) = 0 for {}, counted in each "
                       "epoch anew: the program makes the observation impossible, and nothing was "
                       "learned from {}.{}</div>\n",
                       counted(count, "example"), count == 1 ? "it" : "them", names);
}

} // namespace

std::string results_section(const RunSummary &run) {
    const std::string title = run.title.empty() ? "Training run" : run.title;
    std::string nothing_yet;
    if (run.history.epochs.empty()) {
        nothing_yet = "<p class=\"notice\">No epoch was finished.</p>\n";
    }
    return "<header>\n<p class=\"kind\">NeurASP training report</p>\n<h1>" + escape(title) +
           "</h1>\n" + summary_line(run) + "</header>\n" + early_end(run) + nothing_yet +
           impossible_examples(run.history) + kept_weights(run.history) + tiles(run.history);
}

} // namespace neurasp::runs::report
