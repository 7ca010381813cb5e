// Most probable models and samples from circuits: the circuit yields the outcomes and the free atoms of a
// model, clasp the rest of it.
#include "base/random_stream.hpp"
#include "circuit/best_assignments.hpp"
#include "circuit/exact_evaluation.hpp"
#include "circuit/sampling.hpp"
#include "inference/circuit_engine.hpp"
#include "inference/circuit_request.hpp"
#include "inference/model_finder.hpp"

#include <map>

namespace neurasp::inference {

namespace {

// What the budget cut short.
void note_limit(AnswerInfo &info, const base::Budget &budget) {
    if (budget.reached() == base::LimitReached::none) return;
    info.exact = false;
    info.interrupted = budget.reached() == base::LimitReached::stopped;
    info.note = base::describe(budget.reached());
}

} // namespace

ModelsAnswer CircuitEngine::models(Task &task, std::uint64_t count,
                                   const Reasoner::OnModel &on_model) const {
    return enumeration_.models(task, count, on_model);
}

ModelsAnswer CircuitEngine::most_probable(Task &task, std::uint64_t count, bool ties) const {
    ObservedRequest observation = observed_request(task);
    observation.request.models = true;
    if (!observation.proven || observation.no_model) {
        return enumeration_.most_probable(task, count, ties);
    }
    const Compiled compiled = compile(task, observation.request);
    if (!compiled->circuit) {
        ModelsAnswer other = enumeration_.most_probable(task, count, ties);
        other.info.detail = no_circuit(*compiled);
        return other;
    }
    ModelsAnswer answer;
    ModelFinder finder(task, observation.request, *compiled);
    circuit::BestAssignments best(compiled->smooth(), plain_weights(*compiled, task.weights));
    std::optional<ScaledReal> last;
    while (auto assignment = best.next()) {
        if (answer.models.size() >= count && (!ties || !base::is_tie(assignment->value, *last))) {
            break;
        }
        last = assignment->value;
        auto model = task.budget.take_model() ? finder.find(assignment->outcomes, *last)
                                              : std::optional<StableModel>();
        if (!model || !task.budget.take_bytes(stored_size(*model)) || task.budget.exhausted()) {
            answer.upper_bound = last->to_probability();
            break;
        }
        answer.models.push_back(std::move(*model));
    }
    finish(answer.info, task.budget, *compiled);
    note_limit(answer.info, task.budget);
    answer.info.solver_calls = answer.models.size();
    return answer;
}

ModelsAnswer CircuitEngine::sample(Task &task, std::uint64_t count, std::uint64_t seed) const {
    ObservedRequest observation = observed_request(task);
    observation.request.models = true;
    if (!observation.proven || observation.no_model) return enumeration_.sample(task, count, seed);
    const Compiled compiled = compile(task, observation.request);
    if (!compiled->circuit) {
        ModelsAnswer other = enumeration_.sample(task, count, seed);
        other.info.detail = no_circuit(*compiled);
        return other;
    }
    ModelsAnswer answer;
    const auto smooth = compiled->smooth();
    const circuit::ExactEvaluation evaluation(*smooth, plain_weights(*compiled, task.weights));
    ModelFinder finder(task, observation.request, *compiled);
    base::RandomStream random(seed);
    std::map<std::vector<std::uint32_t>, StableModel> known;
    while (answer.models.size() < count && !task.budget.exhausted()) {
        const auto drawn = circuit::draw_assignment(*smooth, evaluation, random);
        if (!drawn) break; // P(O) = 0
        auto place = known.find(drawn->outcomes);
        if (place == known.end()) {
            auto model = finder.find(drawn->outcomes, drawn->value);
            if (!model || !task.budget.take_bytes(stored_size(*model))) break;
            place = known.emplace(drawn->outcomes, std::move(*model)).first;
        }
        answer.models.push_back(place->second);
    }
    finish(answer.info, task.budget, *compiled);
    note_limit(answer.info, task.budget);
    answer.info.solver_calls = known.size();
    return answer;
}

} // namespace neurasp::inference
