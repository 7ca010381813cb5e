// Limits on one piece of work: time, models, memory, and the caller's wish to stop.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace neurasp::base {

using Clock = std::chrono::steady_clock;

enum class LimitReached { none, time, models, memory, rules, term_size, stopped };

// Names the limit for people: "time limit", ...
std::string describe(LimitReached limit);

// Set up once per question and polled by the engines. Once a limit is reached it stays reached.
class Budget {
  public:
    Budget() = default;
    Budget(std::optional<double> seconds, std::optional<std::uint64_t> models,
           std::optional<std::uint64_t> bytes, const std::atomic<bool> *stop);

    // Cheap enough for every model; looks at the clock.
    bool exhausted() noexcept;
    // Counts one more model; false if that was one too many (it must then not be used).
    bool take_model() noexcept;
    // Accounts memory for stored results; false if the limit is passed.
    bool take_bytes(std::uint64_t bytes) noexcept;

    // Whether time or models are limited at all.
    bool is_limited() const noexcept { return deadline_.has_value() || models_.has_value(); }
    const std::optional<std::uint64_t> &model_limit() const noexcept { return models_; }
    LimitReached reached() const noexcept { return reached_; }
    std::uint64_t models_taken() const noexcept { return models_taken_; }
    // Time that is left; nothing if there is no time limit.
    std::optional<double> seconds_left() const noexcept;
    double seconds_used() const noexcept;
    const std::atomic<bool> *stop_flag() const noexcept { return stop_; }

    // A budget for a part of the work: at most `share` of the time left, `most_seconds`, and `models` models.
    Budget part(double share, std::optional<std::uint64_t> models,
                std::optional<double> most_seconds = {}) const;

  private:
    Clock::time_point start_ = Clock::now();
    std::optional<Clock::time_point> deadline_;
    std::optional<std::uint64_t> models_;
    std::optional<std::uint64_t> bytes_;
    const std::atomic<bool> *stop_ = nullptr;
    std::uint64_t models_taken_ = 0;
    std::uint64_t bytes_taken_ = 0;
    LimitReached reached_ = LimitReached::none;
};

} // namespace neurasp::base
