// Brute force over total choices.
#include "total_choices.hpp"

#include "circuit/batch_evaluator.hpp"
#include "circuit/best_assignments.hpp"
#include "circuit/circuit_text.hpp"
#include "circuit/exact_evaluation.hpp"
#include "circuit/model_count.hpp"
#include "circuit/sampling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace neurasp::circuit::test {

namespace {

// Floats have 24 bits; sums and products of a few hundred of them.
constexpr double float_rounding = 1e-4;
constexpr double log_rounding = 1e-10;

std::vector<std::uint32_t> first_weights(const std::vector<std::uint32_t> &outcomes) {
    std::vector<std::uint32_t> first;
    std::uint32_t next = 0;
    for (const std::uint32_t count : outcomes) {
        first.push_back(next);
        next += count;
    }
    return first;
}

// The value of each node if exactly these outcomes have the weight 1.
std::vector<double> node_values(const Circuit &circuit, const Outcomes &choice) {
    std::vector<double> weights(circuit.input_count(), 1.0);
    for (std::uint32_t v = 0; v < circuit.random_variable_count(); ++v) {
        for (std::uint32_t o = 0; o < circuit.signature().outcomes[v]; ++o) {
            weights[circuit.input(v, o).index()] = choice[v] == o ? 1.0 : 0.0;
        }
    }
    for (std::size_t i = 0; i < circuit.constants().size(); ++i) {
        weights[circuit.first_constant() + i] = circuit.constants()[i].to_double();
    }
    std::vector<double> values;
    for (std::size_t i = 0; i < circuit.node_count(); ++i) {
        const NodeView node = circuit.node(NodeId(i));
        double value = node.adds() ? 0.0 : 1.0;
        for (const Edge &edge : node.edges) {
            const double term = weights[edge.input.index()] *
                                (edge.child == true_node ? 1.0 : values[edge.child.index()]);
            value = node.adds() ? value + term : value * term;
        }
        values.push_back(value);
    }
    return values;
}

template <class Real>
void expect_batch(const Circuit &circuit, const TotalChoices &truth, std::size_t batch,
                  base::RandomStream &random) {
    std::vector<std::vector<double>> examples;
    std::vector<Real> weights(circuit.random_input_count() * batch);
    for (std::size_t k = 0; k < batch; ++k) {
        examples.push_back(random_rows(truth, random));
        for (std::size_t i = 0; i < examples[k].size(); ++i) {
            weights[i * batch + k] = static_cast<Real>(examples[k][i]);
            examples[k][i] = static_cast<double>(weights[i * batch + k]);
        }
    }
    std::vector<Real> logs(batch);
    std::vector<Real> gradient(weights.size());
    BatchEvaluator<Real>(std::make_shared<const Circuit>(circuit))
        .run(weights, batch, logs, gradient);
    const double error = sizeof(Real) == 4 ? float_rounding : log_rounding;
    for (std::size_t k = 0; k < batch; ++k) {
        const double probability = truth.probability(examples[k]);
        if (truth.shares.empty()) {
            EXPECT_EQ(logs[k], -std::numeric_limits<Real>::infinity());
            continue;
        }
        EXPECT_NEAR(logs[k], std::log(probability), error * (1.0 - std::log(probability)));
        const auto derivatives = truth.derivatives(examples[k]);
        for (std::size_t i = 0; i < derivatives.size(); ++i) {
            const double expected = derivatives[i] / probability;
            EXPECT_NEAR(gradient[i * batch + k], expected, error * (1.0 + expected));
        }
    }
}

void expect_best(const std::shared_ptr<const Circuit> &smooth, const TotalChoices &truth,
                 const std::vector<double> &weights) {
    std::vector<double> expected;
    for (const auto &[choice, share] : truth.shares) {
        expected.push_back(share * truth.weight_of(choice, weights));
    }
    std::sort(expected.rbegin(), expected.rend());
    BestAssignments best(smooth, scaled(weights));
    std::map<Outcomes, int> seen;
    for (const double value : expected) {
        const auto next = best.next();
        ASSERT_TRUE(next);
        EXPECT_NEAR(next->value.to_double(), value, rounding);
        EXPECT_EQ(++seen[next->outcomes], 1);
        const auto place = truth.shares.find(next->outcomes);
        ASSERT_NE(place, truth.shares.end());
        EXPECT_NEAR(value, place->second * truth.weight_of(next->outcomes, weights), rounding);
    }
    EXPECT_FALSE(best.next());
}

} // namespace

double TotalChoices::weight_of(const Outcomes &choice, const std::vector<double> &weights) const {
    double product = 1.0;
    std::size_t first = 0;
    for (std::size_t v = 0; v < choice.size(); ++v) {
        product *= weights[first + choice[v]];
        first += outcomes[v];
    }
    return product;
}

