// Signal handlers, and the globals that they need.
#include "cli/signals.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <utility>

namespace neurasp::cli {

namespace {

// Global, because a signal handler gets no other context.
std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void raise_stop(int) {
    stop.store(true);
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

// Prepared for the handler of a stack overflow, which must not allocate.
struct LastWords {
    std::string message;
    int exit_code = 0;
    std::uintptr_t lowest = 0; // address of the stack
    std::array<char, 65536> stack{};
};
LastWords last_words;

extern "C" void end_if_overflown(int signal, siginfo_t *info, void *) {
    constexpr std::uintptr_t near = 1U << 20U;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    if (address + near > last_words.lowest && address < last_words.lowest + near) {
        [[maybe_unused]] const auto written =
            ::write(STDERR_FILENO, last_words.message.data(), last_words.message.size());
        ::_exit(last_words.exit_code);
    }
    std::signal(signal, SIG_DFL); // another fault: it occurs again and crashes as usual
}

// A signal that was ignored when the process started (as in `nohup`) stays ignored.
void handle(int signal) {
    if (std::signal(signal, raise_stop) == SIG_IGN) std::signal(signal, SIG_IGN);
}

void restore(int signal) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
}

} // namespace

StopToken stop_token() { return StopToken(stop); }

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

std::thread thread_without_signals(std::function<void()> body) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread thread(std::move(body));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
}

void end_on_stack_overflow(std::string message, int exit_code) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    last_words.message = std::move(message);
    last_words.exit_code = exit_code;
    last_words.lowest = reinterpret_cast<std::uintptr_t>(&limit) - limit.rlim_cur;
    stack_t stack{};
    stack.ss_sp = last_words.stack.data();
    stack.ss_size = last_words.stack.size();
    struct sigaction action {};
    action.sa_sigaction = end_if_overflown;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    if (::sigaltstack(&stack, nullptr) == 0) ::sigaction(SIGSEGV, &action, nullptr);
}

} // namespace neurasp::cli
