#include "inference/call.hpp"

#include "inference/enumeration.hpp"
#include "inference/policy.hpp"

#include <algorithm>

namespace neurasp::inference {

circuit::CompilerLimits compiler_limits(const Limits &limits) {
    const circuit::CompilerLimits usual;
    return {limits.nodes.value_or(usual.nodes), limits.bytes.value_or(usual.bytes)};
}

Call::Call(const QuestionState &state, const NetworkOutputs &outputs, const Settings &settings,
           const Limits &limits)
    : budget_(limits), lock_(state.scope->grounding().reading()),
      engine_(engine_for(settings.engine)), scope_(*state.scope), library_(*state.library),
      settings_(settings), most_(compiler_limits(limits)),
      weights_(make_weights(scope_.grounding(), outputs)) {}

std::optional<Task> Call::task(base::Budget &budget) {
    if (!observed_) observed_ = observe(scope_, settings_.optimal, budget_);
    if (observed_->state == ObservedRequest::State::cost_unknown) return std::nullopt;
    return Task{scope_, observed_->request, weights_, settings_, library_, most_, budget};
}

Task Call::whole(base::Budget &budget) const {
    return {scope_, everything_, weights_, settings_, library_, most_, budget};
}

MassAnswer Call::mass(base::Budget &budget) {
    if (scope_.grounding().consistency().coherent) return {exactly(weights_.total()), {}};
    return engine_.mass(whole(budget));
}

// A circuit of all models may cost far more than the answer: where there is a choice of ways, it gets no more
// time than that took.
std::optional<Probability> Call::remark_mass() {
    if (scope_.grounding().consistency().coherent) return exactly(weights_.total());
    if (settings_.mass_models == 0) return std::nullopt;
    base::Budget granted = budget_.part(base::time_plan::mass).with_models(settings_.mass_models);
    Probability mass;
    if (engine_.chooses()) {
        const double least = base::time_plan::least_for_mass_circuit;
        const CircuitTurn turn{{1.0, {}, std::max(budget_.seconds_used(), least)},
                               auto_policy.first_limits};
        auto attempt = mass_by_circuit(whole(granted), turn);
        mass = attempt.answer ? attempt.answer->probability
                              : engine_for("enumerate").mass(whole(granted)).probability;
    } else {
        mass = engine_.mass(whole(granted)).probability;
    }
    return mass.exact ? std::optional(mass) : std::nullopt;
}

std::optional<bool> Call::remark_more(const Task &task, std::uint64_t listed) const {
    if (!settings_.look_further) return std::nullopt;
    base::Budget granted = task.budget.part(base::time_plan::further_models);
    std::uint64_t seen = 0;
    const auto end = scope_.grounding().problem().search(
        {task.request.evidence, task.request.cost, nullptr, false}, granted,
        [&](const asp::ModelView &) { return ++seen <= listed; });
    if (seen > listed) return true;
    return end == asp::SearchEnd::exhausted ? std::optional(false) : std::nullopt;
}

} // namespace neurasp::inference
