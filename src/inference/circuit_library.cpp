// Finds, makes and keeps circuits.
//
// Compiling may take seconds, evaluating takes microseconds. So a circuit is looked for in four places, from the
// cheapest to the dearest:
//
// 1. `known_`, by grounding and request. This finds exactly the same request again, failures included.
// 2. A list of few models (few_models.hpp), which needs no compiler.
// 3. `cache_` and the folder on disk, by the fingerprint of the theory (docs/adr/0007-fingerprints-as-keys.md).
//    Names are not part of a theory, so questions about different terms share a circuit.
// 4. The compiler.
//
// Two steps. `draft` does 1, 2 and the translation of rules into a theory; it needs the ground program, which
// only one thread may extend. `finish` does 3 and 4 with the theory alone, so training lets several threads
// compile.
//
// Failures. A request whose circuit hit a limit is remembered with what it was granted, and tried again only
// with more: at least twice the time (time_plan::circuit_again), or more nodes or memory. Requests that can have
// no circuit (a real disjunction, #edge) are not tried again at all. An interrupted compilation is not
// remembered, because it shows nothing about the difficulty.
//
// Forgetting. Entries whose grounding is gone are dropped whenever the table has doubled since the last look,
// which costs next to nothing for each entry. If 4096 entries are still alive, all are dropped; the circuits
// themselves remain in `cache_` up to 512 MB.
//
// Threads. The mutex guards the table, not the compiler: two threads that need the same circuit at the same time
// may both make it, and one is kept.
//
// Invariant: a circuit that is found by a key has the signature of the theory that was looked up. For files this
// is checked in release builds as well, since a damaged or foreign file must not make the evaluation read
// outside of its arrays.
#include "inference/circuit_library.hpp"

#include "asp/analysis.hpp"
#include "base/assert.hpp"
#include "base/stopwatch.hpp"
#include "circuit/circuit_store.hpp"
#include "circuit/theory_key.hpp"
#include "inference/few_models.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace neurasp::inference {

namespace {

constexpr std::size_t kept_entries = 4096;

using circuit::Below;

// Conditions are shown of models, not of the share of them that satisfies the evidence.
Below below(const Request &request) {
    return request.models || !request.shown.empty() ? Below::models : Below::ratios;
}

circuit::TranslationInput translation_input(const Grounding &grounding, const Request &request) {
    circuit::TranslationInput input{grounding.rules(),
                                    grounding.outcome_atoms(),
                                    request.evidence,
                                    request.alternatives,
                                    {},
                                    {},
                                    request.models,
                                    request.sums_only && !request.cost,
                                    request.shown};
    if (request.cost) {
        const auto &minimize = grounding.rules().minimize();
        for (std::size_t i = 0; i < minimize.size(); ++i) {
            input.cost_limits.push_back({minimize[i].literals, (*request.cost)[i]});
        }
    }
    if (request.external_inputs) {
        for (const asp::External &external : asp::undefined_externals(grounding.rules())) {
            input.inputs.push_back(external.atom);
        }
    }
    return input;
}

void fill_in(CircuitStatistics &statistics, const circuit::Theory &theory) {
    statistics.variables = theory.variable_limit() - 1;
    statistics.clauses = theory.clause_count();
    statistics.random_variables = theory.random_count();
    statistics.recursive_atoms = theory.recursive.size();
}

void fill_in(CircuitStatistics &statistics, const circuit::CompilerStatistics &search) {
    statistics.decisions = search.decisions;
    statistics.steps = search.steps;
    statistics.conflicts = search.conflicts;
    statistics.cache_lookups = search.cache_lookups;
    statistics.cache_hits = search.cache_hits;
    statistics.seconds_order = search.seconds_order;
    statistics.seconds_search = search.seconds_search;
}

void finish_statistics(CircuitEntry &entry) {
    if (!entry.circuit) return;
    entry.statistics.nodes = entry.circuit->node_count();
    entry.statistics.edges = entry.circuit->edge_count();
}

std::vector<ScaledReal> weights_of(const CircuitEntry &entry, const Weights &weights,
                                   bool normalise) {
    std::vector<ScaledReal> result;
    for (const std::size_t variable : entry.variables) {
        const auto outcomes = weights.probabilities(variable).size();
        for (std::uint32_t o = 0; o < outcomes; ++o) {
            result.push_back(weights.scaled(variable, o));
            if (normalise) result.back() /= weights.row_sum(variable);
        }
    }
    return result;
}

// What is left to do after the models were listed.
void note_listed(CircuitEntry &entry, circuit::Circuit circuit, const Grounding &grounding,
                 const SearchProblem &problem, std::size_t shown,
                 const base::Stopwatch &stopwatch) {
    entry.circuit = std::make_shared<const circuit::Circuit>(std::move(circuit));
    entry.variables = problem.variables();
    entry.shown.resize(shown);
    std::iota(entry.shown.begin(), entry.shown.end(), 0U);
    entry.statistics.ground_rules = grounding.rules().rule_count();
    entry.statistics.random_variables = entry.variables.size();
    entry.statistics.seconds_search = stopwatch.seconds();
}

double seconds_of(const base::Budget &budget) {
    return budget.seconds_left().value_or(std::numeric_limits<double>::infinity());
}

// The circuit mentions a literal only where it is first shown, and constants nowhere.
std::vector<std::uint32_t> shown_variables(const circuit::Theory &theory) {
    std::map<circuit::Lit, std::uint32_t> first_of;
    std::vector<std::uint32_t> variables;
    for (const circuit::Lit lit : theory.shown) {
        const auto next = static_cast<std::uint32_t>(variables.size());
        const auto first = first_of.try_emplace(lit, next).first->second;
        variables.push_back(lit == circuit::true_lit ? circuit::nothing : first);
    }
    return variables;
}

} // namespace

