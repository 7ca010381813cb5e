// Makes the circuit of a family.
//
// Idea. The rules that family_rules.hpp keeps, with the slots as further random variables, are an ordinary program: each
// outcome of a slot is an atom that derives the guards of its statements. Its circuit answers every observation of the
// family once the outcomes of the slots are given.
//
// Two ways. The compiler finds a circuit if the program falls into parts (sums with carries). clasp lists the models,
// which suffices if all observations together have only thousands of them (paths in a grid); the list is folded into a
// decision diagram with every order that the compiler would try, with the slots in front or where they are, and the
// smallest circuit is kept. Programs with positive cycles are hard for the compiler, so there the list comes first.
//
// Lists need determined programs, where a total choice has at most one model. The compiler counts models (Num) where it must:
// the observation is its evidence, not a constraint, and the slots are decided before models are counted.
//
// Random variables that only bans and fees name are not in the theory; they are added to the signature, and smoothing brings
// them into the circuit.
//
// Invariant: the result is smooth, and its variables are the random variables that matter, then all slots.
#include "inference/family_circuit.hpp"

#include "circuit/translation.hpp"
#include "inference/choice_tree.hpp"
#include "inference/few_models.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

namespace neurasp::inference {

namespace {

// The program with the slots as random variables.
struct FamilyProblem {
    std::shared_ptr<asp::GroundProgram> program = std::make_shared<asp::GroundProgram>();
    std::vector<std::vector<AtomId>> groups; // random variables of the grounding, then slots
    std::vector<Literal> evidence;
    std::size_t random_variables = 0;
};

FamilyProblem make_problem(const FamilyGrounding &family, const FamilyRules &rules,
                           const std::vector<FamilySlot> &slots) {
    const asp::GroundProgram &old = family.grounding->rules();
    FamilyProblem problem;
    asp::GroundProgram &program = *problem.program;
    program.reserve_atoms(old.atom_limit());
    for (std::size_t i = 0; i < old.rule_count(); ++i) {
        if (rules.keeps[i]) program.add(old.rule(i));
    }
    std::set<AtomId> guards;
    for (const auto &guard : family.given) {
        if (guard) guards.insert(*guard);
    }
    for (const asp::External &external : old.externals()) {
        if (!guards.contains(external.atom)) program.add_external(external);
    }
    for (const asp::AcyclicityEdge &edge : old.edges()) program.add_edge(edge);
    problem.groups = family.grounding->outcome_atoms();
    problem.random_variables = problem.groups.size();
    for (const FamilySlot &slot : slots) {
        auto &group = problem.groups.emplace_back();
        for (const auto &statements : slot.outcomes) {
            const AtomId outcome(program.atom_limit());
            program.reserve_atoms(outcome.value + 1);
            group.push_back(outcome);
            const Literal body(outcome);
            for (const std::uint32_t statement : statements) {
                const AtomId head = *family.given[statement];
                program.add_rule(false, std::span(&head, 1), std::span(&body, 1));
            }
        }
    }
    if (family.violated) problem.evidence.emplace_back(*family.violated, false);
    return problem;
}

// The work of listing, measured on paths in a grid: 55 us for a model, where a step of the compiler takes 0.27 us; and a search
// with other assumptions goes over all rules once.
constexpr std::uint64_t steps_per_model = 200;
constexpr std::uint64_t rules_of_a_search_per_step = 25;
constexpr std::size_t outcomes_to_foresee = 8;

class FamilyCompiler {
  public:
    FamilyCompiler(const FamilyProblem &problem, const circuit::Theory &theory,
                   base::Budget &budget, FamilyCircuit &result)
        : problem_(problem), theory_(theory), budget_(budget), result_(result) {}

    // The circuit over the choices of the theory.
    std::shared_ptr<const circuit::Circuit> run(const FamilyEffort &effort, CircuitLibrary &library,
                                                const CircuitLimits &limits) {
        const std::uint64_t models = models_to_list(effort);
        const bool lists = theory_.determined && models > 0;
        const bool lists_first = lists && !theory_.recursive.empty();
        std::shared_ptr<const circuit::Circuit> circuit;
        if (lists_first) circuit = fold(models);
        if (!circuit) circuit = compile(effort.steps, library, limits);
        if (!circuit && lists && !lists_first) circuit = fold(models);
        return circuit;
    }

  private:
    // How many models may be listed with the effort that is left when each search has gone over the whole program once.
    std::uint64_t models_to_list(const FamilyEffort &effort) const {
        const std::vector<AtomId> *slot = largest_slot();
        const std::uint64_t searches = slot == nullptr ? 1 : slot->size();
        const std::uint64_t for_searches =
            searches * problem_.program->rule_count() / rules_of_a_search_per_step;
        if (for_searches >= effort.listing) return 0;
        return std::min((effort.listing - for_searches) / steps_per_model, effort.models);
    }

    std::shared_ptr<const circuit::Circuit> compile(std::uint64_t steps, CircuitLibrary &library,
                                                    CircuitLimits limits) {
        limits.compiler.steps = steps;
        const auto entry = library.compile(theory_, limits, budget_);
        result_.steps += entry->statistics.steps;
        result_.obstacle = entry->obstacle;
        return entry->circuit;
    }

