// CompiledQuestion, CircuitEvaluator and Question::compile: circuits for users.
#include "circuit/batch_evaluator.hpp"
#include "circuit/best_assignments.hpp"
#include "circuit/circuit_text.hpp"
#include "circuit/dot.hpp"
#include "circuit/layer_tables.hpp"
#include "circuit/model_count.hpp"
#include "circuit/nnf.hpp"
#include "circuit/sampling.hpp"
#include "inference/access.hpp"
#include "inference/call.hpp"
#include "inference/compile_question.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace neurasp {

using inference::CircuitEntry;
using inference::Grounding;

CompiledQuestion::CompiledQuestion(std::shared_ptr<const State> state) : state_(std::move(state)) {}

namespace {

std::vector<CircuitVariable> list_variables(const Grounding &grounding, const CircuitEntry &entry) {
    std::vector<CircuitVariable> variables;
    std::size_t next = 0;
    const auto add = [&](std::string name, std::vector<std::string> atoms, bool external,
                         VariableSource source) {
        variables.push_back({std::move(name), std::move(atoms), next, external, std::move(source)});
        next += variables.back().atoms.size();
    };
    for (const std::size_t v : entry.variables) {
        const auto &variable = grounding.variables()[v];
        add(variable.name, grounding.outcome_texts(v).atoms, false, source_of(variable));
    }
    for (const inference::AtomId atom : entry.inputs) {
        const auto symbol = grounding.rules().symbol(atom);
        const std::string text = symbol ? symbol->text() : fmt::format("atom {}", atom.value);
        add(text, {text, "not " + text}, true, {});
    }
    return variables;
}

} // namespace

namespace inference {

QuestionDraft draft_question(const Question &question, const CompileSettings &settings,
                             const Limits &limits, base::Budget &budget) {
    const auto &state = internal::Access::state(question);
    const auto lock = state.scope->grounding().reading();
    QuestionDraft draft{state.scope, state.library,
                        settings,    {compiler_limits(limits), settings.circuit_folder},
                        {},          {}};
    ObservedRequest observed = observe(*state.scope, settings.optimal, budget);
    if (observed.state == ObservedRequest::State::cost_unknown) {
        draft.failed = Compilation{std::nullopt, "the least cost is not known", true};
        return draft;
    }
    observed.request.external_inputs = settings.external_inputs;
    draft.circuit =
        state.library->draft(state.scope->owner(), observed.request, draft.limits, budget);
    return draft;
}

Compilation finish_question(QuestionDraft draft, base::Budget &budget) {
    if (draft.failed) return *draft.failed;
    const auto entry = draft.library->finish(std::move(draft.circuit), draft.limits, budget);
    if (!entry->circuit) return {std::nullopt, entry->obstacle, entry->is_limit};
    // before the lock, because grounding the next question waits for it
    auto circuit = draft.settings.smooth ? entry->smooth() : entry->circuit;
    const auto lock = draft.scope->grounding().reading();
    return {internal::Access::compiled({draft.scope->owner(), entry, std::move(circuit),
                                        list_variables(draft.scope->grounding(), *entry)}),
            {},
            false};
}

} // namespace inference

Compilation Question::compile(const CompileSettings &settings, const Limits &limits) const {
    base::Budget budget(limits);
    return inference::finish_question(inference::draft_question(*this, settings, limits, budget),
                                      budget);
}

const std::vector<CircuitVariable> &CompiledQuestion::variables() const {
    return state_->variables;
}

std::size_t CompiledQuestion::input_count() const { return state_->circuit->random_input_count(); }

const CircuitStatistics &CompiledQuestion::statistics() const { return state_->entry->statistics; }

std::vector<double> CompiledQuestion::weights(const NetworkOutputs &outputs) const {
    const auto lock = state_->grounding->reading();
    const inference::Weights weights = inference::make_weights(*state_->grounding, outputs);
    std::vector<double> rows;
    for (const std::size_t v : state_->entry->variables) {
        const auto row = weights.probabilities(v);
        rows.insert(rows.end(), row.begin(), row.end());
    }
    for (const inference::AtomId atom : state_->entry->inputs) {
        bool value = false;
        for (const asp::External &external : state_->grounding->rules().externals()) {
            if (external.atom == atom) value = external.value == asp::ExternalValue::is_true;
        }
        rows.push_back(value ? 1.0 : 0.0);
        rows.push_back(value ? 0.0 : 1.0);
    }
    return rows;
}

