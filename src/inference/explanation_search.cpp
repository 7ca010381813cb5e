// Reasons without a circuit.
//
//   1. The most probable total choice with O and q that no earlier reason covers: branch and bound in the solver, as
//      for the most probable models. A model that an earlier reason covers puts the reason's negation into
//      the search, so what it covers is left behind in one step.
//   2. Outcomes are dropped from it while the others still suffice: O without q has no model with them. One call of
//      the solver each. Those that the query's own rules do not mention go first, then the least probable. What remains is minimal, for more outcomes never
//      suffice less. Where even the whole choice leaves q open (free choices), all of it that matters is the reason.
//   3. How much it covers: the engine's P(O and outcomes) and P(q, O and outcomes).
//
// Cost: one search for each outcome of the choice, and one sum over models for each reason.
#include "inference/cost_model.hpp"
#include "inference/explanation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace neurasp::inference {

namespace {

double quotient(const Probability &a, const Probability &b) {
    if (a.exact && b.exact) return std::min(std::exp(a.log - b.log), 1.0);
    const double below = b.exact ? b.value : b.upper;
    return below > 0.0 ? std::min(a.value / below, 1.0) : 0.0;
}

class ReasonsBySearch {
  public:
    ReasonsBySearch(const Task &task, const Engine &engine, AtomId query,
                    const ProbabilityAnswer &found)
        : task_(task), engine_(engine), problem_(task.problem()), query_(query), found_(found),
          matters_(task.scope.relevance()) {}

    FoundReasons run(std::uint64_t count);

  private:
    std::optional<TotalChoice> best_uncovered();
    const FixedOutcomes *covering(const TotalChoice &choice) const;
    FixedOutcomes shrink(FixedOutcomes kept);
    bool leaves_doubt(const FixedOutcomes &outcomes);
    FixedOutcomes that_matter(const FixedOutcomes &outcomes) const;
    bool is_in(const asp::Relevance &part, const Fixed &fixed) const;
    FixedOutcomes by_variable(const TotalChoice &choice) const;
    Reason weigh(const FixedOutcomes &outcomes) const;
    std::vector<Literal> literals(const FixedOutcomes &outcomes) const;

