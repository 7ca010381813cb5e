// P(O), joint and conditional probabilities of queries by enumeration, with bounds when cut short.
#include "inference/consistency.hpp"
#include "inference/enumerate_engine.hpp"
#include "inference/enumeration.hpp"
#include "inference/gradient_answer.hpp"

#include <algorithm>
#include <functional>

namespace neurasp::inference {

namespace {

struct Sums {
    ScaledReal probability;
    std::vector<ScaledReal> joint; // by query
    asp::SearchEnd end = asp::SearchEnd::exhausted;
};

// The bounds on P(O) that follow from a sum so far.
using Bounds = std::function<Probability(const ScaledReal &)>;

// Sums the probabilities of the models that the request allows.
Sums sum_models(const Task &task, const Request &request, base::Budget &budget,
                const Bounds &bounds) {
    Sums sums;
    sums.joint.resize(task.scope.queries().size());
    const SearchProblem &problem = task.problem();
    const ScaledReal factor = left_out(task, problem.variables());
    Enumeration enumeration(problem, task.weights, request, budget);
    sums.end = enumeration.run([&](const Found &found) {
        const ScaledReal probability = found.probability();
        sums.probability += probability;
        for (std::size_t q = 0; q < sums.joint.size(); ++q) {
            const auto atom = task.scope.query_atoms()[q];
            if (atom && found.view.is_true(*atom)) sums.joint[q] += probability;
        }
        if (budget.reports()) {
            const Probability known = bounds(sums.probability * factor);
            budget.report(budget.models_taken(), known.lower, known.upper);
        }
        return true;
    });
    sums.probability *= factor;
    for (ScaledReal &joint : sums.joint) joint *= factor;
    return sums;
}

// An upper bound on P(O): all mass that is not known to violate the observation.
ScaledReal upper_bound(const Task &task, const ScaledReal &lower, base::Budget &budget) {
    const ScaledReal total = task.weights.total();
    if (task.request.cost || !task.scope.violated()) return total;
    Request violating;
    violating.evidence.emplace_back(*task.scope.violated());
    const auto bounds = [&](const ScaledReal &sum) { return between(lower, total - sum); };
    return total - sum_models(task, violating, budget, bounds).probability;
}

QueryAnswer query_answer(const std::string &text, const ScaledReal &joint, const ScaledReal &lower,
                         const ScaledReal &upper, bool exact) {
    QueryAnswer answer{text, {}, std::nullopt};
    if (exact) {
        answer.joint = exactly(joint);
        if (!lower.is_zero()) answer.conditional = exactly(joint / lower);
        return answer;
    }
    answer.joint = between(joint, joint + (upper - lower));
    if (!upper.is_zero()) {
        // P(q|O) = J / (J + R): least when all open mass is in R, greatest when it is in J
        answer.conditional = between(joint / upper, (upper - (lower - joint)) / upper);
    }
    return answer;
}

} // namespace

MassAnswer EnumerateEngine::mass(const Task &task) const {
    MassAnswer answer;
    answer.probability = consistent_mass(task.grounding(), task.weights, task.budget);
    answer.how.engine = name();
    if (!answer.probability.exact) note_limit(answer.how, task.budget);
    return answer;
}

// Half of the time is for models that satisfy O. If it is not enough, the rest is for models that violate O,
// because their mass bounds P(O) from above.
ProbabilityAnswer EnumerateEngine::probability(const Task &task) const {
    ProbabilityAnswer answer;
    const std::uint64_t searches_before = task.problem().searches();
    base::Budget first = task.budget.part(base::time_plan::satisfying);
    const auto bounds = [&](const ScaledReal &sum) { return between(sum, task.weights.total()); };
    const Sums sums = sum_models(task, task.request, first, bounds);
    const bool exact = sums.end == asp::SearchEnd::exhausted;
    ScaledReal upper = sums.probability;
    bool stopped = false; // while looking for an upper bound
    if (!exact) {
        base::Budget second = task.budget.part(base::time_plan::all);
        upper = std::max(sums.probability, upper_bound(task, sums.probability, second));
        stopped = second.stopped();
    }
    answer.probability = exact ? exactly(sums.probability) : between(sums.probability, upper);
    for (std::size_t q = 0; q < sums.joint.size(); ++q) {
        answer.queries.push_back(
            query_answer(task.scope.queries()[q], sums.joint[q], sums.probability, upper, exact));
    }
    finish(answer.how, name(), first, sums.end, task.problem().searches() - searches_before);
    answer.how.interrupted = answer.how.interrupted || stopped;
    return answer;
}

EnumerateEngine::Circuits EnumerateEngine::circuits(const Task &, std::span<const Request>,
                                                    std::string &obstacle) const {
    obstacle = "the engine enumerate makes no circuits";
    return {};
}

} // namespace neurasp::inference
