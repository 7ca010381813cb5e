// log P(O) compared with brute force over all outcomes, derivatives with finite differences: in float and double, with
// strides, shared rows and weights.
#include "testing.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace neurasp::training {
namespace {

template <class Real> constexpr double tolerance = 1e-9; // double arithmetic on a dozen numbers
template <> constexpr double tolerance<float> = 1e-5; // inputs and derivatives are rounded to float

// P(sum of the digits in two rows) from the definition.
template <class Real>
double brute_force(const OneNetwork<Real> &batch, std::size_t example, int sum) {
    const std::size_t stride = 3 + batch.gap;
    const auto at = [&](std::size_t call, int digit) {
        return static_cast<double>(
            batch.outputs[batch.rows[example][call] * stride + static_cast<std::size_t>(digit)]);
    };
    double p = 0.0;
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) p += a + b == sum ? at(0, a) * at(1, b) : 0.0;
    }
    return p;
}

template <class Real> class Gradients : public ::testing::Test {
  public:
    static constexpr int sums[] = {2, 1, 2, 3};

    // Four examples; some share pictures, and one uses the same picture twice.
    static OneNetwork<Real> examples(TrainingProgram &program, std::size_t gap) {
        OneNetwork<Real> batch;
        batch.gap = gap;
        batch.outputs = random_rows<Real>(4, 3, gap, 11);
        batch.add(program.prepare(sum_is(sums[0])), {0, 1}, 1.0);
        batch.add(program.prepare(sum_is(sums[1])), {1, 2}, -0.5);
        batch.add(program.prepare(sum_is(sums[2])), {3, 3}, 2.0);
        batch.add(program.prepare(sum_is(sums[3])), {0, 2}, 0.25);
        return batch;
    }
    static double weighted_sum(const OneNetwork<Real> &batch) {
        double sum = 0.0;
        for (std::size_t e = 0; e < batch.examples.size(); ++e) {
            sum += batch.examples[e].weight * std::log(brute_force(batch, e, sums[e]));
        }
        return sum;
    }
};

// Once with circuits, and once with an additional disjunction that has one stable model but no circuit, so that models
// are enumerated.
const std::string programs[] = {addition, std::string(addition) + " x | y. x :- y. y :- x."};

using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Gradients, Reals);

TYPED_TEST(Gradients, ValuesEqualBruteForce) {
    for (const std::string &text : programs) {
        TrainingProgram program(Program::from_text(text));
        for (const std::size_t gap : {0U, 2U}) {
            auto batch = this->examples(program, gap);
            EXPECT_EQ(program.at(batch.examples[0].observation).has_circuit, text == addition);
            batch.run(program);
            for (std::size_t e = 0; e < 4; ++e) {
                EXPECT_NEAR(batch.log[e], std::log(brute_force(batch, e, this->sums[e])), 1e-12);
                EXPECT_EQ(batch.status[e], ExampleStatus::exact);
            }
        }
    }
}

TYPED_TEST(Gradients, WeightedDerivativesEqualFiniteDifferences) {
    for (const auto &[text, gap] :
         {std::pair{programs[0], 0U}, {programs[0], 2U}, {programs[1], 2U}}) {
        TrainingProgram program(Program::from_text(text));
        auto batch = this->examples(program, gap);
        batch.run(program);
        // in double, whatever the type of the batch, and without strides
        OneNetwork<double> moved;
        moved.gap = gap;
        moved.rows = batch.rows;
        moved.outputs.assign(batch.outputs.begin(), batch.outputs.end());
        moved.examples = batch.examples;
        for (std::size_t i = 0; i < batch.outputs.size(); ++i) {
            if (i % (3 + gap) >= 3) { // between rows
                EXPECT_EQ(batch.gradient[i], 0.0);
                continue;
            }
            constexpr double delta = 1e-5;
            const double before = moved.outputs[i];
            moved.outputs[i] = before + delta;
            const double up = Gradients<double>::weighted_sum(moved);
            moved.outputs[i] = before - delta;
            const double down = Gradients<double>::weighted_sum(moved);
            moved.outputs[i] = before;
            // central differences have an error of the order of delta squared
            EXPECT_NEAR(batch.gradient[i], (up - down) / (2 * delta), tolerance<TypeParam> + 1e-7)
                << i;
        }
    }
}

