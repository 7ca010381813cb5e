// The line of progress on standard error.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace neurasp::cli {

// Shows phase, elapsed time and models seen, from one second after its creation until its end, if
// standard error is a terminal; otherwise does nothing. After five seconds the advice, if any, is
// added. The line is removed at the end.
class ProgressLine {
  public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine &) = delete;
    ProgressLine &operator=(const ProgressLine &) = delete;

    void phase(std::string name);
    void advise(std::string advice);
    void count_model() { models_.fetch_add(1, std::memory_order_relaxed); }
    // Removes the line for good.
    void finish();

  private:
    void run();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::string phase_ = "reading";
    std::string advice_;
    bool finished_ = false;
    std::atomic<std::uint64_t> models_{0};
    std::thread thread_;
};

} // namespace neurasp::cli
