// What one piece of work may take: the caller's limits, and shares of them for its parts.
//
// The caller's time is wall-clock time. A share counts the processor time of the thread that works, so that a
// machine that is busy with something else does not change which way an answer is found; the caller's
// deadline holds for every share as well. Processor time never runs faster than the clock on the wall: it
// is asked for, which takes a system call, only when enough wall-clock time has passed for the share to be
// used up.
//
// Invariants: what is exhausted stays exhausted; a share is used by the thread that made it.
#pragma once

#include "base/time_plan.hpp"
#include "neurasp/limits.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace neurasp::base {

using Clock = std::chrono::steady_clock;

// Processor seconds of the calling thread.
double thread_seconds() noexcept;

// Whether this thread is inside a call of Limits::on_progress. Whoever reports holds what other calls may wait
// for: they refuse instead.
bool is_reporting() noexcept;
// Throws: ContractError if this thread reports.
void refuse_while_reporting();

enum class LimitReached { none, time, models, memory, rules, term_size, stopped };

// Names the limit for people: "time limit reached", ...
std::string describe(LimitReached limit);

class Budget {
  public:
    Budget() = default;
    // All of the caller's limits.
    explicit Budget(const Limits &limits);

    // Cheap enough for every model; looks at the clock, and reports progress when it is time to.
    bool exhausted();
    // Counts one more model; false if that was one too many (it must then not be used).
    bool take_model() noexcept;
    // Accounts memory for stored results; false if the limit is passed.
    bool take_bytes(std::uint64_t bytes) noexcept;

    // Whether time or models are limited at all.
    bool is_limited() const noexcept {
        return deadline_.has_value() || processor_.has_value() || models_.has_value();
    }
    const std::optional<std::uint64_t> &model_limit() const noexcept { return models_; }
    const std::optional<std::uint64_t> &byte_limit() const noexcept { return bytes_; }
    LimitReached reached() const noexcept { return reached_; }
    bool stopped() const noexcept { return reached_ == LimitReached::stopped; }
    std::uint64_t models_taken() const noexcept { return models_taken_; }
    // Time that is left; nothing if time is not limited.
    std::optional<double> seconds_left() const noexcept;
    double seconds_used() const noexcept; // on the wall

    // A part of the work: its share of the time that is left, and as many models as this one may take.
    Budget part(const Share &share) const;
    // Of this one's, no more than so many models, or processor seconds.
    Budget with_models(std::optional<std::uint64_t> models) const;
    Budget with_seconds(double seconds) const;

    // Whether anybody wants to know.
    bool reports() const noexcept { return reporter_ != nullptr; }
    // What is reported of the work from here on: by this budget and those that are made of it.
    void report(Phase phase) const;
    void report(std::uint64_t done, std::optional<double> lower = {},
                std::optional<double> upper = {}) const;

  private:
    struct Reporter; // shared by a call's budgets
    struct Processor {
        double seconds = 0.0; // of this thread, that may be used
        double start = 0.0;   // of this thread, when that began
        std::thread::id owner = std::this_thread::get_id();
        Clock::time_point next = {}; // when it may be used up at the earliest
    };
    Budget fresh() const; // the same limits, nothing used of them, no share
    bool out_of_time(Clock::time_point now);

    Clock::time_point start_ = Clock::now();
    std::optional<Clock::time_point> deadline_; // the caller's
    std::optional<Processor> processor_;        // a share's
    std::optional<std::uint64_t> models_;
    std::optional<std::uint64_t> bytes_;
    StopToken stop_;
    std::shared_ptr<Reporter> reporter_; // null if nobody wants to know
    std::uint64_t models_taken_ = 0;
    std::uint64_t bytes_taken_ = 0;
    LimitReached reached_ = LimitReached::none;
};

} // namespace neurasp::base
