// The thread that draws the line of progress.
#include "cli/progress.hpp"

#include "cli/numbers.hpp"
#include "cli/signals.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string_view>
#include <unistd.h>

namespace neurasp::cli {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds first_wait{1000};
constexpr std::chrono::milliseconds next_wait{125};
constexpr double advice_after = 5.0; // seconds
constexpr std::string_view spinner = "|/-\\";
constexpr std::string_view clear_line = "\r\033[K";

} // namespace

ProgressLine::ProgressLine() {
    if (::isatty(STDERR_FILENO) != 1) return;
    thread_ = thread_without_signals([this] { run(); });
}

ProgressLine::~ProgressLine() { finish(); }

void ProgressLine::phase(std::string name) {
    const std::lock_guard lock(mutex_);
    phase_ = std::move(name);
}

void ProgressLine::advise(std::string advice) {
    const std::lock_guard lock(mutex_);
    advice_ = std::move(advice);
}

void ProgressLine::finish() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        finished_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void ProgressLine::run() {
    const auto start = Clock::now();
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, first_wait, [this] { return finished_; })) return;
    std::size_t turn = 0;
    do {
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        const std::uint64_t models = models_.load(std::memory_order_relaxed);
        const bool advises = seconds >= advice_after && !advice_.empty();
        fmt::print(stderr, "{}{} {} {:.0f} s{}{}", clear_line, spinner[turn++ % spinner.size()],
                   phase_, seconds, models == 0 ? "" : ", " + show_count(models, "model"),
                   advises ? "  (" + advice_ + ")" : "");
        std::fflush(stderr);
    } while (!changed_.wait_for(lock, next_wait, [this] { return finished_; }));
    fmt::print(stderr, "{}", clear_line);
    std::fflush(stderr);
}

} // namespace neurasp::cli
