// Ends the command when a limit has passed and clingo does not notice.
//
// clingo cannot be stopped while it looks for the next instance of a rule, collects the elements of an
// aggregate or prepares a search. The library checks limits between two ground rules and between two steps of a
// search; if the next check is too far away, a thread ends the process. That is safe: the steps that are watched
// write files atomically (circuit caches), and the watch is released before anything is printed. At most an
// unfinished answer is lost.
#pragma once

#include "cli/console.hpp"
#include "cli/exit_codes.hpp"
#include "cli/progress.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

namespace neurasp::cli {

enum class Watched { grounding, experiment, answering };

struct WatchLimits {
    std::optional<double> seconds;
    std::optional<std::uint64_t> bytes; // beyond what is in use already
    bool json = false;                  // the format of the message
};

// Until it is released, ends the process some time after the time limit has passed or the stop flag was raised.
// While reading and grounding also ends it if it takes more memory than allowed or, without a memory limit, nearly
// all that was available.
class LimitWatch {
  public:
    LimitWatch(Watched watched, WatchLimits limits, Console &console, ProgressLine &progress);
    ~LimitWatch();
    LimitWatch(const LimitWatch &) = delete;
    LimitWatch &operator=(const LimitWatch &) = delete;

    // Starts the time limit. Reading comes before, because it may wait for standard input.
    void start_clock();
    // Ends the watch. Afterwards the calling thread is the only one that prints.
    void release();

  private:
    using Clock = std::chrono::steady_clock;

    void run();
    void look();
    [[noreturn]] void give_up(ExitCode code, std::string_view message);

    double patience() const; // seconds for the library to notice by itself
    std::string_view doing() const;

    Watched watched_;
    WatchLimits limits_;
    Console &console_;
    ProgressLine &progress_;
    std::optional<Clock::time_point> clock_started_;
    std::optional<Clock::time_point> stop_seen_;
    std::uint64_t most_resident_; // bytes
    std::mutex mutex_;
    std::condition_variable changed_;
    bool finished_ = false;
    std::thread thread_;
};

} // namespace neurasp::cli
