// The curves of a training run.
#include "runs/report_charts.hpp"
#include "runs/report_sections.hpp"
#include "runs/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace neurasp::runs::report {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_points = 300; // of a curve; a chart cannot show many more
constexpr std::size_t most_bars = 100;
constexpr std::size_t training_style = 0; // the style of training's series; splits have the others

// Series over the batches: the points along the way, and the mean of each epoch at its end.
template <class OfPoint, class OfEpoch>
std::vector<Series> along_batches(const History &history, OfPoint of_point, OfEpoch of_epoch) {
    std::vector<Series> result;
    if (!history.points.empty()) {
        Series points{"along the way", training_style, {}, true};
        for (const LossPoint &point : history.points) {
            points.points.push_back({static_cast<double>(point.batch), of_point(point)});
        }
        points.points = thinned(points.points, most_points);
        result.push_back(std::move(points));
    }
    Series epochs{"mean of each epoch", training_style, {}, false};
    double batches = 0;
    for (const EpochRecord &epoch : history.epochs) {
        batches += static_cast<double>(epoch.batches);
        epochs.points.push_back({batches, of_epoch(epoch)});
    }
    if (!epochs.points.empty()) result.push_back(std::move(epochs));
    return result;
}

std::string loss_chart(const History &history) {
    return line_chart({"Loss", "batch", ValueStyle::number, true,
                       along_batches(
                           history, [](const LossPoint &point) { return point.loss; },
                           [](const EpochRecord &epoch) { return epoch.loss; })});
}

std::string speed_chart(const History &history) {
    return line_chart(
        {"Speed (examples/s)", "batch", ValueStyle::number, true,
         along_batches(
             history, [](const LossPoint &point) { return point.examples_per_second; },
             examples_per_second)});
}

template <class Value>
Series by_epoch(const History &history, std::string name, std::size_t style, Value value) {
    Series series{std::move(name), style, {}, false};
    for (const EpochRecord &epoch : history.epochs) {
        series.points.push_back({static_cast<double>(epoch.epoch), value(epoch)});
    }
    return series;
}

// Epochs without an evaluation have no point; the line is drawn across them.
Series metric_series(const History &history, const MetricColumn &column, std::size_t style) {
    Series series{column.split, style, {}, false};
    for (const EarlyEvaluation &early : history.early) {
        const std::optional<double> value = metric_value(early.evaluation, column);
        if (value) series.points.push_back({early.epoch, *value});
    }
    for (const EpochRecord &epoch : history.epochs) {
        const std::optional<double> value = metric_value(epoch, column);
        if (value) series.points.push_back({static_cast<double>(epoch.epoch), *value});
    }
    std::sort(series.points.begin(), series.points.end(),
              [](const Point &a, const Point &b) { return a.x < b.x; });
    return series;
}

LineChart log_probability_chart(const History &history) {
    return {"mean log P(O)",
            "epoch",
            ValueStyle::number,
            false,
            {by_epoch(history, "training", training_style,
                      [](const EpochRecord &epoch) { return epoch.mean_log_probability; })}};
}

// The index of a split in the order of first appearance; adds it if it is new.
std::size_t index_of(const std::string &split, std::vector<std::string> &splits) {
    const auto found = std::find(splits.begin(), splits.end(), split);
    if (found != splits.end()) return static_cast<std::size_t>(found - splits.begin());
    splits.push_back(split);
    return splits.size() - 1;
}

// One chart for each metric, with a line for each split; log P(O) has one for training too.
std::string metric_charts(const History &history) {
    std::vector<LineChart> charts = {log_probability_chart(history)};
    std::vector<std::string> splits;
    for (const MetricColumn &column : metric_columns(history)) {
        auto chart = std::find_if(charts.begin(), charts.end(),
                                  [&](const LineChart &one) { return one.title == column.name; });
        if (chart == charts.end()) {
            const ValueStyle style = column.is_share ? ValueStyle::share : ValueStyle::number;
            chart = charts.insert(charts.end(), {column.name, "epoch", style, false, {}});
        }
        const std::size_t style = training_style + 1 + index_of(column.split, splits);
        chart->series.push_back(metric_series(history, column, style));
    }
    std::rotate(charts.begin(), charts.begin() + 1, charts.end()); // log P(O) goes last
    std::string html;
    for (const LineChart &chart : charts) html += line_chart(chart);
    return html;
}

// Shown only if a rate changes; otherwise the table of epochs is enough.
std::string learning_rate_chart(const History &history) {
    LineChart chart{"Learning rate", "epoch", ValueStyle::number, true, {}};
    if (history.epochs.empty()) return "";
    bool changes = false;
    for (std::size_t i = 0; i < history.epochs.front().learning_rates.size(); ++i) {
        chart.series.push_back(by_epoch(history, history.epochs.front().learning_rates[i].first, i,
                                        [&](const EpochRecord &epoch) {
                                            return i < epoch.learning_rates.size()
                                                       ? epoch.learning_rates[i].second
                                                       : not_a_number;
                                        }));
        const std::vector<Point> &points = chart.series.back().points;
        changes = changes || std::any_of(points.begin(), points.end(), [&](const Point &point) {
                      return point.y != points.front().y;
                  });
    }
    return changes ? line_chart(chart) : "";
}

