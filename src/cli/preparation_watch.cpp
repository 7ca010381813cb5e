#include "cli/preparation_watch.hpp"

#include "cli/errors.hpp"
#include "cli/signals.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace neurasp::cli {

namespace {

constexpr std::chrono::milliseconds between_looks{50};
constexpr double patience = 1.0; // seconds for grounding to notice by itself

using Clock = std::chrono::steady_clock;

bool passed(const std::optional<Clock::time_point> &since, double seconds) {
    return since && std::chrono::duration<double>(Clock::now() - *since).count() > seconds;
}

// The memory that this process has in use; 0 where the system does not tell.
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

std::uint64_t most_resident_bytes(const Options &options) {
    constexpr auto no_limit = std::numeric_limits<std::uint64_t>::max();
    std::optional<std::uint64_t> allowed = memory_limit_bytes(options);
    if (!allowed) allowed = available_bytes();
    const std::uint64_t used = resident_bytes();
    return allowed ? used + std::min(*allowed, no_limit - used) : no_limit;
}

} // namespace

PreparationWatch::PreparationWatch(const Options &options, Console &console, Progress &progress)
    : options_(options), console_(console), progress_(progress),
      most_resident_(most_resident_bytes(options)),
      thread_(thread_without_signals([this] { run(); })) {}

PreparationWatch::~PreparationWatch() {
    {
        const std::lock_guard lock(mutex_);
        finished_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void PreparationWatch::start_clock() {
    const std::lock_guard lock(mutex_);
    clock_started_ = Clock::now();
}

void PreparationWatch::run() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, between_looks, [this] { return finished_; })) look();
}

void PreparationWatch::look() {
    if (!stop_seen_ && stop_requested()) stop_seen_ = Clock::now();
    if (passed(stop_seen_, patience)) {
        give_up(ExitCode::interrupted, "interrupted while grounding");
    }
    if (options_.time_limit && passed(clock_started_, *options_.time_limit + patience)) {
        give_up(ExitCode::no_answer, "the time limit was reached while grounding");
    }
    if (resident_bytes() > most_resident_) {
        give_up(ExitCode::no_answer, "reading and grounding the program takes too much memory");
    }
}

// The mutex is held, so whoever is being watched cannot go on to anything else.
void PreparationWatch::give_up(ExitCode code, std::string_view message) {
    try {
        progress_.finish();
        report_message(console_, options_.json(), code, message);
    } catch (...) {
        // the exit code says it too
    }
    ::_exit(static_cast<int>(code));
}

} // namespace neurasp::cli
