// The time, models and memory that one piece of work may use: the caller's limits, and shares of them for parts
// of the work.
//
// The caller's limit is wall-clock time. A share counts the processor time of its thread, so that a busy machine
// does not change which method finds the answer; the caller's deadline holds for every share as well.
// budget.cpp explains how this is kept cheap.
//
// Invariants: an exhausted budget stays exhausted; a share is used only by the thread that made it.
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

// Whether this thread is inside a call of Limits::on_progress. It may hold locks there, so calls that would take
// one refuse instead of waiting for themselves.
bool is_reporting() noexcept;
// Throws: ContractError if this thread is inside Limits::on_progress.
void refuse_while_reporting();

enum class LimitReached { none, time, models, memory, rules, term_size, stopped };

// Names the limit for people: "time limit reached", ...
std::string describe(LimitReached limit);

class Budget {
  public:
    Budget() = default;
    // All of the caller's limits.
    explicit Budget(const Limits &limits);

    // Reads the clock, and reports progress when it is due. Cheap enough to be called for every model.
    bool exhausted();
    // Counts one more model; false if the limit was reached already (then the model must not be used).
    bool take_model() noexcept;
    // Counts memory of stored results; false if the limit is exceeded.
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
    // The time left; nothing if time is not limited.
    std::optional<double> seconds_left() const noexcept;
    double seconds_used() const noexcept; // wall-clock time

    // For a part of the work: its share of the time left, and the same limit on models, counted anew.
    Budget part(const Share &share) const;
    // The same limits, but at most this many models, or processor seconds.
    Budget with_models(std::optional<std::uint64_t> models) const;
    Budget with_seconds(double seconds) const;

    // Whether the caller asked for progress.
    bool reports() const noexcept { return reporter_ != nullptr; }
    // Sets what is reported from now on, by this budget and by all other budgets of the same call.
    void report(Phase phase) const;
    void report(std::uint64_t done, std::optional<double> lower = {},
                std::optional<double> upper = {}) const;

  private:
    struct Reporter; // shared by a call's budgets
    struct Processor {
        double seconds = 0.0; // that may be used
        double start = 0.0;   // processor time of the thread when the share began
        std::thread::id owner = std::this_thread::get_id();
        Clock::time_point next = {}; // the earliest moment at which the share can be used up
    };
    Budget fresh() const; // the caller's limits without a share, with nothing used yet
    bool out_of_time(Clock::time_point now);

    Clock::time_point start_ = Clock::now();
    std::optional<Clock::time_point> deadline_; // the caller's
    std::optional<Processor> processor_;        // a share's
    std::optional<std::uint64_t> models_;
    std::optional<std::uint64_t> bytes_;
    StopToken stop_;
    std::shared_ptr<Reporter> reporter_; // null if no progress is asked for
    std::uint64_t models_taken_ = 0;
    std::uint64_t bytes_taken_ = 0;
    LimitReached reached_ = LimitReached::none;
};

} // namespace neurasp::base
