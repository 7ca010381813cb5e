// Probabilities from samples.
//
// When neither a circuit nor enumeration finishes, samples still say something about P(O), with a stated
// confidence.
//
// Idea. Draw a total choice from the product of the variables' distributions, without looking at O, and let
// clasp list its stable models. The share of them that satisfies O is a number in [0, 1], and its mean over all
// choices is P(O): sum over C of w(C) * (models that satisfy O) / Num(C). A choice without a model contributes
// 0. Drawing without O keeps the samples independent and the estimate unbiased, but a P(O) far below 1 / samples
// is not seen.
//
// Intervals. Let p be the mean of n independent samples in [0, 1], and q their expectation. By Chernoff's bound,
// n * D(p, q) exceeds log(2 / risk) with a probability of at most `risk`, where D is the relative entropy of two
// coins. The interval consists of all q for which it does not; its ends are found by bisection. It holds for
// every n, unlike intervals from a normal approximation, also if all or none of the samples satisfy O.
//
// Conditional probabilities. P(q | O) = J / (J + R) with J = P(q, O) and R = P(not q, O). Each gets an interval
// with half of the risk; the quotient grows with J and falls with R, so its bounds come from opposite ends of
// the two.
//
// Rows sum to 1 only approximately. Outcomes are drawn as if the sum were exact, and the result is multiplied by
// the product of the row sums.
//
// Optimal mode has no samples: which models are cheapest depends on all choices, not on one.
//
// Cost: one search for each sample, over all models of its choice. The same seed draws the same samples.
#include "inference/estimate.hpp"

#include "base/random_stream.hpp"
#include "inference/enumeration.hpp"

#include <algorithm>
#include <cmath>

namespace neurasp::inference {

namespace {

constexpr double confidence = 0.95;

// The relative entropy of coins that fall on heads with probability p and q.
double divergence(double p, double q) {
    const auto part = [](double a, double b) { return a == 0.0 ? 0.0 : a * std::log(a / b); };
    return part(p, q) + part(1.0 - p, 1.0 - q);
}

// The point between `mean` and `end` at which the divergence from `mean` reaches `most`.
double farthest(double mean, double end, double most) {
    double inside = mean;
    double outside = end;
    constexpr int halvings = 60; // more than the bits of a double
    for (int i = 0; i < halvings; ++i) {
        const double middle = 0.5 * (inside + outside);
        (divergence(mean, middle) <= most ? inside : outside) = middle;
    }
    return outside;
}

Probability estimated(double value, double lower, double upper) {
    value = std::min(value, 1.0);
    return {value, std::log(value), std::min(lower, 1.0), std::min(upper, 1.0), false};
}

// Sums over samples of a number in [0, 1].
struct Sum {
    double value = 0.0;

    Probability estimate(std::uint64_t samples, double risk) const {
        const double mean = value / static_cast<double>(samples);
        const auto [lower, upper] = chernoff_interval(mean, samples, risk);
        return estimated(mean, lower, upper);
    }
};

// The shares of the models of one total choice that satisfy O, and O with each query.
struct Shares {
    double observed = 0.0;
    std::vector<double> joint;
};

class Sampler {
  public:
    explicit Sampler(const Task &task)
        : task_(task), problem_(task.scope.focus()), random_(task.settings.seed) {}

    // Nothing if the budget ran out.
    std::optional<Shares> draw() {
        choice_.clear();
        for (const std::size_t variable : problem_.variables()) {
            choice_.push_back(draw_outcome(variable));
        }
        Shares shares;
        shares.joint.resize(task_.scope.queries().size());
        std::uint64_t models = 0;
        const auto literals = choice_literals(problem_, choice_);
        const auto &violated = task_.scope.violated();
        const auto end = problem_.search({literals, std::nullopt, nullptr, false}, task_.budget,
                                         [&](const asp::ModelView &view) {
                                             ++models;
                                             if (violated && view.is_true(*violated)) return true;
                                             shares.observed += 1.0;
                                             for (std::size_t q = 0; q < shares.joint.size(); ++q) {
                                                 const auto atom = task_.scope.query_atoms()[q];
                                                 if (atom && view.is_true(*atom))
                                                     shares.joint[q] += 1.0;
                                             }
                                             return true;
                                         });
        if (end == asp::SearchEnd::interrupted) return std::nullopt;
        if (models > 1) {
            shares.observed /= static_cast<double>(models);
            for (double &joint : shares.joint) joint /= static_cast<double>(models);
        }
        return shares;
    }

  private:
    std::uint32_t draw_outcome(std::size_t variable) {
        const auto probabilities = task_.weights.probabilities(variable);
        double rest = random_.uniform() * task_.weights.row_sum(variable).to_double();
        std::uint32_t last = 0;
        for (std::uint32_t o = 0; o < probabilities.size(); ++o) {
            if (probabilities[o] <= 0.0) continue;
            last = o;
            rest -= probabilities[o];
            if (rest <= 0.0) break;
        }
        return last;
    }

    const Task &task_;
    const SearchProblem &problem_;
    base::RandomStream random_;
    TotalChoice choice_;
};

// P(q | O) from the sums for P(q, O) and P(O).
std::optional<Probability> conditional(const Sum &joint, const Sum &observed,
                                       std::uint64_t samples) {
    if (observed.value == 0.0) return std::nullopt;
    constexpr double risk = (1.0 - confidence) / 2;
    const Probability with = joint.estimate(samples, risk);
    const Probability without = Sum{observed.value - joint.value}.estimate(samples, risk);
    const double lower = with.lower == 0.0 ? 0.0 : with.lower / (with.lower + without.upper);
    return estimated(joint.value / observed.value, lower,
                     with.upper / (with.upper + without.lower));
}

} // namespace

std::pair<double, double> chernoff_interval(double mean, std::uint64_t count, double risk) {
    const double most = std::log(2.0 / risk) / static_cast<double>(count);
    return {mean <= 0.0 ? 0.0 : farthest(mean, 0.0, most),
            mean >= 1.0 ? 1.0 : farthest(mean, 1.0, most)};
}

std::optional<SampledProbability> estimate_probability(const Task &task, std::uint64_t samples) {
    task.budget.report(Phase::sampling);
    Sampler sampler(task);
    SampledProbability result;
    Sum observed;
    std::vector<Sum> joint(task.scope.queries().size());
    while (result.samples < samples && !task.budget.exhausted()) {
        const auto shares = sampler.draw();
        if (!shares) break;
        task.budget.report(++result.samples);
        observed.value += shares->observed;
        for (std::size_t q = 0; q < joint.size(); ++q) joint[q].value += shares->joint[q];
    }
    if (result.samples == 0) return std::nullopt;
    result.confidence = confidence;
    const double product = task.weights.total().to_double();
    const double total = std::abs(product - 1.0) < 1e-9 ? 1.0 : product;
    const auto scaled = [&](const Probability &estimate) {
        return estimated(estimate.value * total, estimate.lower * total, estimate.upper * total);
    };
    result.probability = scaled(observed.estimate(result.samples, 1.0 - confidence));
    for (const Sum &sum : joint) {
        result.joint.push_back(scaled(sum.estimate(result.samples, 1.0 - confidence)));
        result.conditional.push_back(conditional(sum, observed, result.samples));
    }
    return result;
}

} // namespace neurasp::inference
