// Ctrl-C and friends.
#pragma once

#include <atomic>

namespace neurasp::cli {

// The flag that SIGINT and SIGTERM raise while a SignalGuard lives.
const std::atomic<bool> *stop_flag();
bool stop_requested();

// While it lives, the first SIGINT or SIGTERM raises the stop flag, so that the answer so far can be
// printed; the second one has its usual effect.
class SignalGuard {
  public:
    SignalGuard();
    ~SignalGuard();
    SignalGuard(const SignalGuard &) = delete;
    SignalGuard &operator=(const SignalGuard &) = delete;
};

// Makes writing to a closed pipe, or beyond the limit on a file's size, an error of the write instead of the
// end of the process.
void let_writes_fail();

} // namespace neurasp::cli
