// The search behind compile(): decides, propagates, splits into components, looks them up in the cache, and builds the
// nodes of the circuit on the way back (README.md describes the method).
#include "circuit/search.hpp"

#include "circuit/theory_key.hpp"

#include <algorithm>
#include <stdexcept>

namespace neurasp::circuit {

Search::Search(const Theory &theory, Below below, const CompilerLimits &limits,
               base::Budget &budget, std::uint64_t most_decisions)
    : theory_(theory), below_(below), limits_(limits), budget_(budget),
      most_decisions_(most_decisions), propagator_(theory), unfounded_(theory, propagator_),
      builder_(signature_of(theory, below)), counter_(signature_of(theory, Below::models)),
      outcome_of_(theory.variable_limit(), 0), free_of_(theory.variable_limit(), nothing) {
    for (const Choice &choice : theory.choices()) {
        if (choice.outcomes.size() < 3) continue; // with two outcomes, the sign says which
        for (std::uint32_t o = 0; o < choice.outcomes.size(); ++o) {
            outcome_of_[choice.outcomes[o].var()] = o;
        }
    }
    auto next = static_cast<std::uint32_t>(theory.choices().size());
    for (const auto &[var, atom] : theory.open_atoms) free_of_[var] = next++;
}

bool Search::propagate() {
    while (true) {
        if (!propagator_.propagate()) return false;
        const std::size_t before = propagator_.trail().size();
        if (!unfounded_.check()) return false;
        if (propagator_.trail().size() == before) return true;
    }
}

std::optional<Search::Start> Search::start() {
    if (!propagate()) return std::nullopt;
    Start start;
    ComponentFinder finder(theory_, propagator_, unfounded_,
                           std::vector<std::uint32_t>(theory_.variable_limit(), 0));
    start.clauses = finder.needed_clauses();
    start.is_open.assign(theory_.variable_limit(), false);
    for (const std::uint32_t clause : start.clauses) {
        for (const Lit lit : theory_.clause(clause)) {
            if (propagator_.is_open(lit.var())) start.is_open[lit.var()] = true;
        }
    }
    for (Var var = 1; var < theory_.variable_limit(); ++var) {
        if (theory_.kind(var) == VarKind::open && propagator_.is_open(var)) {
            start.is_open[var] = true;
        }
    }
    return start;
}

Circuit Search::run(const Order &order) {
    Node root;
    if (propagate()) {
        finder_.emplace(theory_, propagator_, unfounded_, order.position);
        root = condition(finder_->whole(), Stage::random, 0);
    }
    return std::move(builder_).finish(root);
}

void Search::add_to(CompilerStatistics &statistics) const {
    statistics.decisions += statistics_.decisions;
    statistics.steps += statistics_.steps;
    statistics.conflicts += propagator_.conflicts();
    statistics.cache_lookups += statistics_.cache_lookups;
    statistics.cache_hits += statistics_.cache_hits;
}

bool Search::decide(Lit lit) {
    spend_decision();
    propagator_.decide(lit);
    if (propagate()) return true;
    propagator_.learn_from_conflict();
    undo();
    return false;
}

void Search::undo() {
    propagator_.undo_level();
    unfounded_.undone();
}

void Search::spend_decision() {
    ++statistics_.decisions;
    if (statistics_.decisions > most_decisions_) throw LimitEnds{decision_limit};
    if (builder_.node_count() + counter_.node_count() > limits_.nodes)
        throw LimitEnds{"node limit"};
    if (statistics_.decisions % 128 != 0) return;
    if (budget_.exhausted()) throw LimitEnds{base::describe(budget_.reached())};
    constexpr std::uint64_t entry_bytes = 64; // of an entry in a hash table, estimated
    const std::uint64_t bytes = (upper_.size() + counts_.size() + tests_.size()) * entry_bytes +
                                (builder_.node_count() + counter_.node_count()) * 96 +
                                (builder_.edge_count() + counter_.edge_count()) * sizeof(Edge);
    if (bytes > limits_.bytes) throw LimitEnds{"memory limit"};
}

Search::Cache &Search::cache(Stage stage) { return stage == Stage::random ? upper_ : counts_; }

// If a component has no model, learned clauses may follow from that contradiction alone. Its siblings may have been
// solved with such clauses, so their cache entries are dropped.
void Search::forget_since(std::size_t mark) {
    for (std::size_t i = mark; i < inserted_.size(); ++i) {
        inserted_[i].cache->erase(inserted_[i].key);
    }
    inserted_.resize(mark);
}

bool Search::contradicts_evidence() const {
    return std::any_of(theory_.evidence.begin(), theory_.evidence.end(),
                       [&](Lit lit) { return propagator_.is_false(lit); });
}

// The inputs for the variables of `parent` that now have a value: outcomes and, if models are wanted, free atoms.
std::vector<InputId> Search::implied_inputs(const Component &parent, Stage stage, Var decided) {
    std::vector<InputId> inputs;
    for (const Var var : finder_->variables(parent)) {
        if (propagator_.is_open(var)) continue;
        const bool value = propagator_.is_true(Lit(var));
        if (below_ == Below::models && free_of_[var] != nothing && var != decided) {
            inputs.push_back(builder_.input(free_of_[var], value ? 0 : 1));
        }
        const std::uint32_t choice = theory_.choice_of(var);
        if (choice == nothing || theory_.choice_of(decided) == choice) continue;
        const auto &outcomes = theory_.choices()[choice].outcomes;
        if (outcomes.size() == 2) {
            const std::uint32_t outcome = propagator_.is_true(outcomes[0]) ? 0 : 1;
            inputs.push_back(builder(stage).input(choice, outcome));
        } else if (value) {
            inputs.push_back(builder(stage).input(choice, outcome_of_[var]));
        }
    }
    return inputs;
}

Search::Node Search::condition(const Component &parent, Stage stage, Var decided) {
    statistics_.steps += finder_->variables(parent).size();
    if (statistics_.steps > limits_.steps) throw LimitEnds{step_limit};
    if (stage == Stage::random && contradicts_evidence()) return std::nullopt;
    const std::vector<InputId> inputs = implied_inputs(parent, stage, decided);
    const std::uint32_t mark = finder_->mark();
    const std::size_t inserted = inserted_.size();
    std::vector<Component> components;
    finder_->split(parent, components);
    std::vector<NodeId> factors;
    bool consistent = true;
    for (const Component &component : components) {
        const Node node = solve(component, stage);
        if (!node) {
            consistent = false;
            break;
        }
        factors.push_back(*node);
    }
    finder_->release(mark);
    if (!consistent) {
        if (components.size() > 1) forget_since(inserted);
        return std::nullopt;
    }
    return builder(stage).product(inputs, factors);
}

Search::Node Search::solve(const Component &component, Stage stage) {
    Cache &known = cache(stage);
    ++statistics_.cache_lookups;
    if (const auto place = known.find(component.key); place != known.end()) {
        ++statistics_.cache_hits;
        return place->second;
    }
    Node node;
    if (stage != Stage::random) {
        node = decide_open(component, stage);
    } else if (component.choice != nothing) {
        node = decide_choice(component);
    } else {
        node = leaf(component);
    }
    known.emplace(component.key, node);
    inserted_.push_back({&known, component.key});
    return node;
}

Search::Node Search::decide_choice(const Component &component) {
    const auto &outcomes = theory_.choices()[component.choice].outcomes;
    std::vector<Edge> edges;
    for (std::uint32_t o = 0; o < outcomes.size(); ++o) {
        if (propagator_.is_false(outcomes[o])) continue;
        if (!decide(outcomes[o])) {
            if (!propagator_.apply_learned() || !propagate()) return std::nullopt;
            continue;
        }
        const Node below = condition(component, Stage::random, outcomes[o].var());
        undo();
        if (below) edges.push_back({builder_.input(component.choice, o), *below});
    }
    return builder_.decision(component.choice, edges);
}

Search::Node Search::decide_open(const Component &component, Stage stage) {
    if (component.open_var == 0) throw std::logic_error("a component with nothing to decide");
    std::vector<Edge> edges;
    for (const bool value : {true, false}) {
        const Lit lit(component.open_var, value);
        if (propagator_.is_false(lit)) continue;
        if (!decide(lit)) {
            if (!propagator_.apply_learned() || !propagate()) return std::nullopt;
            continue;
        }
        const Node below = condition(component, stage, component.open_var);
        undo();
        if (below) {
            const std::uint32_t variable = free_of_[component.open_var];
            edges.push_back({builder(stage).input(variable, value ? 0 : 1), *below});
        }
    }
    return builder(stage).decision(free_of_[component.open_var], edges);
}

// The node of a component without random variables: counts its models with and without the evidence.
Search::Node Search::leaf(const Component &component) {
    if (below_ == Below::ratios && !component.has_evidence) {
        if (satisfiable(component)) return true_node;
        return std::nullopt;
    }
    const Node all = solve(component, Stage::counting);
    if (!all) return std::nullopt;
    const Node observed = component.has_evidence ? count_with_evidence(component) : all;
    if (!observed) return std::nullopt;
    const base::ScaledReal num = builder(Stage::counting).count(*all);
    if (below_ == Below::models) {
        const InputId share = builder_.constant(base::ScaledReal(1.0L) / num);
        return builder_.product(std::span(&share, 1), std::span(&*observed, 1));
    }
    if (*observed == *all) return true_node;
    const InputId share = builder_.constant(counter_.count(*observed) / num);
    return builder_.product(std::span(&share, 1), {});
}

Search::Node Search::count_with_evidence(const Component &component) {
    std::uint32_t levels = 0;
    Node node;
    bool consistent = true;
    for (const Lit lit : theory_.evidence) {
        const auto variables = finder_->variables(component);
        const bool inside =
            std::find(variables.begin(), variables.end(), lit.var()) != variables.end();
        if (!inside) continue;
        if (propagator_.is_false(lit) || !decide(lit)) {
            consistent = false;
            break;
        }
        ++levels;
    }
    if (consistent) node = condition(component, Stage::counting, 0);
    for (; levels > 0; --levels) undo();
    return node;
}

// Whether a component without random variables has a model.
bool Search::satisfiable(const Component &component) {
    ++statistics_.cache_lookups;
    if (const auto place = tests_.find(component.key); place != tests_.end()) {
        ++statistics_.cache_hits;
        return place->second;
    }
    bool found = false;
    for (const bool value : {true, false}) {
        const Lit lit(component.open_var, value);
        if (propagator_.is_false(lit)) continue;
        if (!decide(lit)) {
            if (!propagator_.apply_learned() || !propagate()) break;
            continue;
        }
        const std::uint32_t mark = finder_->mark();
        std::vector<Component> components;
        finder_->split(component, components);
        found = std::all_of(components.begin(), components.end(),
                            [&](const Component &part) { return satisfiable(part); });
        finder_->release(mark);
        undo();
        if (found) break;
    }
    if (found) tests_.emplace(component.key, found); // a failure may be due to a sibling
    return found;
}

} // namespace neurasp::circuit
