// A pool of threads that compile drafted observations.
//
// The idea. Preparing an observation has two parts. Reading, grounding and drafting use the reasoner, whose ground program
// grows, so one thread does them all. Compiling a draft needs nothing but the draft, so any thread can do it
// (docs/adr/0002-questions-limits-turns.md). The thread that drafts is a member of the pool: when enough drafts
// are waiting, it compiles one itself instead of drafting more, because every draft holds a theory and a ground program in
// memory. With one thread there is no other, and the caller does everything.
//
// Threads start when there is work for them, one per added job until there are enough, so a few observations cost no
// more than a few threads. Exceptions are kept in the job and thrown by the caller. A job that ran into the limit of the
// whole work is marked `interrupted` and is not finished; one that ran into its own limit is finished, without a circuit.
//
// Invariants. A job is in exactly one place: waiting, in work (counted), or done. Only the caller adds jobs and
// starts threads. Threads are declared last, so they end before the members that they use.
//
// Cost. One lock per job and state change, which is negligible next to compiling.
#include "training/compile_pool.hpp"

#include "inference/access.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace neurasp::training {

namespace {

void compile_or_throw(Job &job, base::Budget &whole) {
    base::Budget own = job.seconds ? whole.with_seconds(*job.seconds) : whole;
    Compilation compilation = inference::finish_question(std::move(*job.draft), own);
    job.draft.reset();
    if (compilation.circuit) {
        job.parts.program.emplace(internal::Access::circuit(*compilation.circuit));
    } else {
        job.interrupted = compilation.is_limit && whole.exhausted();
    }
    job.parts.compilation = std::move(compilation);
}

} // namespace

void compile(Job &job, base::Budget whole) {
    const double begin = base::thread_seconds();
    try {
        compile_or_throw(job, whole);
    } catch (...) {
        job.failure = std::current_exception();
    }
    job.compile_seconds = base::thread_seconds() - begin;
}

CompilePool::~CompilePool() {
    {
        const std::lock_guard lock(mutex_);
        waiting_.clear();
        closed_ = true;
    }
    changed_.notify_all();
}

void CompilePool::add(std::unique_ptr<Job> job) {
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(job));
    }
    // The caller counts as the first thread.
    if (threads_.size() + 1 < std::min(most_, ++added_)) threads_.emplace_back([this] { work(); });
    changed_.notify_all();
}

bool CompilePool::is_full() {
    const std::lock_guard lock(mutex_);
    return waiting_.size() >= most_;
}

bool CompilePool::is_busy() {
    const std::lock_guard lock(mutex_);
    return in_work_ > 0 || !waiting_.empty() || !done_.empty();
}

std::unique_ptr<Job> CompilePool::next_waiting() {
    if (waiting_.empty()) return nullptr;
    auto job = std::move(waiting_.front());
    waiting_.pop_front();
    ++in_work_;
    return job;
}

bool CompilePool::help(const base::Budget &whole) {
    std::unique_lock lock(mutex_);
    auto job = next_waiting();
    if (!job) return false;
    lock.unlock();
    compile(*job, whole);
    lock.lock();
    --in_work_;
    done_.push_back(std::move(job));
    return true;
}

void CompilePool::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
        auto job = next_waiting();
        if (!job) return;
        lock.unlock();
        compile(*job, whole_);
        lock.lock();
        --in_work_;
        done_.push_back(std::move(job));
        changed_.notify_all();
    }
}

std::vector<std::unique_ptr<Job>> CompilePool::done() {
    const std::lock_guard lock(mutex_);
    return std::exchange(done_, {});
}

void CompilePool::wait() {
    // short, so that progress is reported and limits take effect
    constexpr std::chrono::milliseconds moment{50};
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, moment, [&] { return !done_.empty() || in_work_ == 0; });
}

void CompilePool::drop_waiting() {
    const std::lock_guard lock(mutex_);
    waiting_.clear();
}

} // namespace neurasp::training
