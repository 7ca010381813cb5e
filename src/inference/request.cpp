// Turns a question into a request.
//
// All ways to an answer start here: engines, `compile`, `explain` and training. A request holds everything that
// decides which models count, so questions with equal requests share a circuit. Before there was one such place,
// `compile` in optimal mode could return a circuit without the cost if time ended first.
//
// The observation is one literal: its violation atom is false (docs/adr/0010-observations-as-helper-atoms.md).
//
// In optimal mode, only models of the least cost count, and the least cost depends on the whole program and the
// observation. clasp finds it before anything is compiled or enumerated. There are three results:
// - proven: the cost becomes part of the request, as an upper bound for each priority;
// - there is no model at all: the request without a cost is right, since it allows no model either;
// - the budget ended first: the request must not be used, and callers answer that the least cost is not known.
#include "inference/request.hpp"

namespace neurasp::inference {

ObservedRequest observe(const Scope &scope, bool optimal, base::Budget &budget) {
    ObservedRequest result;
    result.request.evidence = scope.evidence();
    const Grounding &grounding = scope.grounding();
    if (optimal && !grounding.rules().minimize().empty()) {
        find_least_cost(result, grounding.problem(), scope.evidence(), budget);
    }
    return result;
}

void find_least_cost(ObservedRequest &observed, const SearchProblem &problem,
                     std::span<const Literal> assumptions, base::Budget &budget) {
    budget.report(Phase::searching);
    const auto optimum = problem.find_optimum(assumptions, budget);
    if (optimum && optimum->proven) {
        observed.request.cost = optimum->cost;
    } else if (!optimum && budget.reached() == base::LimitReached::none) {
        observed.state = ObservedRequest::State::no_model;
    } else {
        observed.state = ObservedRequest::State::cost_unknown;
    }
}

} // namespace neurasp::inference
