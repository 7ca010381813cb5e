// The models that an explanation is about, atom by atom, and the constraints that the most probable outcomes violate.
#include "inference/enumeration.hpp"
#include "inference/explanation.hpp"

#include <algorithm>
#include <set>

namespace neurasp::inference {

std::vector<ReasonOutcome> describe_outcomes(const Task &task, const FixedOutcomes &outcomes) {
    std::vector<ReasonOutcome> result;
    for (const Fixed &fixed : outcomes) {
        result.push_back({task.grounding().variables()[fixed.variable].name,
                          task.grounding().outcome_texts(fixed.variable).atoms[fixed.outcome],
                          task.weights.probabilities(fixed.variable)[fixed.outcome]});
    }
    return result;
}

namespace {

FixedOutcomes choice_of(const Task &task, const Truth &truth) {
    FixedOutcomes choice;
    const auto &groups = task.grounding().outcome_atoms();
    for (std::size_t v = 0; v < groups.size(); ++v) {
        for (std::uint32_t o = 0; o < groups[v].size(); ++o) {
            if (truth[groups[v][o].index()]) choice.push_back({v, o});
        }
    }
    return choice;
}

// Literals that only the model with exactly these atoms satisfies, among the atoms that users see.
std::vector<Literal> as_literals(const Task &task, const StableModel &model) {
    const std::set<std::string> atoms(model.atoms.begin(), model.atoms.end());
    std::vector<Literal> literals;
    for (const Shown &shown : task.grounding().shown(true)) {
        const std::vector<Literal> &condition = shown.conditions.front();
        if (condition.empty()) continue; // a fact
        literals.emplace_back(condition.front().atom(), atoms.contains(shown.text));
    }
    return literals;
}

} // namespace

std::optional<WholeModel> find_model(const Task &task, std::vector<Literal> literals) {
    const auto &evidence = task.request.evidence;
    literals.insert(literals.end(), evidence.begin(), evidence.end());
    std::optional<WholeModel> found;
    task.grounding().problem().search(
        {literals, task.request.cost, nullptr, false}, task.budget,
        [&](const asp::ModelView &view) {
            WholeModel whole;
            whole.truth = truth_of(task.grounding().rules(), view);
            whole.choice = choice_of(task, whole.truth);
            whole.model = describe_model(task.scope, task.settings.all_atoms, view, ScaledReal());
            found = std::move(whole);
            return false;
        });
    return found;
}

std::optional<WholeModel> find_best_model(const Task &task, const Engine &engine, bool &known) {
    // engines describe models by what they show; with all atoms shown, the model can be found again
    Settings settings = task.settings;
    settings.all_atoms = true;
    base::Budget budget = task.budget.part(base::time_plan::explaining_model);
    const Task all{task.scope,   task.request, task.weights, settings,
                   task.library, task.most,    budget};
    const ModelsAnswer best = engine.most_probable(all, 1, false);
    if (!best.how.exact) known = false;
    if (best.models.empty()) return std::nullopt;
    auto whole = find_model(task, as_literals(task, best.models.front()));
    if (!whole) {
        known = false;
        return std::nullopt;
    }
    whole->model.probability = best.models.front().probability;
    return whole;
}

namespace {

FixedOutcomes most_probable_outcomes(const Weights &weights) {
    FixedOutcomes outcomes;
    for (std::size_t v = 0; v < weights.size(); ++v) {
        const auto row = weights.probabilities(v);
        const auto best = std::max_element(row.begin(), row.end());
        outcomes.push_back({v, static_cast<std::uint32_t>(best - row.begin())});
    }
    return outcomes;
}

// The grounding's rules with an atom in the head of every constraint, so that it can fire; and the rules that it was
// done to. #edge is left out.
struct Relaxed {
    std::shared_ptr<asp::GroundProgram> program = std::make_shared<asp::GroundProgram>();
    std::vector<std::size_t> constraints;
};

Relaxed relax_constraints(const Scope &scope) {
    Relaxed relaxed;
    asp::GroundProgram &program = *relaxed.program;
    const asp::GroundProgram &rules = scope.grounding().rules();
    std::uint32_t next = rules.atom_limit();
    std::vector<asp::WeightedLiteral> violations;
    for (std::size_t i = 0; i < rules.rule_count(); ++i) {
        const asp::RuleView rule = rules.rule(i);
        const bool observed = rule.head.size() == 1 && scope.violated() == rule.head.front();
        if (!rule.head.empty() && !observed) {
            program.add(rule);
            continue;
        }
        const AtomId violation(next++);
        asp::RuleView open = rule;
        open.head = std::span(&violation, 1);
        relaxed.constraints.push_back(program.rule_count());
        program.add(open);
        violations.push_back({Literal(violation), 1});
    }
    for (const AtomId atom : rules.named_atoms()) {
        program.set_symbol(atom, *rules.symbol(atom), rules.is_fact(atom));
    }
    for (const asp::External &external : rules.externals()) program.add_external(external);
    program.reserve_atoms(next);
    program.add_minimize(0, violations);
    return relaxed;
}

} // namespace

std::optional<Conflict> find_conflict(const Task &task, const WholeModel &best) {
    const FixedOutcomes wanted = most_probable_outcomes(task.weights);
    FixedOutcomes differ;
    std::vector<Literal> literals;
    ScaledReal probability(1.0L);
    for (std::size_t v = 0; v < wanted.size(); ++v) {
        literals.emplace_back(task.grounding().outcome_atoms()[v][wanted[v].outcome]);
        probability *= task.weights.scaled(v, wanted[v].outcome);
        if (best.choice[v].outcome != wanted[v].outcome) differ.push_back(wanted[v]);
    }
    if (differ.empty() || task.request.cost) return std::nullopt;
    base::Budget budget = task.budget.part(base::time_plan::explaining_conflict);
    const Task part = task.with(budget);
    if (find_model(part, literals) || budget.exhausted()) return std::nullopt;

    const Relaxed relaxed = relax_constraints(task.scope);
    const SearchProblem &whole = task.grounding().problem();
    const SearchProblem problem(relaxed.program, whole.variables(), whole.groups(), false);
    const auto least = problem.find_optimum(literals, budget);
    if (!least || !least->proven) return std::nullopt;
    Truth truth;
    problem.search({literals, least->cost, nullptr, false}, budget,
                   [&](const asp::ModelView &view) {
                       truth = truth_of(*relaxed.program, view);
                       return false;
                   });
    if (truth.empty()) return std::nullopt;
    std::vector<std::size_t> violated;
    for (const std::size_t rule : relaxed.constraints) {
        if (truth[relaxed.program->rule(rule).head.front().index()]) violated.push_back(rule);
    }
    if (violated.empty()) return std::nullopt; // what excludes them is no constraint
    const DerivationTask derivation{task.grounding(), task.weights, task.settings.derivation_steps};
    return Conflict{exactly(probability), describe_outcomes(task, differ),
                    derive_conflict(derivation, *relaxed.program, std::move(truth), violated)};
}

} // namespace neurasp::inference
