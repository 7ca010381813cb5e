// d log P(O) / d p for every outcome, by enumeration.
//
// P(O) is a sum of products, one factor per variable, so its derivative by the probability p of an
// outcome is the sum, over the models with that outcome, of the product of the other factors. Where
// p > 0 that is (mass of these models) / p; where p = 0 it is the sum over models in which this is the
// only factor 0.
#include "inference/enumerate_engine.hpp"
#include "inference/enumeration.hpp"

#include <algorithm>

namespace neurasp::inference {

namespace {

using Table = std::vector<std::vector<ScaledReal>>; // by group and outcome

struct Derivatives {
    ScaledReal probability; // over the problem's variables only
    Table mass;             // models with this outcome
    Table without_zero;     // the same, without the factor of this outcome, which is 0
    asp::SearchEnd end = asp::SearchEnd::exhausted;
};

Derivatives differentiate(Task &task, Problem &problem) {
    Derivatives result;
    for (const auto &group : problem.groups()) {
        result.mass.emplace_back(group.size());
        result.without_zero.emplace_back(group.size());
    }
    const auto assumptions = observed(task.atoms);
    const CostRestriction restriction = find_cost_restriction(task, assumptions);
    if (restriction.no_model) return result;
    if (!restriction.proven) {
        result.end = asp::SearchEnd::interrupted;
        return result;
    }
    Enumeration enumeration(problem, task.weights, task.budget);
    result.end = enumeration.run(assumptions, restriction.cost, [&](const Found &found) {
        if (found.zeros > 1) return true;
        result.probability += found.probability();
        for (std::size_t g = 0; g < found.choice.size(); ++g) {
            const std::uint32_t outcome = found.choice[g];
            if (found.zeros == 0) {
                result.mass[g][outcome] += found.positive;
            } else if (task.weights.scaled(problem.variables()[g], outcome).is_zero()) {
                result.without_zero[g][outcome] += found.positive;
            }
        }
        return true;
    });
    return result;
}

// Proposition 1: a change of p is taken from all other outcomes of the variable alike.
void absorb_changes(std::vector<double> &plain) {
    double sum = 0.0;
    for (const double value : plain) sum += value;
    for (double &value : plain) value -= sum - value;
}

} // namespace

GradientAnswer EnumerateEngine::gradient(Task &task, GradientConvention convention) const {
    GradientAnswer answer;
    const bool restricted = task.optimal && !task.world.rules().minimize().empty();
    Problem &problem = restricted ? task.world.problem() : task.focus;
    const std::uint64_t searches_before = problem.searches();
    const Derivatives derivatives = differentiate(task, problem);
    const bool exact = derivatives.end == asp::SearchEnd::exhausted;
    const auto &in_problem = problem.variables();
    ScaledReal probability = derivatives.probability;
    for (std::size_t v = 0; v < task.weights.size(); ++v) {
        const auto &variable = task.world.variables()[v];
        VariableGradient gradient{
            variable.name, task.world.outcome_texts(v), {}, variable.learnable};
        const auto place = std::lower_bound(in_problem.begin(), in_problem.end(), v);
        const bool relevant = place != in_problem.end() && *place == v;
        const auto g = static_cast<std::size_t>(place - in_problem.begin());
        if (!relevant) probability *= task.weights.row_sum(v);
        for (std::uint32_t o = 0; !derivatives.probability.is_zero() && o < variable.atoms.size();
             ++o) {
            // a variable that O does not depend on contributes the factor of its row sum
            ScaledReal value = ScaledReal(1.0L) / task.weights.row_sum(v);
            if (relevant) {
                const ScaledReal &p = task.weights.scaled(v, o);
                value = p.is_zero() ? derivatives.without_zero[g][o] : derivatives.mass[g][o] / p;
                value /= derivatives.probability;
            }
            gradient.values.push_back(value.to_double());
        }
        if (convention == GradientConvention::proposition1) absorb_changes(gradient.values);
        answer.variables.push_back(std::move(gradient));
    }
    answer.probability =
        exact ? exact_interval(probability) : interval(probability, task.weights.total());
    answer.defined = !derivatives.probability.is_zero();
    if (!answer.defined) answer.variables.clear();
    finish(answer.info, *this, task.budget, derivatives.end, problem.searches() - searches_before);
    if (!exact && answer.defined) {
        answer.info.note += "; the gradient is that of the models seen so far";
    }
    return answer;
}

} // namespace neurasp::inference
