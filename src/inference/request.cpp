#include "inference/request.hpp"

namespace neurasp::inference {

ObservedRequest observe(const Scope &scope, bool optimal, base::Budget &budget) {
    ObservedRequest result;
    result.request.evidence = scope.evidence();
    const Grounding &grounding = scope.grounding();
    if (!optimal || grounding.rules().minimize().empty()) return result;
    budget.report(Phase::searching);
    const auto optimum = grounding.problem().find_optimum(result.request.evidence, budget);
    if (optimum && optimum->proven) {
        result.request.cost = optimum->cost;
    } else if (!optimum && budget.reached() == base::LimitReached::none) {
        result.state = ObservedRequest::State::no_model;
    } else {
        result.state = ObservedRequest::State::cost_unknown;
    }
    return result;
}

} // namespace neurasp::inference
