// Most probable models and samples from circuits: the circuit yields the outcomes and the free atoms of a
// model, clasp the rest of it.
#include "base/random_stream.hpp"
#include "circuit/best_assignments.hpp"
#include "circuit/exact_evaluation.hpp"
#include "circuit/sampling.hpp"
#include "inference/circuit_answers.hpp"
#include "inference/model_finder.hpp"

#include <map>

namespace neurasp::inference {

Attempt<ModelsAnswer> best_by_circuit(const Task &task, std::uint64_t count, bool ties,
                                      const CircuitTurn &turn) {
    Request request = task.request;
    request.models = true;
    const auto entry = compile(task, request, turn);
    if (!entry->circuit) return {std::nullopt, entry};
    ModelsAnswer answer;
    ModelFinder finder(task, *entry);
    circuit::BestAssignments best(entry->smooth(), plain_weights(*entry, task.weights));
    std::optional<ScaledReal> last;
    while (auto assignment = best.next()) {
        if (answer.models.size() >= count && (!ties || !base::is_tie(assignment->value, *last))) {
            break;
        }
        last = assignment->value;
        auto model = task.budget.take_model() ? finder.find(assignment->outcomes, *last)
                                              : std::optional<StableModel>();
        if (!model || !task.budget.take_bytes(stored_size(*model)) || task.budget.exhausted()) {
            answer.upper_bound = exactly(*last);
            break;
        }
        answer.models.push_back(std::move(*model));
    }
    finish(answer.how, task.budget, *entry);
    note_limit(answer.how, task.budget);
    answer.how.solver_calls = answer.models.size();
    return {std::move(answer), entry};
}

Attempt<ModelsAnswer> sample_by_circuit(const Task &task, std::uint64_t count,
                                        const CircuitTurn &turn) {
    Request request = task.request;
    request.models = true;
    const auto entry = compile(task, request, turn);
    if (!entry->circuit) return {std::nullopt, entry};
    ModelsAnswer answer;
    const auto smooth = entry->smooth();
    const circuit::ExactEvaluation evaluation(*smooth, plain_weights(*entry, task.weights));
    ModelFinder finder(task, *entry);
    base::RandomStream random(task.settings.seed);
    std::map<std::vector<std::uint32_t>, StableModel> known;
    task.budget.report(Phase::sampling);
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
        task.budget.report(answer.models.size());
    }
    finish(answer.how, task.budget, *entry);
    note_limit(answer.how, task.budget);
    answer.how.solver_calls = known.size();
    return {std::move(answer), entry};
}

} // namespace neurasp::inference
