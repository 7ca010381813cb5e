// P(O), queries, marginals, gradients and the mass from circuits.
#include "base/counted.hpp"
#include "circuit/exact_evaluation.hpp"
#include "inference/circuit_answers.hpp"
#include "inference/enumeration.hpp"
#include "inference/gradient_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace neurasp::inference {

namespace {

// A circuit leaves out variables that make no difference. This is right if the weights of each variable sum to 1,
// so they are scaled, and the product of their sums is multiplied in at the end.
ScaledReal value_of(const CircuitEntry &entry, const Weights &weights) {
    const circuit::ExactEvaluation evaluation(*entry.circuit, normalised_weights(entry, weights));
    return evaluation.value() * weights.total();
}

} // namespace

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
    const auto main = compile(task, task.request, turn);
    if (!main->circuit) return {std::nullopt, main};
    const ScaledReal total = value_of(*main, task.weights);
    answer.probability = exactly(total);
    for (std::size_t q = 0; q < task.scope.queries().size(); ++q) {
        ScaledReal joint;
        if (const auto atom = task.scope.query_atoms()[q]) {
            const auto entry = compile(task, task.request.with(Literal(*atom)), turn);
            if (!entry->circuit) return {std::nullopt, entry};
            joint = value_of(*entry, task.weights);
        }
        QueryAnswer query{task.scope.queries()[q], exactly(joint), std::nullopt};
        if (!total.is_zero()) query.conditional = exactly(joint / total);
        answer.queries.push_back(std::move(query));
    }
    finish(answer.how, task.budget, *main);
    return {std::move(answer), main};
}

Attempt<MassAnswer> mass_by_circuit(const Task &task, const CircuitTurn &turn) {
    const auto entry = compile(task, task.request, turn);
    if (!entry->circuit) return {std::nullopt, entry};
    MassAnswer answer{exactly(value_of(*entry, task.weights)), {}};
    finish(answer.how, task.budget, *entry);
    return {std::move(answer), entry};
}

Attempt<GradientAnswer> gradient_by_circuit(const Task &task, GradientConvention convention,
                                            const CircuitTurn &turn) {
    GradientAnswer answer;
    const auto entry = compile(task, task.request, turn);
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

namespace {

// The distribution of every variable given the observation, whose circuit is in `entry`.
std::vector<VariableMarginal> variable_marginals(const Task &task, const CircuitEntry &entry) {
    const circuit::Circuit &smooth = *entry.smooth();
    circuit::ExactEvaluation evaluation(smooth, plain_weights(entry, task.weights));
    evaluation.differentiate();
    std::vector<VariableMarginal> marginals;
    std::uint32_t next = 0; // the next variable of the circuit
    for (std::size_t v = 0; v < task.weights.size(); ++v) {
        const bool relevant = next < entry.variables.size() && entry.variables[next] == v;
        VariableMarginal marginal{
            task.grounding().variables()[v].name, task.grounding().outcome_texts(v).atoms, {}};
        for (std::uint32_t o = 0; o < marginal.atoms.size(); ++o) {
            const ScaledReal factor =
                relevant ? evaluation.derivative(smooth.input(next, o)) / evaluation.value()
                         : ScaledReal(1.0L) / task.weights.row_sum(v);
            marginal.values.push_back((task.weights.scaled(v, o) * factor).to_double());
        }
        if (relevant) ++next;
        marginals.push_back(std::move(marginal));
    }
    return marginals;
}

// The random outcome that a shown term stands for, if it stands for one.
std::optional<AtomId> only_atom(const Shown &shown) {
    const auto &first = shown.conditions.front();
    const bool one = shown.conditions.size() == 1 && first.size() == 1 && first.front().positive();
    return one ? std::optional(first.front().atom()) : std::nullopt;
}

bool always_holds(const Shown &shown) {
    return std::any_of(shown.conditions.begin(), shown.conditions.end(),
                       [](const auto &condition) { return condition.empty(); });
}

} // namespace

Attempt<MarginalsAnswer> marginals_by_circuit(const Task &task, const CircuitTurn &turn) {
    MarginalsAnswer answer;
    const auto main = compile(task, task.request, turn);
    if (!main->circuit) return {std::nullopt, main};
    const ScaledReal total = value_of(*main, task.weights);
    answer.probability = exactly(total);
    finish(answer.how, task.budget, *main);
    if (total.is_zero()) return {std::move(answer), main};

    answer.variables = variable_marginals(task, *main);
    std::map<AtomId, double> outcome_values;
    for (std::size_t v = 0; v < answer.variables.size(); ++v) {
        const auto &atoms = task.grounding().variables()[v].atoms;
        for (std::size_t o = 0; o < atoms.size(); ++o) {
            outcome_values[atoms[o]] = answer.variables[v].values[o];
        }
    }
    for (const Shown &shown : task.grounding().shown(task.settings.all_atoms)) {
        double value = 1.0;
        const auto atom = only_atom(shown);
        if (atom && outcome_values.contains(*atom)) {
            value = outcome_values.at(*atom);
        } else if (!always_holds(shown)) {
            Request request = task.request;
            request.alternatives = shown.conditions;
            const auto entry = compile(task, request, turn);
            if (!entry->circuit) return {std::nullopt, entry};
            value = (value_of(*entry, task.weights) / total).to_double();
        }
        answer.atoms.emplace_back(shown.text, value);
    }
    return {std::move(answer), main};
}

} // namespace neurasp::inference
