// d log P(O) / d p for every outcome, by enumeration.
//
// P(O) is a sum of products with one factor for each variable. So its derivative by the probability p of an
// outcome is the sum, over the models with this outcome, of the product of the other factors. If p > 0, this is
// the mass of these models divided by p. If p = 0, only models in which this is the only factor 0 contribute,
// and the product of their other factors is summed separately.
//
// One enumeration fills both sums for all outcomes. Models with two or more factors 0 contribute nothing.
#include "inference/enumerate_engine.hpp"
#include "inference/enumeration.hpp"
#include "inference/gradient_answer.hpp"

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

Derivatives differentiate(const Task &task, const SearchProblem &problem) {
    Derivatives result;
    for (const auto &group : problem.groups()) {
        result.mass.emplace_back(group.size());
        result.without_zero.emplace_back(group.size());
    }
    Enumeration enumeration(problem, task.weights, task.request, task.budget);
    result.end = enumeration.run([&](const Found &found) {
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

} // namespace

GradientAnswer EnumerateEngine::gradient(const Task &task, GradientConvention convention) const {
    GradientAnswer answer;
    const SearchProblem &problem = task.problem();
    const std::uint64_t searches_before = problem.searches();
    const Derivatives derivatives = differentiate(task, problem);
    const bool exact = derivatives.end == asp::SearchEnd::exhausted;
    const auto &in_problem = problem.variables();
    ScaledReal probability = derivatives.probability;
    answer.defined = !probability.is_zero();
    if (answer.defined) {
        answer.variables =
            describe_gradient(task, convention, in_problem, [&](std::size_t g, std::uint32_t o) {
                const ScaledReal &p = task.weights.scaled(in_problem[g], o);
                const ScaledReal value =
                    p.is_zero() ? derivatives.without_zero[g][o] : derivatives.mass[g][o] / p;
                return value / derivatives.probability;
            });
    }
    probability *= left_out(task, in_problem);
    answer.probability = exact ? exactly(probability) : between(probability, task.weights.total());
    finish(answer.how, name(), task.budget, derivatives.end, problem.searches() - searches_before);
    if (!exact && answer.defined) {
        answer.how.limit += "; the gradient is that of the models seen so far";
    }
    return answer;
}

} // namespace neurasp::inference
