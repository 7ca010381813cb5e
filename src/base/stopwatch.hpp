// Elapsed time, for statistics only; Budget enforces limits.
#pragma once

#include <chrono>

namespace neurasp::base {

// Starts when it is constructed; uses a clock that never goes back.
class Stopwatch {
  public:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace neurasp::base
