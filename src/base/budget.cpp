#include "base/budget.hpp"

#include <algorithm>

namespace neurasp::base {

std::string describe(LimitReached limit) {
    switch (limit) {
    case LimitReached::time: return "time limit reached";
    case LimitReached::models: return "model limit reached";
    case LimitReached::memory: return "memory limit reached";
    case LimitReached::rules: return "ground program too large";
    case LimitReached::term_size: return "ground term too large";
    case LimitReached::stopped: return "interrupted";
    case LimitReached::none: break;
    }
    return "";
}

namespace {

Clock::duration to_duration(double seconds) {
    constexpr double longest = 1e9; // about 30 years; larger values would overflow the clock
    return std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(std::clamp(seconds, 0.0, longest)));
}

} // namespace

Budget::Budget(std::optional<double> seconds, std::optional<std::uint64_t> models,
               std::optional<std::uint64_t> bytes, const std::atomic<bool> *stop)
    : models_(models), bytes_(bytes), stop_(stop) {
    if (seconds) deadline_ = start_ + to_duration(*seconds);
}

bool Budget::exhausted() noexcept {
    if (reached_ != LimitReached::none) return true;
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) {
        reached_ = LimitReached::stopped;
    } else if (deadline_ && Clock::now() >= *deadline_) {
        reached_ = LimitReached::time;
    }
    return reached_ != LimitReached::none;
}

bool Budget::take_model() noexcept {
    if (models_ && models_taken_ >= *models_) {
        if (reached_ == LimitReached::none) reached_ = LimitReached::models;
        return false;
    }
    ++models_taken_;
    return true;
}

bool Budget::take_bytes(std::uint64_t bytes) noexcept {
    bytes_taken_ += bytes;
    if (bytes_ && bytes_taken_ > *bytes_) {
        if (reached_ == LimitReached::none) reached_ = LimitReached::memory;
        return false;
    }
    return true;
}

std::optional<double> Budget::seconds_left() const noexcept {
    if (!deadline_) return std::nullopt;
    return std::max(0.0, std::chrono::duration<double>(*deadline_ - Clock::now()).count());
}

double Budget::seconds_used() const noexcept {
    return std::chrono::duration<double>(Clock::now() - start_).count();
}

Budget Budget::part(double share, std::optional<std::uint64_t> models,
                    std::optional<double> most_seconds) const {
    std::optional<double> seconds = seconds_left();
    if (seconds) *seconds *= share;
    if (most_seconds) seconds = std::min(seconds.value_or(*most_seconds), *most_seconds);
    return {seconds, models, bytes_, stop_};
}

} // namespace neurasp::base
