// P(O), queries, marginals, gradients and the mass from circuits.
#include "circuit/exact_evaluation.hpp"
#include "inference/circuit_engine.hpp"
#include "inference/circuit_request.hpp"
#include "inference/gradient_answer.hpp"

#include <algorithm>

namespace neurasp::inference {

namespace {

// A circuit leaves variables out where they make no difference; with each variable's weights scaled to
// sum to 1 that is right, and the sums come back as a factor.
ScaledReal value_of(const CompiledProblem &problem, const Weights &weights) {
    const circuit::ExactEvaluation evaluation(*problem.circuit,
                                              normalised_weights(problem, weights));
    return evaluation.value() * weights.total();
}

// A share of the time that is left, and no more than `most_seconds` if time is not limited.
base::Budget part_of(const base::Budget &budget, double share, double most_seconds) {
    if (budget.seconds_left()) return budget.part(share, std::nullopt);
    return base::Budget(most_seconds, std::nullopt, std::nullopt, budget.stop_flag());
}

} // namespace

CircuitEngine::Grant CircuitEngine::grant(const base::Budget &budget) const {
    return {{}, part_of(budget, 0.5, 2.0)};
}

CircuitEngine::Grant AutoEngine::grant(const base::Budget &budget) const {
    Grant grant{{}, part_of(budget, 0.3, 1.0)};
    grant.limits.compiler.nodes = 500'000;
    grant.limits.compiler.bytes = 500'000'000;
    return grant;
}

CircuitEngine::Compiled CircuitEngine::compile(Task &task, const CircuitRequest &request) const {
    Grant granted = grant(task.budget);
    granted.limits.cache_folder = task.circuit_folder;
    return task.world.compilations().get(task.world, request, granted.limits, granted.budget);
}

ProbabilityAnswer CircuitEngine::probability(Task &task) const {
    ProbabilityAnswer answer;
    const auto fall_back = [&](const std::string &why) {
        ProbabilityAnswer other = enumeration_.probability(task);
        other.info.detail = why;
        return other;
    };
    const ObservedRequest observation = observed_request(task);
    if (!observation.proven) return fall_back("no circuit (the least cost is not known)");
    if (observation.no_model) return fall_back("");
    const Compiled main = compile(task, observation.request);
    if (!main->circuit) return fall_back(no_circuit(*main));
    const ScaledReal total = value_of(*main, task.weights);
    answer.probability = exact_interval(total);
    for (std::size_t q = 0; q < task.queries.size(); ++q) {
        ScaledReal joint;
        if (const auto atom = task.atoms.queries[q]) {
            CircuitRequest request = observation.request;
            request.evidence.emplace_back(*atom);
            const Compiled compiled = compile(task, request);
            if (!compiled->circuit) return fall_back(no_circuit(*compiled));
            joint = value_of(*compiled, task.weights);
        }
        QueryAnswer query{task.queries[q], exact_interval(joint), std::nullopt};
        if (!total.is_zero()) query.conditional = exact_interval(joint / total);
        answer.queries.push_back(std::move(query));
    }
    finish(answer.info, task.budget, *main);
    return answer;
}

Interval CircuitEngine::mass(Task &task) const {
    if (task.world.consistency().coherent) return exact_interval(task.weights.total());
    const Compiled compiled = compile(task, {});
    if (!compiled->circuit) return enumeration_.mass(task);
    return exact_interval(value_of(*compiled, task.weights));
}

GradientAnswer CircuitEngine::gradient(Task &task, GradientConvention convention) const {
    GradientAnswer answer;
    const ObservedRequest observation = observed_request(task);
    if (!observation.proven || observation.no_model) return enumeration_.gradient(task, convention);
    const Compiled compiled = compile(task, observation.request);
    if (!compiled->circuit) {
        answer = enumeration_.gradient(task, convention);
        answer.info.detail = no_circuit(*compiled);
        return answer;
    }
    const circuit::Circuit &smooth = *compiled->smooth();
    circuit::ExactEvaluation evaluation(smooth, plain_weights(*compiled, task.weights));
    const ScaledReal &value = evaluation.value();
    answer.probability = exact_interval(value * left_out(task, compiled->variables));
    answer.defined = !value.is_zero();
    if (answer.defined) {
        evaluation.differentiate();
        answer.variables = describe_gradient(task, convention, compiled->variables,
                                             [&](std::size_t position, std::uint32_t outcome) {
                                                 const auto input = smooth.input(
                                                     static_cast<std::uint32_t>(position), outcome);
                                                 return evaluation.derivative(input) / value;
                                             });
    }
    finish(answer.info, task.budget, *compiled);
    return answer;
}

namespace {

// Every variable's distribution given the observation. `problem` is the observation's.
std::vector<VariableMarginal> variable_marginals(const Task &task, const CompiledProblem &problem) {
    const circuit::Circuit &smooth = *problem.smooth();
    circuit::ExactEvaluation evaluation(smooth, plain_weights(problem, task.weights));
    evaluation.differentiate();
    std::vector<VariableMarginal> marginals;
    std::uint32_t next = 0; // of the circuit's variables
    for (std::size_t v = 0; v < task.weights.size(); ++v) {
        const bool relevant = next < problem.variables.size() && problem.variables[next] == v;
        VariableMarginal marginal{
            task.world.variables()[v].name, task.world.outcome_texts(v).atoms, {}};
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

MarginalsAnswer CircuitEngine::marginals(Task &task) const {
    MarginalsAnswer answer;
    const auto fall_back = [&](const std::string &why) {
        MarginalsAnswer other = enumeration_.marginals(task);
        other.info.detail = why;
        return other;
    };
    const ObservedRequest observation = observed_request(task);
    if (!observation.proven || observation.no_model) return fall_back("");
    const Compiled main = compile(task, observation.request);
    if (!main->circuit) return fall_back(no_circuit(*main));
    const ScaledReal total = value_of(*main, task.weights);
    answer.probability = exact_interval(total);
    finish(answer.info, task.budget, *main);
    if (total.is_zero()) return answer;

    answer.variables = variable_marginals(task, *main);
    std::map<AtomId, double> outcome_values;
    for (std::size_t v = 0; v < answer.variables.size(); ++v) {
        const auto &atoms = task.world.variables()[v].atoms;
        for (std::size_t o = 0; o < atoms.size(); ++o) {
            outcome_values[atoms[o]] = answer.variables[v].values[o];
        }
    }
    for (const Shown &shown : task.world.shown(task.all_atoms)) {
        double value = 1.0;
        const auto atom = only_atom(shown);
        if (atom && outcome_values.contains(*atom)) {
            value = outcome_values.at(*atom);
        } else if (!always_holds(shown)) {
            CircuitRequest request = observation.request;
            request.alternatives = shown.conditions;
            const Compiled compiled = compile(task, request);
            if (!compiled->circuit) return fall_back(no_circuit(*compiled));
            value = (value_of(*compiled, task.weights) / total).to_double();
        }
        answer.atoms.emplace_back(shown.text, value);
    }
    return answer;
}

} // namespace neurasp::inference
