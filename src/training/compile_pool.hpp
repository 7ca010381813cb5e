// Threads that compile what one thread drafts. The drafting thread compiles, too, when enough drafts are waiting, because
// each of them holds a theory and a ground program in memory.
#pragma once

#include "base/budget.hpp"
#include "inference/compile_question.hpp"
#include "training/prepared.hpp"
#include "training/shared_kind.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace neurasp::training {

// An observation that is being prepared.
struct Job {
    std::size_t place = 0;                    // of the observation, among those of the call
    std::shared_ptr<const SharedKind> shared; // null if it is grounded on its own
    Parts parts;
    std::optional<inference::QuestionDraft> draft; // until it is compiled
    std::optional<double> seconds;                 // processor time left for compiling
    // Set by compile():
    double compile_seconds = 0.0; // of the processor
    bool interrupted = false;     // the caller's limits ended it; it is not finished
    std::exception_ptr failure;   // the exception that ended it, if any
};

// Compiles within `whole`, the budget of all the work, and within the job's own seconds.
void compile(Job &job, base::Budget whole);

class CompilePool {
  public:
    // With one thread, only the caller compiles; otherwise threads start when there is work for them. `whole` is the
    // budget of all the work; it must not report progress, which is up to the caller.
    CompilePool(std::size_t threads, base::Budget whole)
        : most_(threads), whole_(std::move(whole)) {}
    // Drops waiting jobs, and waits for those that are being compiled.
    ~CompilePool();

    void add(std::unique_ptr<Job> job);
    // Whether the caller should compile before it adds more.
    bool is_full();
    // Whether there are jobs that done() has not returned yet.
    bool is_busy();
    // Compiles one waiting job; false if there is none.
    bool help(const base::Budget &whole);
    // The jobs compiled since the last call, in no particular order.
    std::vector<std::unique_ptr<Job>> done();
    // Waits for a job to be done, but at most for a moment.
    void wait();
    // Drops waiting jobs.
    void drop_waiting();

  private:
    void work();
    std::unique_ptr<Job> next_waiting(); // Requires: the lock is held.

    std::size_t most_; // threads, including the caller; constant, like whole_
    base::Budget whole_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool closed_ = false;
    std::size_t in_work_ = 0;
    std::deque<std::unique_ptr<Job>> waiting_;
    std::vector<std::unique_ptr<Job>> done_;
    std::size_t added_ = 0;             // number of jobs; used only by the caller
    std::vector<std::jthread> threads_; // used only by the caller; last, because they use the rest
};

} // namespace neurasp::training