bool list_into(CircuitEntry &entry, const Grounding &grounding, const SearchProblem &problem,
               const SearchRequest &request, const base::Budget &budget) {
    const base::Stopwatch stopwatch;
    auto circuit = circuit_of_few_models(problem, request, grounding.program_rule_count(), budget);
    if (circuit) note_listed(entry, std::move(*circuit), grounding, problem, 0, stopwatch);
    return circuit.has_value();
}

std::optional<circuit::Theory> translate_into(CircuitEntry &entry,
                                              const circuit::TranslationInput &input,
                                              std::span<const std::size_t> variables,
                                              std::span<const AtomId> atoms) {
    const base::Stopwatch stopwatch;
    circuit::Translation translation = circuit::translate(input);
    entry.statistics.ground_rules = translation.rules;
    entry.statistics.seconds_translate = stopwatch.seconds();
    entry.obstacle = translation.obstacle;
    if (!translation.theory) return std::nullopt;
    fill_in(entry.statistics, *translation.theory);
    entry.determined = translation.determined;
    entry.shown = shown_variables(*translation.theory);
    for (const circuit::Choice &choice : translation.theory->choices()) {
        if (choice.source >= input.variables.size() + input.inputs.size()) break; // coins
        if (choice.source < input.variables.size()) {
            entry.variables.push_back(variables.empty() ? choice.source : variables[choice.source]);
        } else {
            entry.inputs.push_back(input.inputs[choice.source - input.variables.size()]);
        }
    }
    for (const auto &[var, atom] : translation.theory->open_atoms) {
        const bool own = atom.value >= input.program.atom_limit();
        entry.open_atoms.push_back(own             ? std::nullopt
                                   : atoms.empty() ? std::optional(atom)
                                                   : std::optional(atoms[atom.index()]));
    }
    return std::move(translation.theory);
}

const std::shared_ptr<const circuit::Circuit> &CircuitEntry::smooth() const {
    return smooth_.get(
        [&] { return std::make_shared<const circuit::Circuit>(smoothed(*circuit)); });
}

// The known entry of a request; nothing if it is a failure that is worth another try with these limits.
std::shared_ptr<CircuitEntry> CircuitLibrary::find(const CircuitDraft::Key &key,
                                                   const CircuitLimits &limits,
                                                   const base::Budget &budget) const {
    const std::lock_guard lock(mutex_);
    const auto place = known_.find(key);
    if (place == known_.end()) return nullptr;
    const CircuitEntry &known = *place->second.entry;
    const bool more = known.out_of_time ? seconds_of(budget) >
                                              base::time_plan::circuit_again * known.seconds_granted
                                        : limits.compiler.nodes > known.granted.nodes ||
                                              limits.compiler.bytes > known.granted.bytes;
    return known.is_limit && more ? nullptr : place->second.entry;
}

void CircuitLibrary::drop_the_dead() {
    std::erase_if(known_, [](const auto &item) { return item.second.owner.expired(); });
}

void CircuitLibrary::forget_the_dead() {
    const std::lock_guard lock(mutex_);
    drop_the_dead();
}

void CircuitLibrary::keep(const CircuitDraft &draft) {
    const std::lock_guard lock(mutex_);
    if (known_.size() >= next_look_) {
        drop_the_dead();
        if (known_.size() >= kept_entries) known_.clear();
        next_look_ = std::clamp(2 * known_.size(), first_look, kept_entries);
    }
    known_[draft.key] = {draft.owner, draft.entry};
}

void CircuitLibrary::forget_failures() {
    const std::lock_guard lock(mutex_);
    std::erase_if(known_, [](const auto &item) { return item.second.entry->is_limit; });
}