std::vector<double> phase_parts(const PhaseSeconds &seconds) {
    const double compile = std::min(std::max(seconds.compile, 0.0), seconds.symbolic);
    return {seconds.network, seconds.symbolic - compile, compile, seconds.data};
}

// The number of neighbouring epochs that share a bar.
std::size_t epochs_in_a_bar(const History &history) {
    return (history.epochs.size() + most_bars - 1) / most_bars;
}

// The mean of some epochs.
Bar phase_bar(std::span<const EpochRecord> epochs) {
    const std::size_t first = epochs.front().epoch;
    const std::size_t last = epochs.back().epoch;
    Bar bar{fmt::format("epoch {}", count_text(first)), static_cast<double>(first + last) / 2,
            std::vector<double>(4, 0.0)};
    if (epochs.size() > 1) {
        bar.name = fmt::format("epochs {} to {}, mean", count_text(first), count_text(last));
    }
    for (const EpochRecord &epoch : epochs) {
        const std::vector<double> parts = phase_parts(epoch.seconds);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            bar.parts[i] += parts[i] / static_cast<double>(epochs.size());
        }
    }
    return bar;
}

std::vector<Bar> phase_bars(const History &history) {
    const std::size_t group = epochs_in_a_bar(history);
    std::span<const EpochRecord> rest = history.epochs;
    std::vector<Bar> bars;
    while (!rest.empty()) {
        const std::size_t count = std::min(group, rest.size());
        bars.push_back(phase_bar(rest.first(count)));
        rest = rest.subspan(count);
    }
    return bars;
}

// The time of each phase in all epochs, and its share.
std::vector<std::string> phase_totals(const History &history) {
    std::vector<double> sums(4, 0.0);
    double all = 0;
    for (const EpochRecord &epoch : history.epochs) {
        const std::vector<double> parts = phase_parts(epoch.seconds);
        for (std::size_t i = 0; i < parts.size(); ++i) sums[i] += parts[i];
        all += epoch.seconds.total();
    }
    std::vector<std::string> texts;
    texts.reserve(sums.size());
    for (const double sum : sums) {
        texts.push_back(fmt::format("{} ({})", seconds_text(sum),
                                    probability_text(all > 0 ? sum / all : not_a_number)));
    }
    return texts;
}

std::pair<double, std::string_view> time_unit(double longest) {
    if (longest < 1) return {1e-3, "ms"};
    if (longest < 120) return {1.0, "s"};
    if (longest < 7200) return {60.0, "min"};
    return {3600.0, "h"};
}

std::string time_chart(const History &history) {
    double longest = 0;
    for (const EpochRecord &epoch : history.epochs) {
        longest = std::max(longest, epoch.seconds.total());
    }
    if (!(longest > 0)) return "";
    const auto [unit, unit_name] = time_unit(longest);
    StackedBars chart;
    chart.title = fmt::format("Time per epoch ({})", unit_name);
    chart.x_name = "epoch";
    chart.names = {"network", "symbolic", "symbolic: compiling", "data"};
    chart.legend = phase_totals(history);
    chart.fills = {"f0", "f1", "f1 hatched", "f2"};
    chart.bars = phase_bars(history);
    chart.spacing = static_cast<double>(epochs_in_a_bar(history));
    chart.unit = unit;
    return stacked_bars(chart, seconds_text);
}

} // namespace

double examples_per_second(const EpochRecord &epoch) {
    const double seconds = epoch.seconds.total();
    return seconds > 0 ? static_cast<double>(epoch.examples) / seconds : not_a_number;
}

std::vector<MetricColumn> metric_columns(const History &history) {
    std::vector<MetricColumn> columns;
    const auto add = [&](const Evaluation &evaluation) {
        for (const Metric &metric : evaluation.metrics) {
            const bool known =
                std::any_of(columns.begin(), columns.end(), [&](const MetricColumn &column) {
                    return column.split == evaluation.split && column.name == metric.name;
                });
            if (!known) columns.push_back({evaluation.split, metric.name, metric.is_share});
        }
    };
    for (const EarlyEvaluation &early : history.early) add(early.evaluation);
    for (const EpochRecord &epoch : history.epochs) {
        for (const Evaluation &evaluation : epoch.evaluations) add(evaluation);
    }
    return columns;
}

std::optional<double> metric_value(const Evaluation &evaluation, const MetricColumn &column) {
    if (evaluation.split != column.split) return std::nullopt;
    for (const Metric &metric : evaluation.metrics) {
        if (metric.name == column.name) return metric.value;
    }
    return std::nullopt;
}

std::optional<double> metric_value(const EpochRecord &epoch, const MetricColumn &column) {
    for (const Evaluation &evaluation : epoch.evaluations) {
        const std::optional<double> value = metric_value(evaluation, column);
        if (value) return value;
    }
    return std::nullopt;
}

std::string curves_section(const History &history) {
    const std::string charts = loss_chart(history) + metric_charts(history) + speed_chart(history) +
                               time_chart(history) + learning_rate_chart(history);
    return section("Curves", charts.empty() ? "" : "<div class=\"charts\">\n" + charts + "</div>");
}

} // namespace neurasp::runs::report