// The outcomes of an event are far apart and events are adjacent, as in a transposed tensor.
TYPED_TEST(Gradients, TransposedRowsAreTheSameNumbers) {
    TrainingProgram program(Program::from_text(R"(nn(d(2,x),[t,f]).
ok :- d(0,x,t), d(1,x,f).)"));
    const NetworkShape &shape = program.networks()[0];
    const ObservationId id = program.prepare(Observation{":- not ok."});
    const std::uint32_t row = 0;
    const BatchExample example{id, std::span(&row, 1)};
    // event 0: (0.25, 0.75), event 1: (0.4, 0.6)
    const std::vector<TypeParam> numbers{TypeParam(0.25), TypeParam(0.4), TypeParam(0.75),
                                         TypeParam(0.6)};
    std::vector<TypeParam> gradient(4);
    double log = 0.0;
    TrainingBatch<TypeParam> batch;
    batch.outputs = {Rows<const TypeParam>{numbers.data(), 1, 4, 1, 2}};
    batch.examples = std::span(&example, 1);
    program.run(batch, {std::span(&log, 1), {}, {{gradient.data(), 1, 4, 1, 2}}, {}});
    ASSERT_EQ(shape.size(), 4U);
    EXPECT_NEAR(log, std::log(0.25 * 0.6), 1e-7);
    EXPECT_NEAR(gradient[0], 1 / 0.25, 1e-5);
    EXPECT_NEAR(gradient[1], 0.0, 1e-5);
    EXPECT_NEAR(gradient[2], 0.0, 1e-5);
    EXPECT_NEAR(gradient[3], 1 / 0.6, 1e-5);
}

TEST(GradientsOfDoubles, KeepTheDigitsOfDoubles) {
    TrainingProgram program(Program::from_text(addition));
    OneNetwork<double> batch;
    batch.outputs = random_rows<double>(2, 3, 0, 5);
    batch.add(program.prepare(sum_is(2)), {0, 1});
    batch.run(program);
    const double p = brute_force(batch, 0, 2);
    EXPECT_NEAR(batch.gradient[0], batch.outputs[5] / p, 1e-13); // d P / d p(i1 = 0) = p(i2 = 2)
}

TEST(GradientsOfRules, AreSummedOverExamplesOrSeparateForEach) {
    TrainingProgram program(Program::from_text("@0.2 : a. @0.6 : b. ok :- a, b."));
    ASSERT_EQ(program.rule_numbers(), (std::vector<double>{0.2, 0.8, 0.6, 0.4}));
    const std::vector<Observation> observations{{":- not ok."}, {":- ok."}};
    const auto ids = program.prepare(observations);
    const std::vector<BatchExample> examples{{ids[0], {}, 1.0}, {ids[1], {}, 3.0}};
    std::vector<double> log(2);
    TrainingBatch<float> batch;
    batch.examples = examples;
    std::vector<double> sum(4);
    program.run(batch, {log, {}, {}, sum});
    std::vector<double> each(8);
    program.run(batch, {log, {}, {}, each});
    // P(ok) = 0.12; P(not ok) = 0.8 + 0.2 * 0.4
    EXPECT_NEAR(log[0], std::log(0.12), 1e-12);
    EXPECT_NEAR(log[1], std::log(0.88), 1e-12);
    EXPECT_NEAR(each[0], 1 / 0.2, 1e-12);
    EXPECT_NEAR(each[4], 3 * 0.4 / 0.88, 1e-12);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(sum[i], each[i] + each[4 + i], 1e-12) << i;
}

TEST(GradientsOfBadNumbers, AreRefused) {
    TrainingProgram program(Program::from_text(addition));
    OneNetwork<float> batch;
    batch.add(program.prepare(sum_is(2)), {0, 1});
    for (const float bad : {-0.1F, std::nanf(""), INFINITY}) {
        batch.outputs = {0.2F, 0.3F, 0.5F, 0.6F, bad, 0.1F};
        EXPECT_THROW(batch.run(program), InputError) << bad;
    }
}

TEST(GradientsOfBadNumbers, AreFiniteNextToAProbabilityOfZero) {
    TrainingProgram program(Program::from_text(addition));
    OneNetwork<float> batch;
    // P = 1e-44 * 1, and d log P / d p(i1 = 0) = 1e44, more than a float can hold
    batch.outputs = {1e-44F, 1.0F, 0.0F, 1.0F, 0.0F, 0.0F};
    batch.add(program.prepare(sum_is(0)), {0, 1});
    batch.run(program);
    for (const float derivative : batch.gradient) EXPECT_TRUE(std::isfinite(derivative));
    EXPECT_GT(batch.gradient[0], 1e36F);
}

TEST(GradientsWithoutUse, AWeightThatIsNotFiniteCountsAsZero) {
    TrainingProgram program(Program::from_text(addition));
    OneNetwork<float> batch;
    batch.outputs = random_rows<float>(2, 3, 0, 5);
    batch.add(program.prepare(sum_is(2)), {0, 1}, INFINITY);
    batch.run(program);
    for (const float derivative : batch.gradient) EXPECT_EQ(derivative, 0.0F);
}

} // namespace
} // namespace neurasp::training
