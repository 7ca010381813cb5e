// Whether total choices have stable models, and how probable it is that they do.
//
// The mass of a program is the probability that the random outcomes have a stable model at all; a program is
// coherent if every total choice has one. Three questions are answered here, without circuits.
//
// Mass. Only the rules that can forbid a model matter (Grounding::consistency): often none, and then the mass is
// the product of the row sums; otherwise the choices of a slice, or of the whole program, are enumerated. If a
// choice may have several models, a clause blocks it after its first, so each choice counts once. Variables
// outside the slice contribute their row sums as factors. If the budget ends, the sum so far is a lower bound.
//
// Coherence. The task is to find a choice without a stable model, but a search finds models, not their absence.
// If the program is determined up to its constraints, the absence can be made visible: each constraint becomes a
// rule for a new atom `violated`. Then every choice has exactly one model, and a choice is a witness iff
// `violated` holds in it. So one search answers, however many choices there are. If rules other than constraints
// may leave several models or none (free choices, odd loops), or if there are #edge statements, all total
// choices are tried one by one, within the budget.
//
// Argmax. The most probable outcome of each variable is assumed, first for the program alone, then with the
// observation: at most two searches.
//
// Invariant: an answer that is not certain says so (`Coherence::unknown`, bounds, `how.exact`).
#include "inference/consistency.hpp"

#include "inference/enumeration.hpp"

#include <algorithm>