// A circuit from memory, from disk, or compiled.
void CircuitLibrary::find_circuit(CircuitEntry &entry, const circuit::Theory &theory, Below below,
                                  const CircuitLimits &limits, base::Budget &budget) {
    const circuit::Fingerprint print = circuit::theory_key(theory, below);
    const circuit::CircuitKey key{print.high, print.low};
    entry.circuit = cache_.find(key);
    std::optional<circuit::CircuitStore> store;
    if (!limits.folder.empty()) store.emplace(limits.folder);
    if (!entry.circuit && store) {
        auto found = store->find(key);
        // a foreign file must not make the evaluation read outside of its inputs
        if (found && found->signature() == circuit::signature_of(theory, below)) {
            entry.circuit = std::make_shared<const circuit::Circuit>(std::move(*found));
            cache_.put(key, entry.circuit);
        }
    }
    entry.statistics.reused = entry.circuit != nullptr;
    NEURASP_ASSERT(!entry.circuit ||
                       entry.circuit->signature() == circuit::signature_of(theory, below),
                   "a circuit that is found has the signature of the theory");
    if (entry.circuit) return;
    circuit::CompilerResult result = circuit::compile(theory, below, limits.compiler, budget);
    fill_in(entry.statistics, result.statistics);
    if (!result.circuit) {
        entry.obstacle = result.limit;
        entry.is_limit = true;
        entry.out_of_time = budget.reached() == base::LimitReached::time;
        return;
    }
    entry.circuit = std::make_shared<const circuit::Circuit>(std::move(*result.circuit));
    cache_.put(key, entry.circuit);
    if (store) store->put(key, *entry.circuit);
}

CircuitDraft CircuitLibrary::draft(const std::shared_ptr<const Grounding> &grounding,
                                   const Request &request, const CircuitLimits &limits,
                                   const base::Budget &budget, const Start &start) {
    budget.report(Phase::compiling);
    CircuitDraft draft{grounding, {grounding->number(), request}, nullptr, std::nullopt};
    draft.entry = find(draft.key, limits, budget);
    if (draft.entry) return draft;
    draft.entry = std::make_shared<CircuitEntry>();
    draft.entry->seconds_granted = seconds_of(budget);
    draft.entry->granted = limits.compiler;
    draft.theory = start(*draft.entry);
    if (draft.complete()) {
        finish_statistics(*draft.entry);
        keep(draft);
    }
    return draft;
}

CircuitDraft CircuitLibrary::draft(const std::shared_ptr<const Grounding> &grounding,
                                   const Request &request, const CircuitLimits &limits,
                                   base::Budget &budget) {
    const auto start = [&](CircuitEntry &entry) -> std::optional<circuit::Theory> {
        const base::Stopwatch stopwatch;
        if (auto few = circuit_of_few_models(*grounding, request, budget)) {
            note_listed(entry, std::move(*few), *grounding, grounding->problem(),
                        request.shown.size(), stopwatch);
            return std::nullopt;
        }
        return translate_into(entry, translation_input(*grounding, request), {}, {});
    };
    return draft(grounding, request, limits, budget, start);
}

std::shared_ptr<const CircuitEntry>
CircuitLibrary::finish(CircuitDraft draft, const CircuitLimits &limits, base::Budget &budget) {
    if (draft.complete()) return draft.entry;
    find_circuit(*draft.entry, *draft.theory, below(draft.key.second), limits, budget);
    finish_statistics(*draft.entry);
    if (!budget.stopped()) keep(draft); // an interruption does not show that it is too hard
    return draft.entry;
}

std::shared_ptr<const CircuitEntry> CircuitLibrary::compile(const circuit::Theory &theory,
                                                            const CircuitLimits &limits,
                                                            base::Budget &budget) {
    auto entry = std::make_shared<CircuitEntry>();
    fill_in(entry->statistics, theory);
    entry->determined = theory.determined;
    find_circuit(*entry, theory, Below::ratios, limits, budget);
    finish_statistics(*entry);
    return entry;
}

std::shared_ptr<const CircuitEntry>
CircuitLibrary::get(const std::shared_ptr<const Grounding> &grounding, const Request &request,
                    const CircuitLimits &limits, base::Budget &budget) {
    return finish(draft(grounding, request, limits, budget), limits, budget);
}

std::vector<ScaledReal> normalised_weights(const CircuitEntry &entry, const Weights &weights) {
    return weights_of(entry, weights, true);
}

std::vector<ScaledReal> plain_weights(const CircuitEntry &entry, const Weights &weights) {
    return weights_of(entry, weights, false);
}

} // namespace neurasp::inference
