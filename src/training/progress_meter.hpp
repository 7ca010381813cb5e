// Reports to the caller how many observations are prepared.
#pragma once

#include "base/budget.hpp"

#include <chrono>
#include <cstddef>

namespace neurasp::training {

// Reports how many observations are done, at most ten times a second.
class ProgressMeter {
  public:
    ProgressMeter(const Limits &limits, std::size_t total) : limits_(limits), total_(total) {}

    void set_done(std::size_t done) { done_ = done; }
    void look() {
        constexpr std::chrono::milliseconds between{100};
        const auto now = base::Clock::now();
        if (!limits_.on_progress || now < next_) return;
        next_ = now + between;
        Progress progress;
        progress.phase = Phase::preparing;
        progress.done = done_;
        progress.total = total_;
        progress.seconds = std::chrono::duration<double>(now - begin_).count();
        limits_.on_progress(progress);
    }

  private:
    const Limits &limits_;
    std::size_t total_;
    std::size_t done_ = 0;
    base::Clock::time_point begin_ = base::Clock::now();
    base::Clock::time_point next_ = begin_;
};

} // namespace neurasp::training
