// Budgets of time, models and memory.
//
// The idea. A caller sets one deadline; inside, several methods get their turn (a circuit, enumeration, samples),
// each with a share of the time. A share decides which method will give the answer, so it must not depend on
// what else the machine is doing. Therefore the deadline is wall-clock time, because that is what the caller
// waits for, while a share is processor time of the thread that works. The deadline holds for every share as
// well. A share that must leave time for later work (Share::leaves_a_rest) also ends by the wall clock, at its
// fraction of the time that is left: on a busy machine its processor time might last until the deadline.
//
// Cheap enough for every model of a search. Reading the processor time is a system call. But a thread cannot use
// processor time faster than wall-clock time passes: if a share has s processor seconds left, it cannot be used
// up within the next s wall-clock seconds. `Processor::next` is that moment. Until then out_of_time() only
// compares two wall-clock times; then it reads the processor time and computes the next such moment.
//
// Progress. All budgets of one call share a Reporter, and exhausted() calls on_progress from the thread that is
// working, at most every 100 ms. That thread may hold locks, so a callback that asked a question of the same
// reasoner could wait for itself; refuse_while_reporting() turns this into a ContractError.
//
// Invariants. An exhausted budget stays exhausted (`reached_` is set once). A share is used only by the thread
// that made it. A share never outlasts the caller's deadline.
//
// Tried before. Shares used to be wall-clock time. On a busy machine, a question that compiles in 0.2 s then fell
// to enumeration, which may never end (docs/adr/0002-questions-limits-turns.md).
#include "base/budget.hpp"

#include "base/assert.hpp"
#include "neurasp/diagnostic.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace neurasp {

std::string_view name_of(Phase phase) noexcept {
    switch (phase) {
    case Phase::grounding: return "grounding";
    case Phase::compiling: return "compiling";
    case Phase::searching: return "searching";
    case Phase::sampling: return "sampling";
    case Phase::preparing: break;
    }
    return "preparing";
}

namespace base {

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

double thread_seconds() noexcept {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

namespace {

Clock::duration to_duration(double seconds) {
    constexpr double longest = 1e9; // about 30 years; larger values would overflow the clock
    return std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(std::clamp(seconds, 0.0, longest)));
}

double to_seconds(Clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

} // namespace

namespace {

thread_local bool reporting = false;

// Marks this thread as being inside on_progress, for as long as it lives.
struct Reporting {
    Reporting() { reporting = true; }
    ~Reporting() { reporting = false; }
    Reporting(const Reporting &) = delete;
    Reporting &operator=(const Reporting &) = delete;
};

} // namespace

bool is_reporting() noexcept { return reporting; }

void refuse_while_reporting() {
    if (!reporting) return;
    throw ContractError("Limits::on_progress: a reasoner and its questions must not be used from "
                        "within it");
}

struct Budget::Reporter {
    static constexpr std::chrono::milliseconds between{100};

    std::function<void(const Progress &)> on_progress;
    Clock::time_point begin = Clock::now();
    Clock::time_point next = begin + between;
    Progress progress;

    void look(Clock::time_point now) {
        if (now < next) return;
        next = now + between;
        progress.seconds = to_seconds(now - begin);
        const Reporting guard;
        on_progress(progress);
    }
};

Budget::Budget(const Limits &limits)
    : models_(limits.models), bytes_(limits.bytes), stop_(limits.stop) {
    if (limits.seconds && std::isnan(*limits.seconds)) {
        throw ContractError("Limits::seconds: not a number");
    }
    if (limits.seconds) deadline_ = start_ + to_duration(*limits.seconds);
    if (!limits.on_progress) return;
    reporter_ = std::make_shared<Reporter>();
    reporter_->on_progress = limits.on_progress;
}

bool Budget::out_of_time(Clock::time_point now) {
    NEURASP_ASSERT(!processor_ || processor_->owner == std::this_thread::get_id(),
                   "a share is used by the thread that made it");
    if (deadline_ && now >= *deadline_) return true;
    if (!processor_ || now < processor_->next) return false;
    const double left = processor_->seconds - (thread_seconds() - processor_->start);
    if (left <= 0.0) return true;
    processor_->next = now + to_duration(left);
    return false;
}

bool Budget::exhausted() {
    if (reached_ != LimitReached::none) return true;
    if (stop_.raised()) {
        reached_ = LimitReached::stopped;
    } else if (deadline_ || processor_ || reporter_) {
        const auto now = Clock::now();
        if (out_of_time(now)) reached_ = LimitReached::time;
        if (reporter_) reporter_->look(now);
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
    std::optional<double> left;
    if (deadline_) left = std::max(0.0, to_seconds(*deadline_ - Clock::now()));
    if (processor_) {
        const double own = processor_->seconds - (thread_seconds() - processor_->start);
        left = std::max(0.0, std::min(left.value_or(own), own));
    }
    return left;
}

double Budget::seconds_used() const noexcept { return to_seconds(Clock::now() - start_); }

Budget Budget::fresh() const {
    Budget part = *this;
    part.start_ = Clock::now();
    part.processor_.reset();
    part.models_taken_ = 0;
    part.bytes_taken_ = 0;
    part.reached_ = LimitReached::none;
    return part;
}

Budget Budget::with_seconds(double seconds) const {
    Budget part = fresh();
    Processor processor;
    processor.seconds = seconds;
    processor.start = thread_seconds();
    processor.next = part.start_ + to_duration(seconds);
    part.processor_ = processor;
    return part;
}

Budget Budget::with_models(std::optional<std::uint64_t> models) const {
    Budget part = *this;
    if (models) part.models_ = std::min(*models, models_.value_or(*models));
    part.models_taken_ = 0;
    return part;
}

Budget Budget::part(const Share &share) const {
    const auto left = seconds_left();
    std::optional<double> seconds = left ? std::optional(*left * share.of_rest) : share.unlimited;
    if (share.at_most) seconds = std::min(seconds.value_or(*share.at_most), *share.at_most);
    Budget part = seconds ? with_seconds(*seconds) : fresh();
    if (share.leaves_a_rest && deadline_) {
        part.deadline_ =
            part.start_ + to_duration(to_seconds(*deadline_ - part.start_) * share.of_rest);
    }
    return part;
}

void Budget::report(Phase phase) const {
    if (reporter_) reporter_->progress = Progress{phase, 0, {}, {}, {}, 0.0};
}

void Budget::report(std::uint64_t done, std::optional<double> lower,
                    std::optional<double> upper) const {
    if (!reporter_) return;
    reporter_->progress.done = done;
    reporter_->progress.lower = lower;
    reporter_->progress.upper = upper;
}

} // namespace base

} // namespace neurasp
