// Threads that compile what one thread drafts. That thread is one of them: it compiles, too, when enough drafts
// wait, for each holds a theory and a ground program.
#pragma once

#include "base/budget.hpp"
#include "inference/compile_question.hpp"
#include "training/prepared.hpp"

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

// An observation on its way.
struct Job {
    std::uint32_t id = 0; // of the observation
    Parts parts;
    std::optional<inference::QuestionDraft> draft; // until it is compiled
    std::optional<double> seconds;                 // of processor time, that are left for that
    // Once it is compiled:
    bool interrupted = false;   // by the caller's limits: it is not done
    std::exception_ptr failure; // else
};

// Compiles within `whole`, which is that of all the work, and the job's own seconds.
void compile(Job &job, base::Budget whole);

class CompilePool {
  public:
    // With one thread, only the caller compiles; others start when there is work for them. `whole`: for all
    // the work; reports no progress, that is the caller's.
    CompilePool(std::size_t threads, base::Budget whole)
        : most_(threads), whole_(std::move(whole)) {}
    // Waits for what is being compiled; what waits is dropped.
    ~CompilePool();

    void add(std::unique_ptr<Job> job);
    // Whether the caller should compile before adding more.
    bool is_full();
    // Whether there is anything that was not returned by done().
    bool is_busy();
    // Compiles one job that waits; false if there is none.
    bool help(const base::Budget &whole);
    // Jobs that have been compiled since the last call, in no particular order.
    std::vector<std::unique_ptr<Job>> done();
    // Waits a moment for the next one.
    void wait();
    // Drops what waits.
    void drop_waiting();

  private:
    void work();
    std::unique_ptr<Job> next_waiting(); // with the lock held

    std::size_t most_; // threads, with the caller; like the next, never changes
    base::Budget whole_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool closed_ = false;
    std::size_t in_work_ = 0;
    std::deque<std::unique_ptr<Job>> waiting_;
    std::vector<std::unique_ptr<Job>> done_;
    std::size_t added_ = 0;             // jobs; only the caller looks
    std::vector<std::jthread> threads_; // likewise; last: they use the rest
};

} // namespace neurasp::training
