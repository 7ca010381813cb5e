// Lends solvers to searches.
//
// Loading the rules into clasp takes longer than many searches, so solvers are kept. Each search borrows one for
// itself: clasp can run only one search at a time, and an enumeration that pauses at a model must not block the
// count of Num for this very model, nor other threads. A search that starts while all solvers are borrowed makes
// a new one, so there are at most as many solvers as searches were open at the same time.
//
// Solvers with and without the weak constraints are kept apart, and a search gets the kind that it needs.
//
// The ground program may grow while solvers are idle: questions add rules for their own atoms (grounding.hpp). A
// solver takes over new rules when its next search begins.
//
// Exceptions. A solver that an exception passed through is in an unknown state, and is dropped instead of given
// back.
//
// Invariants: a solver is either idle, or borrowed by one search; a search that was opened ends once, at the
// latest in its destructor; `searches_` counts the searches of all threads.
#include "inference/search_problem.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <utility>

namespace neurasp::inference {

SearchProblem::SearchProblem(std::shared_ptr<const asp::GroundProgram> program,
                             std::vector<std::size_t> variables,
                             std::vector<std::vector<AtomId>> groups, bool determined)
    : program_(std::move(program)), variables_(std::move(variables)), groups_(std::move(groups)),
      determined_(determined) {}

SearchProblem::Borrowed SearchProblem::borrow(bool minimize) const {
    ++searches_;
    {
        const std::lock_guard lock(mutex_);
        Solvers &idle = idle_[minimize ? 1 : 0];
        if (!idle.empty()) {
            auto solver = std::move(idle.back());
            idle.pop_back();
            return {*this, minimize, std::move(solver)};
        }
    }
    return {*this, minimize,
            std::make_unique<asp::Solver>(*program_, groups_, asp::Solver::Options{minimize})};
}

SearchProblem::Borrowed::~Borrowed() {
    if (!solver_ || std::uncaught_exceptions() > exceptions_) return;
    problem_->fixpoints_ += solver_->fixpoints() - fixpoints_before_;
    const std::lock_guard lock(problem_->mutex_);
    problem_->idle_[minimize_ ? 1 : 0].push_back(std::move(solver_));
}

SearchProblem::Open::Open(Borrowed solver, const SearchRequest &request, base::Budget &budget)
    : solver_(std::move(solver)) {
    solver_->open({request.assumptions, request.bound, request.prune, request.cost}, budget);
}

SearchProblem::Open::~Open() {
    if (open_) solver_->close();
}

asp::SearchEnd SearchProblem::Open::end() {
    NEURASP_ASSERT(open_, "a search ends once");
    open_ = false;
    return solver_->close();
}

SearchProblem::Open SearchProblem::open(const SearchRequest &request, base::Budget &budget) const {
    return {borrow(request.cost.has_value()), request, budget};
}

asp::SearchEnd SearchProblem::search(const SearchRequest &request, base::Budget &budget,
                                     const asp::Solver::OnModel &on_model) const {
    return borrow(request.cost.has_value())
        ->search({request.assumptions, request.bound, request.prune, request.cost}, budget,
                 on_model);
}

std::optional<asp::Solver::Optimum>
SearchProblem::find_optimum(std::span<const Literal> assumptions, base::Budget &budget) const {
    return borrow(true)->find_optimum(assumptions, budget);
}

void read_choice(const SearchProblem &problem, const asp::ModelView &view, TotalChoice &choice) {
    choice.clear();
    for (const std::vector<AtomId> &group : problem.groups()) {
        const auto found = std::find_if(group.begin(), group.end(),
                                        [&](AtomId atom) { return view.is_true(atom); });
        choice.push_back(static_cast<std::uint32_t>(found - group.begin()));
    }
}

std::vector<Literal> choice_literals(const SearchProblem &problem, const TotalChoice &choice) {
    std::vector<Literal> literals;
    literals.reserve(choice.size());
    for (std::size_t g = 0; g < choice.size(); ++g) {
        literals.emplace_back(problem.groups()[g][choice[g]]);
    }
    return literals;
}

std::vector<Literal> all_but(const SearchProblem &problem, const TotalChoice &choice) {
    std::vector<Literal> clause = choice_literals(problem, choice);
    for (Literal &literal : clause) literal = ~literal;
    return clause;
}

} // namespace neurasp::inference
