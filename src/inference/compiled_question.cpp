// CompiledQuestion, CircuitEvaluator and Reasoner::compile: circuits for users.
#include "circuit/batch_evaluator.hpp"
#include "circuit/best_assignments.hpp"
#include "circuit/circuit_text.hpp"
#include "circuit/dot.hpp"
#include "circuit/model_count.hpp"
#include "circuit/nnf.hpp"
#include "circuit/sampling.hpp"
#include "inference/circuit_request.hpp"
#include "inference/question_state.hpp"
#include "neurasp/reasoner.hpp"

namespace neurasp {

using inference::CompiledProblem;
using inference::World;

struct CompiledQuestion::State {
    std::shared_ptr<World> world;
    std::shared_ptr<const CompiledProblem> problem;
    std::shared_ptr<const circuit::Circuit> circuit; // the problem's, or its smooth form
    std::vector<CircuitVariable> variables;

    circuit::Names names() const {
        circuit::Names result;
        for (const CircuitVariable &variable : variables) {
            result.variables.push_back(variable.name);
            result.outcomes.push_back(variable.atoms);
        }
        return result;
    }
};

namespace {

std::vector<CircuitVariable> list_variables(const World &world, const CompiledProblem &problem) {
    std::vector<CircuitVariable> variables;
    std::size_t next = 0;
    const auto add = [&](std::string name, std::vector<std::string> atoms, bool external,
                         VariableSource source) {
        variables.push_back({std::move(name), std::move(atoms), next, external, std::move(source)});
        next += variables.back().atoms.size();
    };
    for (const std::size_t v : problem.variables) {
        const auto &variable = world.variables()[v];
        add(variable.name, world.outcome_texts(v).atoms, false, source_of(variable));
    }
    for (const inference::AtomId atom : problem.inputs) {
        const auto symbol = world.rules().symbol(atom);
        const std::string text = symbol ? symbol->text() : fmt::format("atom {}", atom.value);
        add(text, {text, "not " + text}, true, {});
    }
    return variables;
}

} // namespace

Compilation Reasoner::compile(const Question &question, const CompileOptions &options) {
    const Question::State &state = question.state();
    World &world = *state.world;
    base::Budget budget(options.time_limit, std::nullopt, std::nullopt, options.stop);
    inference::CircuitRequest request;
    request.evidence = inference::observed(state.atoms);
    request.external_inputs = options.external_inputs;
    if (options.optimal && !world.rules().minimize().empty()) {
        const auto optimum = world.problem().optimiser().find_optimum(request.evidence, budget);
        if (optimum && !optimum->proven) return {std::nullopt, "the least cost is not known", true};
        if (optimum) request.cost.push_back(optimum->cost);
    }
    const inference::CircuitLimits limits{{options.node_limit, options.memory_limit},
                                          options.cache_folder};
    auto compiled = std::make_shared<CompiledQuestion::State>();
    compiled->world = state.world;
    compiled->problem = world.compilations().get(world, request, limits, budget);
    if (!compiled->problem->circuit) {
        return {std::nullopt, compiled->problem->obstacle, compiled->problem->is_limit};
    }
    compiled->circuit = options.smooth ? compiled->problem->smooth() : compiled->problem->circuit;
    compiled->variables = list_variables(world, *compiled->problem);
    return {CompiledQuestion(std::move(compiled)), {}, false};
}

const std::vector<CircuitVariable> &CompiledQuestion::variables() const {
    return state_->variables;
}

std::size_t CompiledQuestion::input_count() const { return state_->circuit->random_input_count(); }

const CircuitStatistics &CompiledQuestion::statistics() const {
    return state_->problem->statistics;
}

std::vector<double> CompiledQuestion::weights(const NetworkOutputs &outputs) const {
    const inference::Weights weights = inference::make_weights(*state_->world, outputs);
    std::vector<double> rows;
    for (const std::size_t v : state_->problem->variables) {
        const auto row = weights.probabilities(v);
        rows.insert(rows.end(), row.begin(), row.end());
    }
    for (const inference::AtomId atom : state_->problem->inputs) {
        bool value = false;
        for (const asp::External &external : state_->world->rules().externals()) {
            if (external.atom == atom) value = external.value == asp::ExternalValue::is_true;
        }
        rows.push_back(value ? 1.0 : 0.0);
        rows.push_back(value ? 0.0 : 1.0);
    }
    return rows;
}

namespace {

std::vector<base::ScaledReal> scaled(const std::vector<double> &weights) {
    std::vector<base::ScaledReal> result;
    result.reserve(weights.size());
    for (const double weight : weights) {
        result.emplace_back(static_cast<long double>(std::max(weight, 0.0)));
    }
    return result;
}

WeightedChoice weighted(const circuit::Assignment &assignment) {
    return {assignment.outcomes, assignment.value.to_probability().log};
}

} // namespace

std::vector<WeightedChoice> CompiledQuestion::most_probable(const std::vector<double> &weights,
                                                            std::size_t count) const {
    std::vector<WeightedChoice> choices;
    circuit::BestAssignments best(state_->problem->smooth(), scaled(weights));
    while (choices.size() < count) {
        const auto next = best.next();
        if (!next || next->value.is_zero()) break;
        choices.push_back(weighted(*next));
    }
    return choices;
}

std::vector<WeightedChoice> CompiledQuestion::sample(const std::vector<double> &weights,
                                                     std::size_t count, std::uint64_t seed) const {
    std::vector<WeightedChoice> choices;
    const auto smooth = state_->problem->smooth();
    const circuit::ExactEvaluation evaluation(*smooth, scaled(weights));
    base::RandomStream random(seed);
    while (choices.size() < count) {
        const auto drawn = circuit::draw_assignment(*smooth, evaluation, random);
        if (!drawn) break;
        choices.push_back(weighted(*drawn));
    }
    return choices;
}

std::string CompiledQuestion::to_nnf() const {
    const circuit::Names names = state_->names();
    return circuit::to_nnf(*state_->circuit, &names);
}

std::string CompiledQuestion::to_dot() const {
    return circuit::to_dot(*state_->circuit, state_->names());
}

std::string CompiledQuestion::to_text() const { return circuit::write_circuit(*state_->circuit); }

std::optional<std::string> CompiledQuestion::choice_count() const {
    if (!state_->problem->determined) return std::nullopt;
    return circuit::count_assignments(*state_->problem->smooth()).to_string();
}

void CompiledQuestion::verify() const { state_->circuit->verify(); }

template <class Real> struct CircuitEvaluator<Real>::Parts {
    explicit Parts(const CompiledQuestion &question) : evaluator(question.state().circuit) {}
    circuit::BatchEvaluator<Real> evaluator;
};

template <class Real>
CircuitEvaluator<Real>::CircuitEvaluator(const CompiledQuestion &question)
    : parts_(std::make_unique<Parts>(question)) {}
template <class Real> CircuitEvaluator<Real>::~CircuitEvaluator() = default;
template <class Real>
CircuitEvaluator<Real>::CircuitEvaluator(CircuitEvaluator &&) noexcept = default;
template <class Real>
CircuitEvaluator<Real> &CircuitEvaluator<Real>::operator=(CircuitEvaluator &&) noexcept = default;

template <class Real>
void CircuitEvaluator<Real>::run(std::span<const Real> weights, std::size_t batch,
                                 std::span<Real> log_probability, std::span<Real> gradient) {
    parts_->evaluator.run(weights, batch, log_probability, gradient);
}

template class CircuitEvaluator<float>;
template class CircuitEvaluator<double>;

} // namespace neurasp
