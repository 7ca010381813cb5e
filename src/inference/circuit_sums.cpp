// P(O), queries, gradients and the mass from circuits.
#include "base/counted.hpp"
#include "circuit/exact_evaluation.hpp"
#include "inference/circuit_answers.hpp"
#include "inference/enumeration.hpp"
#include "inference/gradient_answer.hpp"

#include <fmt/format.h>

#include <vector>

namespace neurasp::inference {

// A circuit leaves out variables that make no difference. This is right if the weights of each variable sum to 1,
// so they are scaled, and the product of their sums is multiplied in at the end.
ScaledReal value_of(const CircuitEntry &entry, const Weights &weights) {
    const circuit::ExactEvaluation evaluation(*entry.circuit, normalised_weights(entry, weights));
    return evaluation.value() * weights.total();
}

Request request_for_sums(const Task &task) {
    Request request = task.request;
    request.sums_only = !task.grounding().analysis().determined;
    return request;
}

std::shared_ptr<const CircuitEntry> compile(const Task &task, const Request &request,
                                            const CircuitTurn &turn) {
    base::Budget budget = task.budget.part(turn.share);
    return task.library.get(task.scope.owner(), request,
                            {turn.limits, task.settings.circuit_folder}, budget);
}

void finish(HowAnswered &how, const base::Budget &budget, const CircuitEntry &entry) {
    how.engine = "circuit";
    how.why = fmt::format("a circuit of {} and {}", base::counted(entry.statistics.nodes, "node"),
                          base::counted(entry.statistics.edges, "edge"));
    how.seconds = budget.seconds_used();
}

Attempt<ProbabilityAnswer> probability_by_circuit(const Task &task, const CircuitTurn &turn) {
    ProbabilityAnswer answer;
    const auto main = compile(task, request_for_sums(task), turn);
    if (!main->circuit) return {std::nullopt, main};
    const ScaledReal total = value_of(*main, task.weights);
    answer.probability = exactly(total);
    std::vector<Condition> conditions;
    for (const auto &atom : task.scope.query_atoms()) {
        if (atom) conditions.push_back({{Literal(*atom)}});
    }
    const auto joint = joint_by_circuit(task, *main, conditions, turn);
    if (!joint.answer) return {std::nullopt, joint.missing};
    auto next = joint.answer->begin();
    for (std::size_t q = 0; q < task.scope.queries().size(); ++q) {
        const ScaledReal sum = task.scope.query_atoms()[q] ? *next++ : ScaledReal();
        QueryAnswer query{task.scope.queries()[q], exactly(sum), std::nullopt};
        if (!total.is_zero()) query.conditional = exactly(sum / total);
        answer.queries.push_back(std::move(query));
    }
    finish(answer.how, task.budget, *main);
    return {std::move(answer), main};
}

Attempt<MassAnswer> mass_by_circuit(const Task &task, const CircuitTurn &turn) {
    const auto entry = compile(task, request_for_sums(task), turn);
    if (!entry->circuit) return {std::nullopt, entry};
    MassAnswer answer{exactly(value_of(*entry, task.weights)), {}};
    finish(answer.how, task.budget, *entry);
    return {std::move(answer), entry};
}

Attempt<GradientAnswer> gradient_by_circuit(const Task &task, GradientConvention convention,
                                            const CircuitTurn &turn) {
    GradientAnswer answer;
    const auto entry = compile(task, request_for_sums(task), turn);
    if (!entry->circuit) return {std::nullopt, entry};
    const circuit::Circuit &smooth = *entry->smooth();
    circuit::ExactEvaluation evaluation(smooth, plain_weights(*entry, task.weights));
    const ScaledReal &value = evaluation.value();
    answer.probability = exactly(value * left_out(task, entry->variables));
    answer.defined = !value.is_zero();
    if (answer.defined) {
        evaluation.differentiate();
        answer.variables = describe_gradient(
            task, convention, entry->variables, [&](std::size_t position, std::uint32_t outcome) {
                const auto input = smooth.input(static_cast<std::uint32_t>(position), outcome);
                return evaluation.derivative(input) / value;
            });
    }
    finish(answer.how, task.budget, *entry);
    return {std::move(answer), entry};
}

} // namespace neurasp::inference
