// A ground program with its random variables, ready for search: the whole program, or the slice of it that a
// question depends on.
//
// A search borrows a solver and returns it; a search that begins while another one is open gets a solver of its
// own. So any number of threads may search, and models may be counted while another search pauses at a model.
//
// Invariant: a search that was opened ends once.
#pragma once

#include "asp/analysis.hpp"
#include "asp/solver.hpp"
#include "inference/random_variable.hpp"

#include <array>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace neurasp::inference {

// The parameters of a search.
struct SearchRequest {
    std::span<const Literal> assumptions;
    std::optional<std::vector<std::int64_t>>
        cost;                        // only models of at most this cost (weak constraints)
    asp::CostBound *bound = nullptr; // steers towards cheap outcomes
    bool prune = false;              // also prunes assignments that reach its limit
};

class SearchProblem {
  public:
    // `variables` are indices into the grounding's list; `groups` are their atoms, in the same order.
    // `program` may grow later: questions add rules on top.
    SearchProblem(std::shared_ptr<const asp::GroundProgram> program,
                  std::vector<std::size_t> variables, std::vector<std::vector<AtomId>> groups,
                  bool determined);

    const asp::GroundProgram &program() const noexcept { return *program_; }
    const std::vector<std::size_t> &variables() const noexcept { return variables_; }
    const std::vector<std::vector<AtomId>> &groups() const noexcept { return groups_; }
    // Num(C) <= 1 for every total choice.
    bool determined() const noexcept { return determined_; }

    // A search from which the caller takes one model at a time. Requires: the budget, and everything that the
    // request refers to, outlive it.
    class Open;
    Open open(const SearchRequest &request, base::Budget &budget) const;
    asp::SearchEnd search(const SearchRequest &request, base::Budget &budget,
                          const asp::Solver::OnModel &on_model) const;
    std::optional<asp::Solver::Optimum> find_optimum(std::span<const Literal> assumptions,
                                                     base::Budget &budget) const;
    // Searches so far, of all threads.
    std::uint64_t searches() const noexcept { return searches_; }
    // Their counted work (asp::Solver), without that of searches which are still open.
    std::uint64_t fixpoints() const noexcept { return fixpoints_; }

  private:
    using Solvers = std::vector<std::unique_ptr<asp::Solver>>;
    class Borrowed;
    Borrowed borrow(bool minimize) const;

    std::shared_ptr<const asp::GroundProgram> program_;
    std::vector<std::size_t> variables_;
    std::vector<std::vector<AtomId>> groups_;
    bool determined_;
    mutable std::atomic<std::uint64_t> searches_{0};
    mutable std::atomic<std::uint64_t> fixpoints_{0};
    mutable std::mutex mutex_;            // guards `idle_`
    mutable std::array<Solvers, 2> idle_; // without and with the weak constraints
};

// A solver that is lent to one search.
class SearchProblem::Borrowed {
  public:
    Borrowed(const SearchProblem &problem, bool minimize, std::unique_ptr<asp::Solver> solver)
        : problem_(&problem), minimize_(minimize), solver_(std::move(solver)),
          fixpoints_before_(solver_->fixpoints()) {}
    ~Borrowed();
    Borrowed(Borrowed &&) noexcept = default;
    Borrowed &operator=(Borrowed &&) = delete;
    asp::Solver *operator->() const noexcept { return solver_.get(); }

  private:
    const SearchProblem *problem_;
    bool minimize_;
    int exceptions_ =
        std::uncaught_exceptions();       // a solver that an exception passed through is not kept
    std::unique_ptr<asp::Solver> solver_; // null after a move
    std::uint64_t fixpoints_before_;
};

class SearchProblem::Open {
  public:
    Open(Borrowed solver, const SearchRequest &request, base::Budget &budget);
    ~Open();
    Open(const Open &) = delete;
    Open &operator=(const Open &) = delete;

    std::optional<asp::ModelView> next() { return solver_->next(); }
    // Closes the search. Requires: called at most once.
    asp::SearchEnd end();

  private:
    Borrowed solver_;
    bool open_ = true;
};

// The outcome of each group in a model.
void read_choice(const SearchProblem &problem, const asp::ModelView &view, TotalChoice &choice);
// Literals that fix a total choice.
std::vector<Literal> choice_literals(const SearchProblem &problem, const TotalChoice &choice);
// A clause that no model of the choice satisfies.
std::vector<Literal> all_but(const SearchProblem &problem, const TotalChoice &choice);

} // namespace neurasp::inference
