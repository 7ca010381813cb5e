// Batches compared with the exact evaluation, in float and double.
#include "circuit/batch_evaluator.hpp"

#include "circuit/circuit_support.hpp"
#include "circuit/exact_evaluation.hpp"
#include "neurasp/diagnostic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace neurasp::circuit::test {
namespace {

using base::ScaledReal;
using Shared = std::shared_ptr<const Circuit>;

constexpr double infinity = std::numeric_limits<double>::infinity();
// Relative errors of sums and products of a few hundred numbers; of logarithms, absolute.
template <class Real> constexpr double tolerance = 1e-11;
template <> constexpr double tolerance<float> = 3e-5;

// Derivatives of the logarithm below this may be lost to underflow: 1 / least root * least number.
template <class Real> constexpr double negligible = 1e-57;
template <> constexpr double negligible<float> = 1e-12;

template <class Real> struct Answers {
    std::vector<Real> logs;
    std::vector<Real> gradient;
};

template <class Real>
Answers<Real> run(BatchEvaluator<Real> &evaluator, const std::vector<Real> &weights,
                  std::size_t batch) {
    Answers<Real> answers{std::vector<Real>(batch, Real{7}),
                          std::vector<Real>(weights.size(), Real{7})};
    evaluator.run(weights, batch, answers.logs, answers.gradient);
    return answers;
}

// Compares every example with the exact evaluation.
template <class Real>
void expect_exact(const Shared &circuit, const std::vector<Real> &weights, std::size_t batch) {
    BatchEvaluator<Real> evaluator(circuit);
    const Answers<Real> answers = run(evaluator, weights, batch);
    for (std::size_t k = 0; k < batch; ++k) {
        std::vector<ScaledReal> own;
        for (std::size_t i = k; i < weights.size(); i += batch) own.emplace_back(weights[i]);
        ExactEvaluation exact(*circuit, own);
        exact.differentiate();
        if (exact.value().is_zero()) {
            EXPECT_EQ(answers.logs[k], -infinity);
        } else {
            const double expected = exact.value().log();
            EXPECT_NEAR(answers.logs[k], expected, tolerance<Real> * (1.0 + std::abs(expected)));
        }
        for (std::size_t i = 0; i < own.size(); ++i) {
            const double found = answers.gradient[i * batch + k];
            double expected = 0.0;
            if (!exact.value().is_zero()) {
                expected = (exact.derivative(InputId(i + 1)) / exact.value()).to_double();
                expected = std::min<double>(expected, std::numeric_limits<Real>::max());
            }
            EXPECT_NEAR(found, expected, tolerance<Real> * expected + negligible<Real>);
        }
    }
}

template <class Real> class BatchEvaluatorOf : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(BatchEvaluatorOf, Reals);

TYPED_TEST(BatchEvaluatorOf, AgreesWithExactEvaluation) {
    base::RandomStream random(12);
    for (const std::size_t batch : {1U, 2U, 3U, 4U, 15U, 16U, 17U, 33U, 256U}) {
        for (int i = 0; i < 12; ++i) {
            const auto circuit = std::make_shared<const Circuit>(random_circuit(random));
            const std::vector<double> rows = random_rows(*circuit, batch, random);
            expect_exact<TypeParam>(circuit, {rows.begin(), rows.end()}, batch);
        }
    }
}

TYPED_TEST(BatchEvaluatorOf, AgreesIfWeightsAreZeroOrOne) {
    base::RandomStream random(13);
    for (int i = 0; i < 100; ++i) {
        const auto circuit = std::make_shared<const Circuit>(random_circuit(random));
        std::vector<TypeParam> rows(circuit->random_input_count() * 20);
        for (TypeParam &weight : rows) weight = static_cast<TypeParam>(random.below(2));
        expect_exact<TypeParam>(circuit, rows, 20);
    }
}

TYPED_TEST(BatchEvaluatorOf, AgreesIfExamplesUnderflow) {
    base::RandomStream random(14);
    const double tiny = std::is_same_v<TypeParam, float> ? 1e-37 : 1e-300;
    for (int i = 0; i < 100; ++i) {
        const auto circuit = std::make_shared<const Circuit>(random_circuit(random));
        std::vector<double> rows = random_rows(*circuit, 18, random);
        for (double &weight : rows) weight *= random.below(3) == 0 ? tiny : 1.0;
        expect_exact<TypeParam>(circuit, {rows.begin(), rows.end()}, 18);
    }
}

TYPED_TEST(BatchEvaluatorOf, IsRightForThousandsOfVariables) {
    constexpr std::uint32_t variables = 3000;
    const auto circuit = std::make_shared<const Circuit>(chain(variables));
    for (const TypeParam weight : {TypeParam(0.1), TypeParam(1e-30), TypeParam(1e30)}) {
        BatchEvaluator<TypeParam> evaluator(circuit);
        const auto answers = run(evaluator, std::vector<TypeParam>(2 * variables, weight), 1);
        const double expected = variables * std::log(2.0 * weight);
        EXPECT_NEAR(answers.logs[0], expected, std::abs(expected) * tolerance<TypeParam>);
        EXPECT_NEAR(answers.gradient[0], 0.5 / weight, 0.5 / weight * tolerance<TypeParam>);
    }
}

TYPED_TEST(BatchEvaluatorOf, ComputesTheSameNumbersInEveryBatch) {
    base::RandomStream random(15);
    const auto circuit = std::make_shared<const Circuit>(random_circuit(random));
    const std::size_t inputs = circuit->random_input_count();
    const std::vector<double> own = random_weights(*circuit, random);
    BatchEvaluator<TypeParam> evaluator(circuit);
    const auto alone = run(evaluator, std::vector<TypeParam>(own.begin(), own.end()), 1);
    for (const std::size_t batch : {2U, 7U, 16U, 40U}) {
        for (std::size_t place = 0; place < batch; ++place) {
            const std::vector<double> others = random_rows(*circuit, batch, random);
            std::vector<TypeParam> rows(others.begin(), others.end());
            for (std::size_t i = 0; i < inputs; ++i) {
                rows[i * batch + place] = static_cast<TypeParam>(own[i]);
            }
            const auto together = run(evaluator, rows, batch);
            EXPECT_EQ(together.logs[place], alone.logs[0]);
            for (std::size_t i = 0; i < inputs; ++i) {
                EXPECT_EQ(together.gradient[i * batch + place], alone.gradient[i]);
            }
        }
    }
}

TYPED_TEST(BatchEvaluatorOf, CanLeaveOutTheGradient) {
    base::RandomStream random(16);
    const auto circuit = std::make_shared<const Circuit>(chain(6));
    const std::vector<double> rows = random_rows(*circuit, 21, random);
    const std::vector<TypeParam> weights(rows.begin(), rows.end());
    BatchEvaluator<TypeParam> evaluator(circuit);
    std::vector<TypeParam> logs(21);
    evaluator.run(weights, 21, logs, {});
    EXPECT_EQ(logs, run(evaluator, weights, 21).logs);
}

TYPED_TEST(BatchEvaluatorOf, ToleratesWeightsThatAreNotNumbers) {
    const auto circuit = std::make_shared<const Circuit>(chain(2));
    BatchEvaluator<TypeParam> evaluator(circuit);
    std::vector<TypeParam> weights(4 * 5, TypeParam(0.5));
    weights[3] = std::numeric_limits<TypeParam>::quiet_NaN(); // first input, example 3
    weights[4] = std::numeric_limits<TypeParam>::infinity();
    const auto answers = run(evaluator, weights, 5);
    EXPECT_EQ(answers.logs[2], TypeParam{});
    EXPECT_TRUE(std::isnan(answers.logs[3]));
    EXPECT_TRUE(std::isnan(answers.logs[4]));
    EXPECT_TRUE(std::isnan(answers.gradient[3]));
    EXPECT_EQ(answers.gradient[2], TypeParam{1});
}

TYPED_TEST(BatchEvaluatorOf, HandlesTrueFalseAndNoVariables) {
    Circuit nothing({{}, 0});
    BatchEvaluator<TypeParam> is_true(std::make_shared<const Circuit>(nothing));
    nothing.set_root(nothing.add_sum(0, {}));
    BatchEvaluator<TypeParam> is_false(std::make_shared<const Circuit>(nothing));
    for (const std::size_t batch : {0U, 1U, 9U, 70U}) {
        EXPECT_EQ(run(is_true, {}, batch).logs, std::vector<TypeParam>(batch, 0));
        EXPECT_EQ(run(is_false, {}, batch).logs,
                  std::vector<TypeParam>(batch, -std::numeric_limits<TypeParam>::infinity()));
    }
}

TYPED_TEST(BatchEvaluatorOf, SetsTheGradientOfUnusedInputsToZero) {
    Circuit circuit({{2, 2}, 2});
    const Edge edges[] = {{circuit.input(1, 1), true_node}};
    circuit.set_root(circuit.add_sum(1, edges));
    BatchEvaluator<TypeParam> evaluator(std::make_shared<const Circuit>(circuit));
    const auto answers = run(evaluator, std::vector<TypeParam>(4 * 6, TypeParam(0.25)), 6);
    for (std::size_t i = 0; i < 18; ++i) EXPECT_EQ(answers.gradient[i], TypeParam{});
    for (std::size_t i = 18; i < 24; ++i) EXPECT_EQ(answers.gradient[i], TypeParam{4});
}

TYPED_TEST(BatchEvaluatorOf, RefusesArraysOfTheWrongSize) {
    BatchEvaluator<TypeParam> evaluator(std::make_shared<const Circuit>(chain(1)));
    std::vector<TypeParam> two(2, TypeParam(0.5));
    std::vector<TypeParam> one(1);
    EXPECT_NO_THROW(evaluator.run(two, 1, one, two));
    EXPECT_THROW(evaluator.run(one, 1, one, {}), ContractError);
    EXPECT_THROW(evaluator.run(two, 1, two, {}), ContractError);
    EXPECT_THROW(evaluator.run(two, 1, one, one), ContractError);
}

TEST(BatchEvaluator, SurvivesConstantsBeyondTheRangeOfDoubles) {
    Circuit circuit({{2}, 1});
    const InputId small = circuit.add_constant(ScaledReal(0.5L, -5000));
    const InputId large = circuit.add_constant(ScaledReal(0.5L, 4900));
    const Edge edges[] = {{small, true_node}, {large, true_node}, {circuit.input(0, 0), true_node}};
    circuit.set_root(circuit.add_product(edges));
    expect_exact<double>(std::make_shared<const Circuit>(circuit), {0.5, 0.5}, 1);
}

} // namespace
} // namespace neurasp::circuit::test
