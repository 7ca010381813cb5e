// A ground program with its random variables, ready for search: the whole program, or the slice of it
// that a question depends on.
#pragma once

#include "asp/analysis.hpp"
#include "asp/solver.hpp"
#include "inference/random_variable.hpp"

#include <memory>
#include <vector>

namespace neurasp::inference {

class Problem {
  public:
    // `variables` are indices into the world's list; `groups` are their atoms, in the same order.
    // `program` may grow later (questions add rules on top) and must outlive the problem.
    Problem(const asp::GroundProgram &program, std::vector<std::size_t> variables,
            std::vector<std::vector<AtomId>> groups, bool determined)
        : program_(program), variables_(std::move(variables)), groups_(std::move(groups)),
          determined_(determined) {}

    const asp::GroundProgram &program() const noexcept { return program_; }
    const std::vector<std::size_t> &variables() const noexcept { return variables_; }
    const std::vector<std::vector<AtomId>> &groups() const noexcept { return groups_; }
    // Num(C) <= 1 for every total choice.
    bool determined() const noexcept { return determined_; }

    // Two solvers over the same program, so that one can count while the other pauses at a model, and
    // one that knows the weak constraints. Made when first used.
    asp::Solver &enumerator() { return solver(enumerator_, false); }
    asp::Solver &counter() { return solver(counter_, false); }
    asp::Solver &optimiser() { return solver(optimiser_, true); }
    std::uint64_t searches() const {
        std::uint64_t sum = 0;
        for (const auto *place : {&enumerator_, &counter_, &optimiser_}) {
            if (*place) sum += (*place)->searches();
        }
        return sum;
    }

  private:
    asp::Solver &solver(std::unique_ptr<asp::Solver> &place, bool minimize) {
        if (!place) {
            place =
                std::make_unique<asp::Solver>(program_, groups_, asp::Solver::Options{minimize});
        }
        return *place;
    }

    const asp::GroundProgram &program_;
    std::vector<std::size_t> variables_;
    std::vector<std::vector<AtomId>> groups_;
    bool determined_;
    std::unique_ptr<asp::Solver> enumerator_;
    std::unique_ptr<asp::Solver> counter_;
    std::unique_ptr<asp::Solver> optimiser_;
};

// A problem that owns its program.
struct Slice {
    asp::GroundProgram program;
    asp::Analysis analysis;
    std::unique_ptr<Problem> problem;
};

} // namespace neurasp::inference
