// P(O), joint and conditional probabilities of queries by enumeration, with bounds when cut short.
#include "inference/consistency.hpp"
#include "inference/enumerate_engine.hpp"
#include "inference/enumeration.hpp"
#include "inference/gradient_answer.hpp"

#include <algorithm>

namespace neurasp::inference {

namespace {

struct Sums {
    ScaledReal probability;
    std::vector<ScaledReal> joint; // by query
    asp::SearchEnd end = asp::SearchEnd::exhausted;
};

Sums sum_models(Task &task, Problem &problem, std::span<const Literal> assumptions,
                const std::optional<std::vector<std::int64_t>> &cost, base::Budget &budget) {
    Sums sums;
    sums.joint.resize(task.atoms.queries.size());
    Enumeration enumeration(problem, task.weights, budget);
    sums.end = enumeration.run(assumptions, cost, [&](const Found &found) {
        const ScaledReal probability = found.probability();
        sums.probability += probability;
        for (std::size_t q = 0; q < sums.joint.size(); ++q) {
            const auto atom = task.atoms.queries[q];
            if (atom && found.view.is_true(*atom)) sums.joint[q] += probability;
        }
        return true;
    });
    const ScaledReal factor = left_out(task, problem.variables());
    sums.probability *= factor;
    for (ScaledReal &joint : sums.joint) joint *= factor;
    return sums;
}

// Everything that is not known to violate the observation.
ScaledReal upper_bound(Task &task, Problem &problem, base::Budget &budget) {
    ScaledReal upper = task.weights.total();
    if (task.optimal || !task.atoms.violated) return upper;
    const Literal violated(*task.atoms.violated);
    upper -= sum_models(task, problem, std::span(&violated, 1), std::nullopt, budget).probability;
    return upper;
}

QueryAnswer query_answer(const std::string &text, const ScaledReal &joint, const ScaledReal &lower,
                         const ScaledReal &upper, bool exact) {
    QueryAnswer answer{text, {}, std::nullopt};
    if (exact) {
        answer.joint = exact_interval(joint);
        if (!lower.is_zero()) answer.conditional = exact_interval(joint / lower);
        return answer;
    }
    answer.joint = interval(joint, joint + (upper - lower));
    if (!upper.is_zero()) {
        // P(q|O) = J / (J + R): least when all open mass is in R, greatest when it is in J
        answer.conditional = interval(joint / upper, (upper - (lower - joint)) / upper);
    }
    return answer;
}

} // namespace

Interval EnumerateEngine::mass(Task &task) const {
    return consistent_mass(task.world, task.weights, task.budget);
}

ProbabilityAnswer EnumerateEngine::probability(Task &task) const {
    ProbabilityAnswer answer;
    const auto assumptions = observed(task.atoms);
    const CostRestriction restriction = find_cost_restriction(task, assumptions);
    Problem &problem = restriction.cost ? task.world.problem() : task.focus;
    const std::uint64_t searches_before = problem.searches();
    // Half of the time goes to models that satisfy O; if that is not enough, the rest to those that
    // violate it, because their mass bounds P(O) from above.
    base::Budget first = task.budget.part(0.5, task.budget.model_limit());
    Sums sums;
    sums.joint.resize(task.atoms.queries.size());
    if (!restriction.no_model && restriction.proven) {
        sums = sum_models(task, problem, assumptions, restriction.cost, first);
    } else if (!restriction.no_model) {
        sums.end = asp::SearchEnd::interrupted;
    }
    const bool exact = sums.end == asp::SearchEnd::exhausted;
    ScaledReal upper = sums.probability;
    if (!exact) {
        base::Budget second = task.budget.part(1.0, task.budget.model_limit());
        upper = std::max(sums.probability, upper_bound(task, problem, second));
    }
    answer.probability =
        exact ? exact_interval(sums.probability) : interval(sums.probability, upper);
    for (std::size_t q = 0; q < task.queries.size(); ++q) {
        answer.queries.push_back(
            query_answer(task.queries[q], sums.joint[q], sums.probability, upper, exact));
    }
    finish(answer.info, *this, first.reached() != base::LimitReached::none ? first : task.budget,
           sums.end, problem.searches() - searches_before);
    answer.info.models_seen = first.models_taken();
    return answer;
}

} // namespace neurasp::inference