    const Task &task_;
    const Engine &engine_;
    const SearchProblem &problem_;
    AtomId query_;
    const ProbabilityAnswer &found_;
    asp::Relevance matters_;
    std::vector<FixedOutcomes> reasons_;
    bool interrupted_ = false;
};

FoundReasons ReasonsBySearch::run(std::uint64_t count) {
    FoundReasons found;
    while (!interrupted_) {
        const auto choice = best_uncovered();
        if (!choice) break;
        if (reasons_.size() >= count) {
            found.truncated = true;
            break;
        }
        const FixedOutcomes all = by_variable(*choice);
        reasons_.push_back(shrink(all));
        found.list.push_back({weigh(reasons_.back()), reasons_.back(), all});
        if (reasons_.back().empty()) break; // it covers everything
    }
    if (interrupted_) {
        found.truncated = true;
        found.note = found.list.empty() ? "no reason was found within the limits"
                                        : "the reasons are those found within the limits; some of "
                                          "their outcomes may not be needed";
    }
    return found;
}

FixedOutcomes ReasonsBySearch::by_variable(const TotalChoice &choice) const {
    FixedOutcomes outcomes;
    for (std::size_t g = 0; g < choice.size(); ++g) {
        outcomes.push_back({problem_.variables()[g], choice[g]});
    }
    return outcomes;
}

std::vector<Literal> ReasonsBySearch::literals(const FixedOutcomes &outcomes) const {
    std::vector<Literal> result;
    for (const Fixed &fixed : outcomes) {
        result.emplace_back(task_.grounding().outcome_atoms()[fixed.variable][fixed.outcome]);
    }
    return result;
}

const FixedOutcomes *ReasonsBySearch::covering(const TotalChoice &choice) const {
    const FixedOutcomes all = by_variable(choice);
    const auto agrees = [&](const Fixed &fixed) {
        return std::any_of(all.begin(), all.end(), [&](const Fixed &other) {
            return other.variable == fixed.variable && other.outcome == fixed.outcome;
        });
    };
    for (const FixedOutcomes &reason : reasons_) {
        if (std::all_of(reason.begin(), reason.end(), agrees)) return &reason;
    }
    return nullptr;
}

std::optional<TotalChoice> ReasonsBySearch::best_uncovered() {
    const CostModel costs(problem_, task_.weights);
    asp::CostBound bound(costs.groups());
    bound.set_limit(CostModel::finite);
    std::vector<Literal> assumptions = task_.request.evidence;
    assumptions.emplace_back(query_);
    std::optional<TotalChoice> best;
    TotalChoice choice;
    const auto on_model = [&](const asp::ModelView &view) {
        if (!task_.budget.take_model()) return false;
        read_choice(problem_, view, choice);
        if (const FixedOutcomes *reason = covering(choice)) {
            std::vector<Literal> clause = literals(*reason);
            for (Literal &literal : clause) literal = ~literal;
            view.add_clause(clause);
            return true;
        }
        best = choice;
        bound.set_limit(costs.of(choice));
        return true;
    };
    const auto end =
        problem_.search({assumptions, task_.request.cost, &bound, true}, task_.budget, on_model);
    interrupted_ = interrupted_ || end != asp::SearchEnd::exhausted;
    return best;
}

// Whether O holds without q in some model with these outcomes.
bool ReasonsBySearch::leaves_doubt(const FixedOutcomes &outcomes) {
    std::vector<Literal> assumptions = task_.request.evidence;
    assumptions.emplace_back(query_, false);
    for (const Literal literal : literals(outcomes)) assumptions.push_back(literal);
    bool found = false;
    const auto end = problem_.search({assumptions, task_.request.cost, nullptr, false},
                                     task_.budget, [&](const asp::ModelView &) {
                                         found = true;
                                         return false;
                                     });
    if (end == asp::SearchEnd::interrupted) interrupted_ = true;
    return found || end == asp::SearchEnd::interrupted;
}

FixedOutcomes ReasonsBySearch::that_matter(const FixedOutcomes &outcomes) const {
    FixedOutcomes result;
    for (const Fixed &fixed : outcomes) {
        if (is_in(matters_, fixed)) result.push_back(fixed);
    }
    return result;
}

bool ReasonsBySearch::is_in(const asp::Relevance &part, const Fixed &fixed) const {
    const auto &atoms = task_.grounding().outcome_atoms()[fixed.variable];
    return std::any_of(atoms.begin(), atoms.end(),
                       [&](AtomId atom) { return part.atoms[atom.index()]; });
}

FixedOutcomes ReasonsBySearch::shrink(FixedOutcomes kept) {
    if (leaves_doubt(kept)) return that_matter(kept);
    const auto probability = [&](const Fixed &fixed) {
        return task_.weights.probabilities(fixed.variable)[fixed.outcome];
    };
    const std::array query{query_};
    const asp::Relevance below = asp::relevant_rules(task_.grounding().rules(), query, false);
    FixedOutcomes order = kept;
    std::stable_sort(order.begin(), order.end(), [&](const Fixed &a, const Fixed &b) {
        const bool first = is_in(below, a);
        return first != is_in(below, b) ? !first : probability(a) < probability(b);
    });
    for (const Fixed &fixed : order) {
        if (interrupted_) break;
        FixedOutcomes fewer;
        for (const Fixed &other : kept) {
            if (other.variable != fixed.variable) fewer.push_back(other);
        }
        if (!leaves_doubt(fewer)) kept = std::move(fewer);
    }
    return kept;
}

Reason ReasonsBySearch::weigh(const FixedOutcomes &outcomes) const {
    Reason reason;
    reason.outcomes = describe_outcomes(task_, outcomes);
    Request request = task_.request;
    for (const Literal literal : literals(outcomes)) request.evidence.push_back(literal);
    base::Budget budget = task_.budget.part(base::time_plan::explaining_probability);
    const ProbabilityAnswer with = engine_.probability(task_.with(request).with(budget));
    const Probability &joint = with.queries.front().joint;
    const Probability &all = found_.queries.front().joint;
    reason.exact = with.how.exact && found_.how.exact;
    reason.share = quotient(joint, all);
    reason.certainty = quotient(joint, with.probability);
    const double probability = quotient(with.probability, found_.probability);
    reason.probability = {probability, std::log(probability), probability,
                          reason.exact ? probability : 1.0, reason.exact};
    if (reason.exact) reason.probability.log = with.probability.log - found_.probability.log;
    return reason;
}

} // namespace

FoundReasons search_reasons(const Task &task, const Engine &engine, AtomId query,
                            const ProbabilityAnswer &found, std::uint64_t count) {
    if (count == 0) return {{}, !found.queries.front().joint.is_zero(), {}};
    return ReasonsBySearch(task, engine, query, found).run(count);
}

} // namespace neurasp::inference