    std::shared_ptr<const circuit::Circuit> fold(std::uint64_t models) {
        std::vector<std::size_t> sources;
        std::vector<std::vector<AtomId>> groups;
        circuit::Signature signature;
        for (const circuit::Choice &choice : theory_.choices()) {
            sources.push_back(choice.source);
            groups.push_back(problem_.groups[choice.source]);
            signature.outcomes.push_back(static_cast<std::uint32_t>(groups.back().size()));
        }
        signature.random_variables = static_cast<std::uint32_t>(groups.size());
        const SearchProblem search(problem_.program, std::move(sources), std::move(groups), true);
        base::Budget granted = budget_.with_models(models);
        const auto choices = list(search, models, granted);
        result_.models = granted.models_taken();
        if (!choices) return nullptr;
        result_.listed = true;
        std::shared_ptr<const circuit::Circuit> smallest;
        for (auto &sequence : circuit::decision_sequences(theory_, budget_)) {
            for (const bool slots_first : {false, true}) {
                if (slots_first) {
                    std::stable_partition(sequence.begin(), sequence.end(), [&](std::uint32_t c) {
                        return theory_.choices()[c].source >= problem_.random_variables;
                    });
                }
                circuit::Circuit folded = ChoiceTree(signature, sequence).run(*choices);
                if (!smallest || folded.edge_count() < smallest->edge_count()) {
                    smallest = std::make_shared<const circuit::Circuit>(std::move(folded));
                }
            }
        }
        return smallest;
    }

    // Slots that make no difference are not in the theory, and so not in the search. Null if there is none.
    const std::vector<AtomId> *largest_slot() const {
        const std::vector<AtomId> *slot = nullptr;
        for (const circuit::Choice &choice : theory_.choices()) {
            if (choice.source < problem_.random_variables) continue;
            const std::vector<AtomId> &group = problem_.groups[choice.source];
            if (slot == nullptr || group.size() > slot->size()) slot = &group;
        }
        return slot;
    }

    // The models of each outcome of the largest slot in turn: with the slot known, much of the program is simple. Ends early
    // if the first outcomes have so many models that all together will be more than `most`.
    std::optional<std::vector<TotalChoice>> list(const SearchProblem &search, std::uint64_t most,
                                                 base::Budget &budget) const {
        const std::vector<AtomId> *slot = largest_slot();
        if (slot == nullptr) {
            return list_choices(search, {problem_.evidence, {}, nullptr, false}, budget);
        }
        std::vector<TotalChoice> all;
        for (std::size_t o = 0; o < slot->size(); ++o) {
            const std::uint64_t foreseen = o == 0 ? 0 : all.size() * slot->size() / o;
            if (o >= outcomes_to_foresee && foreseen > most) return std::nullopt;
            std::vector<Literal> assumptions = problem_.evidence;
            assumptions.emplace_back((*slot)[o]);
            auto some = list_choices(search, {assumptions, {}, nullptr, false}, budget);
            if (!some) return std::nullopt;
            std::move(some->begin(), some->end(), std::back_inserter(all));
        }
        return all;
    }

    const FamilyProblem &problem_;
    const circuit::Theory &theory_;
    base::Budget &budget_;
    FamilyCircuit &result_;
};

// The random variables that the theory, bans or fees name, in ascending order.
std::vector<std::uint32_t> variables_that_matter(const FamilyProblem &problem,
                                                 const circuit::Theory &theory,
                                                 const FamilyRules &rules) {
    std::set<std::uint32_t> variables;
    for (const circuit::Choice &choice : theory.choices()) {
        if (choice.source < problem.random_variables) variables.insert(choice.source);
    }
    for (const Ban &ban : rules.bans) {
        for (const OutcomeRef &outcome : ban.outcomes) variables.insert(outcome.variable);
    }
    for (const Fee &fee : rules.fees) {
        for (const OutcomeRef &outcome : fee.outcomes) variables.insert(outcome.variable);
    }
    return {variables.begin(), variables.end()};
}

} // namespace

FamilyCircuit compile_family(const FamilyGrounding &family, const FamilyRules &rules,
                             const std::vector<FamilySlot> &slots, const FamilyEffort &effort,
                             CircuitLibrary &library, const CircuitLimits &limits,
                             base::Budget &budget) {
    FamilyCircuit result;
    const FamilyProblem problem = make_problem(family, rules, slots);
    const circuit::Translation translation =
        circuit::translate({*problem.program, problem.groups, problem.evidence, {}, {}, {}, false});
    result.obstacle = translation.obstacle;
    if (!translation.theory) return result;
    const circuit::Theory &theory = *translation.theory;
    if (!rules.fees.empty() && !theory.determined) {
        result.obstacle = "costs, and total choices with several stable models";
        return result;
    }
    const auto circuit =
        FamilyCompiler(problem, theory, budget, result).run(effort, library, limits);
    result.out_of_budget = !circuit && budget.exhausted();
    if (!circuit) return result;
    result.variables = variables_that_matter(problem, theory, rules);
    circuit::Signature signature;
    for (const std::uint32_t variable : result.variables) {
        signature.outcomes.push_back(static_cast<std::uint32_t>(problem.groups[variable].size()));
    }
    for (const FamilySlot &slot : slots) {
        signature.outcomes.push_back(static_cast<std::uint32_t>(slot.outcomes.size()));
    }
    signature.random_variables = static_cast<std::uint32_t>(signature.outcomes.size());
    std::vector<std::uint32_t> places;
    for (const circuit::Choice &choice : theory.choices()) {
        const auto found =
            std::lower_bound(result.variables.begin(), result.variables.end(), choice.source);
        const auto place = choice.source < problem.random_variables
                               ? static_cast<std::size_t>(found - result.variables.begin())
                               : result.variables.size() + choice.source - problem.random_variables;
        places.push_back(static_cast<std::uint32_t>(place));
    }
    result.circuit = std::make_shared<const circuit::Circuit>(
        circuit::smoothed(circuit::embedded(*circuit, signature, places)));
    return result;
}

} // namespace neurasp::inference
