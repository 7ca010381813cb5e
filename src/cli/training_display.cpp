// The progress bar of a training run, and a line for each epoch.
#include "cli/training_display.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace neurasp::cli {

namespace {

constexpr std::size_t bar_width = 24;
constexpr auto redraw_after = std::chrono::milliseconds(100);

std::string bar(std::size_t done, std::size_t all) {
    const std::size_t filled = all == 0 ? 0 : done * bar_width / all;
    std::string text(filled, '=');
    if (filled < bar_width) text += '>';
    text.resize(bar_width, ' ');
    return "[" + text + "]";
}

std::string clock_time(double seconds) {
    const auto whole = static_cast<long>(std::max(seconds, 0.0));
    if (whole >= 3600) {
        return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    }
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

} // namespace

TrainingDisplay::TrainingDisplay(Console &console)
    : console_(console), active_(::isatty(STDERR_FILENO) == 1) {}

void TrainingDisplay::batch(const learning::TrainingView &view) {
    const auto now = std::chrono::steady_clock::now();
    if (!active_ || now - last_ < redraw_after) return;
    last_ = now;
    drawn_ = true;
    const std::string accuracy =
        view.accuracy ? fmt::format("  {:.2f} %", 100 * *view.accuracy) : "";
    const std::string line = fmt::format(
        "\r\033[Kepoch {}/{} {} {}/{}  loss {:.4f}{}  {:.0f} examples/s  {} left", view.epoch,
        view.epochs, bar(view.batch, view.batches), view.batch, view.batches, view.loss, accuracy,
        view.examples_per_second, clock_time(view.seconds_left));
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
}

void TrainingDisplay::clear() {
    if (!drawn_) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
    drawn_ = false;
}

std::string show_metrics(const runs::Evaluation &evaluation) {
    std::string text;
    for (const runs::Metric &metric : evaluation.metrics) {
        text += text.empty() ? "" : ", ";
        text += metric.is_share ? fmt::format("{} {:.2f} %", metric.name, 100 * metric.value)
                                : fmt::format("{} {:.4f}", metric.name, metric.value);
    }
    return text;
}

void TrainingDisplay::epoch(const runs::EpochRecord &record, bool json) {
    clear();
    if (json) return;
    std::string line = fmt::format("epoch {}  loss {:.4f}  {:.1f} s", record.epoch, record.loss,
                                   record.seconds.total());
    if (record.impossible > 0)
        line += fmt::format("  {} of {} impossible", record.impossible, record.examples);
    for (const runs::Evaluation &evaluation : record.evaluations) {
        line += fmt::format("  {}: {}", evaluation.split, show_metrics(evaluation));
    }
    console_.write(line + "\n");
    console_.flush();
}

void TrainingDisplay::warn(const std::string &message) {
    clear();
    console_.complain(console_.mark_error(Mark::alarm, "warning: ") + message);
}

} // namespace neurasp::cli
