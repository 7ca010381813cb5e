// Buffers that a thread needs while it evaluates circuits. They do not belong to an observation: each thread of a run
// borrows a set, so that any number of runs can go on at once and buffers are reused.
#pragma once

#include "circuit/batch_evaluator.hpp"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace neurasp::training {

struct Scratch {
    circuit::BatchWorkspace<double> workspace;
    std::vector<double> inputs; // of a group of examples: input i of column k at [i * columns + k]
    // Of one example:
    std::vector<double> column;
    std::vector<double> column_gradient;
};

class ScratchPool {
  public:
    class Loan {
      public:
        explicit Loan(ScratchPool &pool) : pool_(pool), scratch_(pool.take()) {}
        ~Loan() { pool_.give_back(std::move(scratch_)); }
        Loan(const Loan &) = delete;
        Loan &operator=(const Loan &) = delete;
        Scratch &operator*() const noexcept { return *scratch_; }

      private:
        ScratchPool &pool_;
        std::unique_ptr<Scratch> scratch_;
    };

  private:
    std::unique_ptr<Scratch> take() {
        const std::lock_guard lock(mutex_);
        if (idle_.empty()) return std::make_unique<Scratch>();
        auto scratch = std::move(idle_.back());
        idle_.pop_back();
        return scratch;
    }
    void give_back(std::unique_ptr<Scratch> scratch) {
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(scratch));
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<Scratch>> idle_;
};

} // namespace neurasp::training
