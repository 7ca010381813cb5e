// The thread that watches time, memory and the stop flag, and ends the process.
#include "cli/limit_watch.hpp"

#include "cli/errors.hpp"
#include "cli/signals.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace neurasp::cli {

namespace {

constexpr std::chrono::milliseconds between_looks{50};
constexpr auto no_limit = std::numeric_limits<std::uint64_t>::max();

using Clock = std::chrono::steady_clock;

bool passed(const std::optional<Clock::time_point> &since, double seconds) {
    return since && std::chrono::duration<double>(Clock::now() - *since).count() > seconds;
}

// The memory that this process has in use; 0 if the system does not say.
std::uint64_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t all = 0;
    std::uint64_t resident = 0;
    if (!(file >> all >> resident)) return 0;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

// Most of the memory that can be had without swapping.
std::optional<std::uint64_t> available_bytes() {
    constexpr std::uint64_t kilobyte = 1024;
    std::ifstream file("/proc/meminfo");
    std::string name;
    std::uint64_t amount = 0;
    for (std::string line; file >> name >> amount && std::getline(file, line);) {
        if (name == "MemAvailable:") return amount * kilobyte / 10 * 9;
    }
    return std::nullopt;
}

std::uint64_t most_resident_bytes(std::optional<std::uint64_t> allowed) {
    if (!allowed) allowed = available_bytes();
    const std::uint64_t used = resident_bytes();
    return allowed ? used + std::min(*allowed, no_limit - used) : no_limit;
}

} // namespace

LimitWatch::LimitWatch(Watched watched, WatchLimits limits, Console &console,
                       ProgressLine &progress)
    : watched_(watched), limits_(limits), console_(console), progress_(progress),
      most_resident_(watched != Watched::answering ? most_resident_bytes(limits.bytes) : no_limit),
      thread_(thread_without_signals([this] { run(); })) {}

LimitWatch::~LimitWatch() {
    release();
    thread_.join();
}

void LimitWatch::release() {
    {
        const std::lock_guard lock(mutex_);
        finished_ = true;
    }
    changed_.notify_all();
}

void LimitWatch::start_clock() {
    const std::lock_guard lock(mutex_);
    clock_started_ = Clock::now();
}

void LimitWatch::run() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, between_looks, [this] { return finished_; })) look();
}

// A search may have a partial answer to print, so it gets more time.
double LimitWatch::patience() const { return watched_ == Watched::answering ? 5.0 : 1.0; }

std::string_view LimitWatch::doing() const {
    switch (watched_) {
    case Watched::grounding: return "grounding";
    case Watched::experiment: return "reading and grounding";
    default: return "answering";
    }
}

void LimitWatch::look() {
    if (!stop_seen_ && stop_requested()) stop_seen_ = Clock::now();
    if (passed(stop_seen_, patience())) {
        give_up(ExitCode::interrupted, fmt::format("interrupted while {}", doing()));
    }
    if (limits_.seconds && passed(clock_started_, *limits_.seconds + patience())) {
        give_up(ExitCode::no_answer, fmt::format("the time limit was reached while {}", doing()));
    }
    if (most_resident_ != no_limit && resident_bytes() > most_resident_) {
        give_up(ExitCode::no_answer, "reading and grounding take too much memory");
    }
}

// The mutex is held, so the watched thread cannot release the watch and print at the same time.
void LimitWatch::give_up(ExitCode code, std::string_view message) {
    try {
        progress_.finish();
        report_message(console_, limits_.json, code, message);
    } catch (...) {
        // the exit code still says it
    }
    ::_exit(static_cast<int>(code));
}

} // namespace neurasp::cli
