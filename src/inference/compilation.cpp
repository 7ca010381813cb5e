#include "inference/compilation.hpp"

#include "circuit/circuit_store.hpp"
#include "circuit/theory_key.hpp"
#include "inference/few_models.hpp"

#include <limits>

namespace neurasp::inference {

namespace {

constexpr std::size_t kept_problems = 4096;

using circuit::Below;

circuit::TranslationInput translation_input(const World &world, const CircuitRequest &request) {
    circuit::TranslationInput input{
        world.rules(), world.outcome_atoms(), request.evidence, request.alternatives, {}, {},
        request.models};
    if (!request.cost.empty()) {
        const auto &minimize = world.rules().minimize();
        for (std::size_t i = 0; i < minimize.size(); ++i) {
            input.cost_limits.push_back({minimize[i].literals, request.cost.front()[i]});
        }
    }
    if (request.external_inputs) {
        for (const asp::External &external : world.rules().externals()) {
            input.inputs.push_back(external.atom);
        }
    }
    return input;
}

double seconds_since(base::Clock::time_point start) {
    return std::chrono::duration<double>(base::Clock::now() - start).count();
}

void fill_in(CircuitStatistics &statistics, const circuit::Theory &theory) {
    statistics.variables = theory.variable_limit() - 1;
    statistics.clauses = theory.clause_count();
    statistics.random_variables = theory.choices().size();
    statistics.recursive_atoms = theory.recursive.size();
}

void fill_in(CircuitStatistics &statistics, const circuit::CompilerStatistics &search) {
    statistics.decisions = search.decisions;
    statistics.conflicts = search.conflicts;
    statistics.cache_lookups = search.cache_lookups;
    statistics.cache_hits = search.cache_hits;
    statistics.seconds_order = search.seconds_order;
    statistics.seconds_search = search.seconds_search;
}

std::vector<ScaledReal> weights_of(const CompiledProblem &problem, const Weights &weights,
                                   bool normalise) {
    std::vector<ScaledReal> result;
    for (const std::size_t variable : problem.variables) {
        const auto outcomes = weights.probabilities(variable).size();
        for (std::uint32_t o = 0; o < outcomes; ++o) {
            result.push_back(weights.scaled(variable, o));
            if (normalise) result.back() /= weights.row_sum(variable);
        }
    }
    return result;
}

} // namespace

const std::shared_ptr<const circuit::Circuit> &CompiledProblem::smooth() const {
    if (!smooth_) smooth_ = std::make_shared<const circuit::Circuit>(smoothed(*circuit));
    return smooth_;
}

// A circuit from memory, from disk, or compiled.
void Compilations::find_circuit(CompiledProblem &problem, const circuit::Theory &theory,
                                const CircuitRequest &request, const CircuitLimits &limits,
                                base::Budget &budget) {
    const Below below = request.models ? Below::models : Below::ratios;
    const circuit::Fingerprint print = circuit::theory_key(theory, below);
    const circuit::CircuitKey key{print.high, print.low};
    problem.circuit = cache_->find(key);
    std::optional<circuit::CircuitStore> store;
    if (!limits.cache_folder.empty()) store.emplace(limits.cache_folder);
    if (!problem.circuit && store) {
        auto found = store->find(key);
        // whoever wrote it: nothing may point outside the numbers that it is given
        if (found && found->signature() == circuit::signature_of(theory, below)) {
            problem.circuit = std::make_shared<const circuit::Circuit>(std::move(*found));
            cache_->put(key, problem.circuit);
        }
    }
    problem.statistics.reused = problem.circuit != nullptr;
    if (problem.circuit) return;
    circuit::CompilerResult result = circuit::compile(theory, below, limits.compiler, budget);
    fill_in(problem.statistics, result.statistics);
    if (!result.circuit) {
        problem.obstacle = result.limit;
        problem.is_limit = true;
        return;
    }
    problem.circuit = std::make_shared<const circuit::Circuit>(std::move(*result.circuit));
    cache_->put(key, problem.circuit);
    if (store) store->put(key, *problem.circuit);
}

void Compilations::compile(CompiledProblem &problem, const World &world,
                           const CircuitRequest &request, const CircuitLimits &limits,
                           base::Budget &budget) {
    const auto begin = base::Clock::now();
    const circuit::TranslationInput input = translation_input(world, request);
    const circuit::Translation translation = circuit::translate(input);
    problem.statistics.ground_rules = translation.rules;
    problem.statistics.seconds_translate = seconds_since(begin);
    problem.obstacle = translation.obstacle;
    if (!translation.theory) return;
    fill_in(problem.statistics, *translation.theory);
    problem.determined = translation.theory->determined;
    for (const circuit::Choice &choice : translation.theory->choices()) {
        if (choice.source < input.variables.size()) {
            problem.variables.push_back(choice.source);
        } else {
            problem.inputs.push_back(input.inputs[choice.source - input.variables.size()]);
        }
    }
    for (const auto &[var, atom] : translation.theory->open_atoms) {
        const bool own = atom.value >= world.rules().atom_limit();
        problem.open_atoms.push_back(own ? std::nullopt : std::optional(atom));
    }
    find_circuit(problem, *translation.theory, request, limits, budget);
}

bool Compilations::list_models(CompiledProblem &problem, World &world,
                               const CircuitRequest &request, const base::Budget &budget) {
    const auto begin = base::Clock::now();
    auto circuit = circuit_of_few_models(world, request, budget);
    if (!circuit) return false;
    problem.circuit = std::make_shared<const circuit::Circuit>(std::move(*circuit));
    problem.variables = world.problem().variables();
    problem.statistics.ground_rules = world.rules().rule_count();
    problem.statistics.random_variables = problem.variables.size();
    problem.statistics.seconds_search = seconds_since(begin);
    return true;
}

std::shared_ptr<const CompiledProblem> Compilations::get(World &world,
                                                         const CircuitRequest &request,
                                                         const CircuitLimits &limits,
                                                         base::Budget &budget) {
    const double seconds = budget.seconds_left().value_or(std::numeric_limits<double>::infinity());
    const auto place = known_.find(request);
    if (place != known_.end()) {
        const CompiledProblem &known = *place->second;
        const bool worth_more = known.is_limit && (seconds > 2 * known.seconds_granted ||
                                                   limits.compiler.nodes > known.nodes_granted);
        if (!worth_more) return place->second;
        known_.erase(place);
    }
    auto problem = std::make_shared<CompiledProblem>();
    problem->seconds_granted = seconds;
    problem->nodes_granted = limits.compiler.nodes;
    if (!list_models(*problem, world, request, budget)) {
        compile(*problem, world, request, limits, budget);
    }
    if (problem->circuit) {
        problem->statistics.nodes = problem->circuit->node_count();
        problem->statistics.edges = problem->circuit->edge_count();
    }
    if (known_.size() >= kept_problems) known_.clear();
    known_.emplace(request, problem);
    return problem;
}

std::vector<ScaledReal> normalised_weights(const CompiledProblem &problem, const Weights &weights) {
    return weights_of(problem, weights, true);
}

std::vector<ScaledReal> plain_weights(const CompiledProblem &problem, const Weights &weights) {
    return weights_of(problem, weights, false);
}

} // namespace neurasp::inference
