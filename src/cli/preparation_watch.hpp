// Ends the command where reading and grounding do not end by themselves.
//
// clingo cannot be stopped while it looks for the next instance of a rule, and collects the elements of an
// aggregate without telling anyone. The library notices limits between two ground rules; where there is
// none for long, a thread ends the process. Until a program is grounded no file is open for writing and
// nothing is printed, so nothing is lost.
#pragma once

#include "cli/console.hpp"
#include "cli/exit_codes.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

namespace neurasp::cli {

// While it lives, the process ends soon after the time limit or the stop flag asked for it, and at once
// when it takes more memory than --memory-limit or, without that, nearly all that was available.
class PreparationWatch {
  public:
    PreparationWatch(const Options &options, Console &console, Progress &progress);
    ~PreparationWatch();
    PreparationWatch(const PreparationWatch &) = delete;
    PreparationWatch &operator=(const PreparationWatch &) = delete;

    // From here on the time limit counts: what comes before may wait for standard input.
    void start_clock();

  private:
    using Clock = std::chrono::steady_clock;

    void run();
    void look();
    [[noreturn]] void give_up(ExitCode code, std::string_view message);

    const Options &options_;
    Console &console_;
    Progress &progress_;
    std::optional<Clock::time_point> clock_started_;
    std::optional<Clock::time_point> stop_seen_;
    std::uint64_t most_resident_; // bytes
    std::mutex mutex_;
    std::condition_variable changed_;
    bool finished_ = false;
    std::thread thread_;
};

} // namespace neurasp::cli
