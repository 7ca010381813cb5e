// Signals: Ctrl-C, SIGTERM, closed pipes, and running out of stack.
#pragma once

#include "neurasp/limits.hpp"

#include <functional>
#include <string>
#include <thread>

namespace neurasp::cli {

// The flag that SIGINT and SIGTERM raise while a SignalGuard lives.
StopToken stop_token();
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

// A thread that handles no signals; the main thread handles them.
std::thread thread_without_signals(std::function<void()> body);

// If the main thread runs out of stack (clingo recurses over terms of any depth), the process writes `message` and
// ends with `exit_code` instead of crashing. Requires: called from the main thread.
void end_on_stack_overflow(std::string message, int exit_code);

} // namespace neurasp::cli
