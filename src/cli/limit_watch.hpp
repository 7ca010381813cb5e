// Ends the command where limits pass and nobody inside clingo notices.
//
// clingo cannot be stopped while it looks for the next instance of a rule, collects the elements of an
// aggregate or prepares a search. The library notices limits between two ground rules and between two steps
// of a search; where there is none for long, a thread ends the process. What is being watched writes files
// only as a whole (circuit caches), and is released before anything is printed. So what is lost is at most an
// answer that still waits for its last part.
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
    bool json = false;                  // how to say that it ends
};

// Until it is released, the process ends some time after the time limit or the stop flag asked for it; before
// there is a question to answer also when it takes more memory than it may or, without such a limit, nearly
// all that was available.
class LimitWatch {
  public:
    LimitWatch(Watched watched, WatchLimits limits, Console &console, ProgressLine &progress);
    ~LimitWatch();
    LimitWatch(const LimitWatch &) = delete;
    LimitWatch &operator=(const LimitWatch &) = delete;

    // From here on the time limit counts: reading, before it, may wait for standard input.
    void start_clock();
    // The end of watching. Afterwards this thread is the only one that prints.
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
