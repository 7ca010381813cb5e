#include "cli/signals.hpp"

#include <csignal>

namespace neurasp::cli {

namespace {

// A signal handler can reach nothing but a global.
std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void raise_stop(int) {
    stop.store(true);
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

// A signal that was ignored when the process started (as in `nohup`) stays ignored.
void handle(int signal) {
    if (std::signal(signal, raise_stop) == SIG_IGN) std::signal(signal, SIG_IGN);
}

void restore(int signal) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
}

} // namespace

const std::atomic<bool> *stop_flag() { return &stop; }

bool stop_requested() { return stop.load(); }

SignalGuard::SignalGuard() {
    handle(SIGINT);
    handle(SIGTERM);
}

SignalGuard::~SignalGuard() {
    restore(SIGINT);
    restore(SIGTERM);
}

void let_writes_fail() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

} // namespace neurasp::cli