namespace neurasp::inference {

namespace {

// The program with its constraints turned into rules for an atom. If the rest is determined, a total choice has no
// stable model iff this atom holds.
struct Relaxation {
    asp::GroundProgram program;
    AtomId violated;
};

Relaxation relax(const SearchProblem &problem) {
    Relaxation result;
    result.violated =
        AtomId(problem.program().atom_limit()); // also unused in a slice, which reserves all atoms
    std::vector<AtomId> head{result.violated};
    for (std::size_t i = 0; i < problem.program().rule_count(); ++i) {
        asp::RuleView rule = problem.program().rule(i);
        if (rule.head.empty()) {
            rule.head = head;
            rule.choice = false;
        }
        result.program.add(rule);
    }
    for (const asp::External &external : problem.program().externals()) {
        result.program.add_external(external);
    }
    return result;
}

// The outcomes of a choice over the problem's variables; the first outcome for all others.
std::vector<std::string> outcome_texts(const Grounding &grounding, const SearchProblem &problem,
                                       const TotalChoice &choice) {
    TotalChoice full(grounding.variables().size(), 0);
    for (std::size_t g = 0; g < choice.size(); ++g) full[problem.variables()[g]] = choice[g];
    std::vector<std::string> texts;
    for (std::size_t v = 0; v < full.size(); ++v) {
        texts.push_back(grounding.outcome_texts(v).atoms[full[v]]);
    }
    return texts;
}

// The most probable outcome of each variable.
TotalChoice argmax_of(const Weights &weights) {
    TotalChoice choice;
    for (std::size_t v = 0; v < weights.size(); ++v) {
        const auto row = weights.probabilities(v);
        choice.push_back(
            static_cast<std::uint32_t>(std::max_element(row.begin(), row.end()) - row.begin()));
    }
    return choice;
}

CoherenceAnswer coherence_by_relaxation(const Grounding &grounding, const SearchProblem &problem,
                                        base::Budget &budget) {
    CoherenceAnswer answer;
    const Relaxation relaxation = relax(problem);
    asp::Solver solver(relaxation.program, problem.groups(), {});
    const Literal violated(relaxation.violated);
    answer.coherence = Coherence::coherent;
    const auto end = solver.search({std::span(&violated, 1), nullptr, false, std::nullopt}, budget,
                                   [&](const asp::ModelView &view) {
                                       TotalChoice choice;
                                       read_choice(problem, view, choice);
                                       answer.coherence = Coherence::incoherent;
                                       answer.witness = outcome_texts(grounding, problem, choice);
                                       return false;
                                   });
    if (end == asp::SearchEnd::interrupted) answer.coherence = Coherence::unknown;
    answer.how.solver_calls = 1;
    return answer;
}

// Moves to the next total choice; false after the last one.
bool advance(TotalChoice &choice, const SearchProblem &problem) {
    for (std::size_t g = 0; g < choice.size(); ++g) {
        if (++choice[g] < problem.groups()[g].size()) return true;
        choice[g] = 0;
    }
    return false;
}

CoherenceAnswer coherence_by_enumeration(const Grounding &grounding, const SearchProblem &problem,
                                         base::Budget &budget) {
    CoherenceAnswer answer;
    TotalChoice choice(problem.groups().size(), 0);
    do {
        const bool found = has_model(problem, choice_literals(problem, choice), budget);
        ++answer.how.solver_calls;
        if (budget.exhausted() || !budget.take_model()) return answer; // unknown
        if (!found) {
            answer.coherence = Coherence::incoherent;
            answer.witness = outcome_texts(grounding, problem, choice);
            return answer;
        }
    } while (advance(choice, problem));
    answer.coherence = Coherence::coherent;
    return answer;
}

} // namespace

bool has_model(const SearchProblem &problem, std::span<const Literal> assumptions,
               base::Budget &budget) {
    bool found = false;
    problem.search({assumptions, std::nullopt, nullptr, false}, budget,
                   [&](const asp::ModelView &) {
                       found = true;
                       return false;
                   });
    return found;
}

std::vector<Literal> argmax_literals(const SearchProblem &problem, const Weights &weights) {
    return choice_literals(problem, argmax_of(weights));
}

Probability consistent_mass(const Grounding &grounding, const Weights &weights,
                            base::Budget &budget) {
    const Consistency &consistency = grounding.consistency();
    if (consistency.coherent) return exactly(weights.total());
    const SearchProblem &problem = consistency.slice ? *consistency.slice : grounding.problem();
    ScaledReal consistent;
    TotalChoice choice;
    const auto on_model = [&](const asp::ModelView &view) {
        if (!budget.take_model()) return false;
        read_choice(problem, view, choice);
        ScaledReal weight(1.0L);
        for (std::size_t g = 0; g < choice.size(); ++g) {
            weight *= weights.scaled(problem.variables()[g], choice[g]);
        }
        consistent += weight;
        if (!problem.determined()) { // each choice counts once, however many models it has
            view.add_clause(all_but(problem, choice));
        }
        return true;
    };
    const auto end = problem.search({{}, std::nullopt, nullptr, false}, budget, on_model);
    for (std::size_t v = 0; v < weights.size(); ++v) {
        const auto &in_problem = problem.variables();
        if (!std::binary_search(in_problem.begin(), in_problem.end(), v)) {
            consistent *= weights.row_sum(v);
        }
    }
    if (end == asp::SearchEnd::exhausted) return exactly(consistent);
    return between(consistent, weights.total());
}

CoherenceAnswer check_coherence(const Grounding &grounding, base::Budget &budget) {
    CoherenceAnswer answer;
    const Consistency &consistency = grounding.consistency();
    const SearchProblem &problem = consistency.slice ? *consistency.slice : grounding.problem();
    if (consistency.coherent) {
        answer.coherence = Coherence::coherent;
    } else if (problem.determined() && problem.program().edges().empty()) {
        answer = coherence_by_relaxation(grounding, problem, budget);
    } else {
        answer = coherence_by_enumeration(grounding, problem, budget);
    }
    answer.how.exact = answer.coherence != Coherence::unknown;
    answer.how.limit = base::describe(budget.reached());
    answer.how.interrupted = budget.reached() == base::LimitReached::stopped;
    answer.how.seconds = budget.seconds_used();
    return answer;
}

ConsistencyAnswer check_argmax(const Scope &scope, const Weights &weights, base::Budget &budget) {
    ConsistencyAnswer answer;
    const Grounding &grounding = scope.grounding();
    const TotalChoice choice = argmax_of(weights);
    const SearchProblem &problem = grounding.problem();
    answer.choice = outcome_texts(grounding, problem, choice);
    std::vector<Literal> assumptions = choice_literals(problem, choice);
    answer.satisfies_program = has_model(problem, assumptions, budget);
    answer.how.solver_calls = 1;
    if (answer.satisfies_program) {
        const auto observation = scope.evidence();
        assumptions.insert(assumptions.end(), observation.begin(), observation.end());
        answer.satisfies_observation = has_model(problem, assumptions, budget);
        ++answer.how.solver_calls;
    }
    answer.how.exact = budget.reached() == base::LimitReached::none;
    answer.how.limit = base::describe(budget.reached());
    answer.how.interrupted = budget.reached() == base::LimitReached::stopped;
    answer.how.seconds = budget.seconds_used();
    return answer;
}

} // namespace neurasp::inference
