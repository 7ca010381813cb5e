// Ctrl-C and friends.
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

// A thread in which no signal is handled: they are for the thread that works.
std::thread thread_without_signals(std::function<void()> body);

// Where the main thread runs out of stack (clingo recurses over terms, however deep), says `message` and
// ends with `exit_code` instead of crashing. Requires: called from the main thread.
void end_on_stack_overflow(std::string message, int exit_code);

} // namespace neurasp::cli
