// The sections of the report, as HTML; each is "" if there is nothing to show in it.
#pragma once

#include "runs/history.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::runs::report {

std::string results_section(const RunSummary &run); // title, summary, final numbers, warnings
std::string curves_section(const History &history);
std::string confusions_section(const History &history);
std::string epochs_section(const History &history);
std::string rules_section(const RunSummary &run);
std::string networks_section(const RunSummary &run);
std::string predictions_section(const std::vector<SamplePrediction> &predictions);
std::string experiment_section(const RunSummary &run);

// A section with its heading; "" if `content` is empty.
std::string section(std::string_view heading, const std::string &content);

// The whole page.
std::string page(std::string_view title, const std::string &body);

// The number of training examples per second, or NaN if no time was measured.
double examples_per_second(const EpochRecord &epoch);

// A column of numbers from evaluations, e.g. "accuracy of digit" on "test".
struct MetricColumn {
    std::string split;
    std::string name;
    bool is_share = true;
};

// In the order of their first appearance.
std::vector<MetricColumn> metric_columns(const History &history);

// The metric's value in that evaluation, or after that epoch; nullopt if it was not measured.
std::optional<double> metric_value(const Evaluation &evaluation, const MetricColumn &column);
std::optional<double> metric_value(const EpochRecord &epoch, const MetricColumn &column);

} // namespace neurasp::runs::report