namespace {

circuit::Names names_of(const std::vector<CircuitVariable> &variables) {
    circuit::Names names;
    for (const CircuitVariable &variable : variables) {
        names.variables.push_back(variable.name);
        names.outcomes.push_back(variable.atoms);
    }
    return names;
}

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
    circuit::BestAssignments best(state_->entry->smooth(), scaled(weights));
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
    const auto smooth = state_->entry->smooth();
    const circuit::ExactEvaluation evaluation(*smooth, scaled(weights));
    base::RandomStream random(seed);
    while (choices.size() < count) {
        const auto drawn = circuit::draw_assignment(*smooth, evaluation, random);
        if (!drawn) break;
        choices.push_back(weighted(*drawn));
    }
    return choices;
}

Probability CompiledQuestion::probability(const std::vector<double> &weights) const {
    return circuit::ExactEvaluation(*state_->circuit, scaled(weights)).value().to_probability();
}

std::string CompiledQuestion::to_nnf() const {
    const circuit::Names names = names_of(state_->variables);
    return circuit::to_nnf(*state_->circuit, &names);
}

std::string CompiledQuestion::to_dot() const {
    return circuit::to_dot(*state_->circuit, names_of(state_->variables));
}

std::string CompiledQuestion::to_dot(const std::vector<double> &weights) const {
    return circuit::to_dot(*state_->circuit, names_of(state_->variables), scaled(weights));
}

std::string CompiledQuestion::to_text() const { return circuit::write_circuit(*state_->circuit); }

std::optional<std::string> CompiledQuestion::choice_count() const {
    if (!state_->entry->determined) return std::nullopt;
    return circuit::count_assignments(*state_->entry->smooth()).to_string();
}

void CompiledQuestion::verify() const { state_->circuit->verify(); }

namespace {

CircuitLayers::Sums public_sums(circuit::SumTables tables) {
    CircuitLayers::Sums sums{{}, std::move(tables.left), std::move(tables.right)};
    for (circuit::TableGroup &group : tables.groups) {
        sums.groups.push_back({group.width, group.rows, std::move(group.outcomes)});
    }
    return sums;
}

} // namespace

CircuitLayers CompiledQuestion::layers(std::size_t least_shared) const {
    const circuit::Circuit &circuit = *state_->circuit;
    circuit::LayerTables tables =
        circuit::make_layer_tables(circuit::Layers(circuit::StraightLine(circuit)), least_shared);
    CircuitLayers result;
    result.fixed = tables.fixed;
    result.root = tables.root;
    result.constants.assign(circuit.first_constant() - 1 - circuit.random_input_count(), 1.0);
    for (const base::ScaledReal &constant : circuit.constants()) {
        result.constants.push_back(constant.to_double());
    }
    result.values = public_sums(std::move(tables.values));
    result.derivatives = public_sums(std::move(tables.derivatives));
    result.input_places = std::move(tables.input_places);
    return result;
}

struct CircuitView::State {
    std::shared_ptr<const circuit::Circuit> circuit;
};

CircuitView::CircuitView(std::shared_ptr<const State> state) : state_(std::move(state)) {}

CircuitView CompiledQuestion::view() const {
    return CircuitView(
        std::make_shared<const CircuitView::State>(CircuitView::State{state_->circuit}));
}

std::size_t CircuitView::node_count() const { return state_->circuit->node_count(); }
std::size_t CircuitView::edge_count() const { return state_->circuit->edge_count(); }
std::uint32_t CircuitView::root() const { return state_->circuit->root().value; }
bool CircuitView::smooth() const { return state_->circuit->smooth(); }

CircuitView::Node CircuitView::node(std::uint32_t id) const {
    if (id >= node_count()) throw ContractError("CircuitView::node: there is no such node");
    const circuit::NodeView seen = state_->circuit->node(circuit::NodeId(id));
    Node node;
    if (seen.adds()) node.kind = Kind::sum;
    if (seen.kind == circuit::NodeKind::sum) node.variable = seen.variable;
    for (const circuit::Edge &edge : seen.edges) {
        node.edges.push_back({edge.input.value, edge.child.value});
    }
    return node;
}

std::optional<double> CircuitView::constant(std::uint32_t input) const {
    const circuit::Circuit &circuit = *state_->circuit;
    if (input < circuit.first_constant() || input >= circuit.input_count()) return std::nullopt;
    return circuit.constants()[input - circuit.first_constant()].to_double();
}

template <class Real> struct CircuitEvaluator<Real>::Parts {
    explicit Parts(const CompiledQuestion &question)
        : evaluator(internal::Access::circuit(question)) {}
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