double TotalChoices::probability(const std::vector<double> &weights) const {
    double sum = 0.0;
    for (const auto &[choice, share] : shares) sum += share * weight_of(choice, weights);
    return sum;
}

std::vector<double> TotalChoices::derivatives(const std::vector<double> &weights) const {
    std::vector<double> result(weights.size(), 0.0);
    const auto first = first_weights(outcomes);
    for (const auto &[choice, share] : shares) {
        const double weight = share * weight_of(choice, weights);
        for (std::size_t v = 0; v < choice.size(); ++v) {
            const std::size_t i = first[v] + choice[v];
            result[i] += weight / weights[i]; // weights are positive
        }
    }
    return result;
}

TotalChoices total_choices(const Example &example, const Theory &theory,
                           const std::vector<std::string> &evidence) {
    TotalChoices truth;
    std::size_t dropped = 1; // combinations of the other random variables
    for (const auto &atoms : example.variables()) dropped *= atoms.size();
    for (const Choice &choice : theory.choices()) {
        truth.outcomes.push_back(static_cast<std::uint32_t>(choice.outcomes.size()));
        dropped /= choice.outcomes.size();
    }
    std::map<Outcomes, std::size_t> seen;
    for (const auto &[whole, counts] : example.models_by_choice(evidence)) {
        if (counts.observed == 0.0) continue;
        Outcomes choice;
        for (const Choice &known : theory.choices()) {
            choice.push_back(static_cast<std::uint32_t>(whole[known.source]));
        }
        const double share = counts.observed / counts.all;
        const auto [place, is_new] = truth.shares.emplace(choice, share);
        if (std::abs(place->second - share) > rounding) {
            throw std::logic_error("a variable that the theory leaves out makes a difference");
        }
        ++seen[choice];
    }
    for (const auto &[choice, times] : seen) {
        if (times != dropped) throw std::logic_error("a choice left out makes a difference");
    }
    return truth;
}

std::vector<double> random_rows(const TotalChoices &truth, base::RandomStream &random) {
    std::vector<double> weights;
    for (const std::uint32_t count : truth.outcomes) {
        double sum = 0.0;
        for (std::uint32_t o = 0; o < count; ++o) {
            weights.push_back(0.05 + random.uniform());
            sum += weights.back();
        }
        for (std::uint32_t o = 0; o < count; ++o) weights[weights.size() - 1 - o] /= sum;
    }
    return weights;
}

void expect_meaning(const Circuit &circuit, const TotalChoices &truth) {
    ASSERT_EQ(circuit.signature().outcomes, truth.outcomes);
    EXPECT_NO_THROW(circuit.verify());
    for_each_assignment(circuit, [&](const Outcomes &choice) {
        const std::vector<double> values = node_values(circuit, choice);
        const auto place = truth.shares.find(choice);
        const double expected = place == truth.shares.end() ? 0.0 : place->second;
        EXPECT_NEAR(values[circuit.root().index()], expected, rounding);
        const double most = *std::max_element(values.begin(), values.end());
        EXPECT_LE(most, 1.0 + rounding); // two branches of a sum would count twice
    });
}

void expect_answers(const Circuit &smooth, const TotalChoices &truth, base::RandomStream &random) {
    const std::vector<double> weights = random_rows(truth, random);
    const double probability = truth.probability(weights);
    ExactEvaluation exact(smooth, scaled(weights));
    EXPECT_NEAR(exact.value().to_double(), probability, rounding);
    exact.differentiate();
    const auto derivatives = truth.derivatives(weights);
    for (std::size_t i = 0; i < derivatives.size(); ++i) {
        EXPECT_NEAR(exact.derivative(InputId(i + 1)).to_double(), derivatives[i],
                    rounding * (1.0 + derivatives[i]));
    }
    expect_best(std::make_shared<const Circuit>(smooth), truth, weights);
    for (int i = 0; i < 10; ++i) {
        const auto drawn = draw_assignment(smooth, exact, random);
        ASSERT_EQ(drawn.has_value(), !truth.shares.empty());
        EXPECT_TRUE(!drawn || truth.shares.contains(drawn->outcomes));
    }
    for (const std::size_t batch : {std::size_t{1}, 2 + random.below(20)}) {
        expect_batch<double>(smooth, truth, batch, random);
        expect_batch<float>(smooth, truth, batch, random);
    }
    if (smooth.constants().empty()) {
        EXPECT_EQ(count_assignments(smooth).to_string(), std::to_string(truth.shares.size()));
    }
    EXPECT_EQ(read_circuit(write_circuit(smooth)), smooth);
}

} // namespace neurasp::circuit::test
