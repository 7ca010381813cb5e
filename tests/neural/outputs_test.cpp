// Network outputs as distributions, and arrays as batches.
#include "neural/probabilities.hpp"
#include "neural/tensors.hpp"
#include "neural/testing.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace neurasp::neural {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using torch::Tensor;

std::string terms_of(std::size_t index) { return "i" + std::to_string(index); }

Tensor rows(std::vector<double> values, const Shape &shape) {
    return torch::tensor(values, torch::kDouble).reshape(shape);
}

std::string flaw_of(std::vector<double> values, const Shape &shape) {
    const auto error =
        errors_of([&] { check_distributions(rows(values, shape), "digit", terms_of); })[0];
    EXPECT_EQ(error.code, "output-not-distribution");
    return error.message;
}

TEST(Probabilities, EveryShapeThatFlattensIsAccepted) {
    const Tensor numbers = torch::arange(2 * 81 * 10, torch::kFloat);
    for (const Shape &shape : {Shape{2, 81, 10}, {2, 810}, {2, 9, 9, 10}, {2, 1, 81, 10}}) {
        const auto result = probabilities(numbers.reshape(shape), {"m", 81, 10, false});
        EXPECT_TRUE(torch::equal(result, numbers.reshape({2, 81, 10})));
    }
}

TEST(Probabilities, OneColumnIsTheFirstOfTwoOutcomes) {
    for (const Shape &shape : {Shape{1, 2}, {1, 2, 1}}) {
        const auto result = probabilities(rows({0.25, 1.0}, shape), {"m", 2, 2, false});
        EXPECT_TRUE(torch::equal(result, rows({0.25, 0.75, 1.0, 0.0}, {1, 2, 2})));
    }
}

TEST(Probabilities, SoftmaxIsAppliedToLogits) {
    const auto result = probabilities(rows({0.0, std::log(3.0)}, {1, 2}), {"m", 1, 2, true});
    EXPECT_TRUE(torch::allclose(result, rows({0.25, 0.75}, {1, 1, 2})));
}

TEST(Probabilities, SigmoidIsAppliedToAColumnOfLogitsWithoutLosingSmallOnes) {
    const auto result = probabilities(rows({std::log(3.0), 700.0}, {1, 2, 1}), {"m", 2, 2, true});
    EXPECT_TRUE(torch::allclose(result[0][0], rows({0.75, 0.25}, {2})));
    EXPECT_DOUBLE_EQ(result[0][1][1].item<double>(), std::exp(-700.0));
}

TEST(Probabilities, AreDifferentiable) {
    const auto column = rows({0.25, 0.5}, {1, 2}).requires_grad_();
    const auto result = probabilities(column, {"m", 2, 2, false});
    (result * rows({1, 10, 100, 1000}, {1, 2, 2})).sum().backward();
    EXPECT_TRUE(torch::equal(column.grad(), rows({1 - 10, 100 - 1000}, {1, 2})));
}

TEST(Probabilities, AWrongNumberOfOutputsIsReported) {
    const auto error = errors_of([] {
        probabilities(torch::zeros({4, 3, 3}), {"digit", 1, 10, false});
    })[0];
    EXPECT_EQ(error.code, "output-shape");
    EXPECT_EQ(error.message,
              "the output of network 'digit' has the shape 4 x 3 x 3 for a batch of 4, expected 1 "
              "x 10 numbers for each input");
    EXPECT_THAT(errors_of([] {
                    probabilities(torch::zeros({4, 3}), {"m", 2, 2, false});
                })[0]
                    .message,
                HasSubstr("2 x 2 (or 2 x 1) numbers"));
    EXPECT_EQ(errors_of([] {
                  probabilities(torch::tensor(1.F), {"m", 1, 2, false});
              })[0]
                  .code,
              "output-shape");
    EXPECT_THROW(probabilities(torch::zeros({1, 1}), {"m", 1, 1, false}), ContractError);
    EXPECT_THROW(probabilities(torch::zeros({1, 1}), {"m", 0, 2, false}), ContractError);
}

TEST(Distributions, DistributionsPassWithinTheTolerance) {
    EXPECT_NO_THROW(check_distributions(rows({0, 1, 0.5, 0.5009}, {1, 2, 2}), "m", terms_of));
    EXPECT_NO_THROW(
        check_distributions(torch::softmax(torch::randn({64, 81, 10}), -1), "m", terms_of));
    EXPECT_NO_THROW(check_distributions(torch::zeros({0, 1, 10}), "m", terms_of));
    EXPECT_THROW(check_distributions(torch::ones({1, 2}), "m", terms_of), ContractError);
}

TEST(Distributions, TheFirstRowThatIsNotADistributionIsNamed) {
    EXPECT_EQ(
        flaw_of({0, 1, 0.5, 0.5, 1, 0, 0.5, 0.6}, {2, 2, 2}),
        "row 1 of the output of network 'digit' for 'i1' is not a distribution: it sums to 1.1");
    EXPECT_EQ(flaw_of({1.0004, -0.0004}, {1, 1, 2}),
              "row 0 of the output of network 'digit' for 'i0' is not a distribution: entry 1 is "
              "negative (-0.0004)");
    EXPECT_THAT(flaw_of({std::nan(""), 1}, {1, 1, 2}), HasSubstr("entry 0 is nan"));
    EXPECT_THAT(flaw_of({HUGE_VAL, 0}, {1, 1, 2}), HasSubstr("entry 0 is inf"));
    EXPECT_THAT(flaw_of({0.4, 0.598}, {1, 1, 2}), HasSubstr("it sums to 0.998"));
}

TEST(Batches, BytesAreScaledAndNormalised) {
    const data::Array images({3, 1, 2}, std::vector<std::uint8_t>{0, 255, 51, 102, 1, 2}, "images");
    const std::vector<std::size_t> chosen = {1, 0, 1};
    const auto batch = batch_of(images, chosen);
    EXPECT_EQ(batch.dtype(), torch::kFloat);
    EXPECT_TRUE(torch::equal(batch, rows({0.2, 0.4, 0, 1, 0.2, 0.4}, {3, 1, 2}).to(torch::kFloat)));
    const auto normalised = batch_of(images, chosen, {0.2, 0.5});
    EXPECT_TRUE(torch::allclose(normalised,
                                rows({0, 0.4, -0.4, 1.6, 0, 0.4}, {3, 1, 2}).to(torch::kFloat)));
}

TEST(Batches, OtherNumbersAreOnlyNormalised) {
    const data::Array array({2, 2}, std::vector<double>{1, 2, 300, -4}, "numbers");
    const std::vector<std::size_t> both = {0, 1};
    EXPECT_TRUE(torch::equal(batch_of(array, both),
                             torch::tensor({1.F, 2.F, 300.F, -4.F}).reshape({2, 2})));
    EXPECT_TRUE(torch::equal(batch_of(array, both, {1, 2}),
                             torch::tensor({0.F, 0.5F, 149.5F, -2.5F}).reshape({2, 2})));
}

TEST(Batches, NoRowsAreAnEmptyBatch) {
    const data::Array array({2, 3}, std::vector<float>(6), "numbers");
    EXPECT_EQ(batch_of(array, {}).sizes(), (torch::IntArrayRef{0, 3}));
}

TEST(Batches, AMissingRowIsAnError) {
    const data::Array array({2, 2}, std::vector<std::uint8_t>(4), "images.idx");
    const std::vector<std::size_t> beyond = {0, 2};
    EXPECT_THAT(errors_of([&] { batch_of(array, beyond); })[0].message, HasSubstr("2"));
    const std::vector<std::size_t> fine = {0};
    EXPECT_THROW(batch_of(array, fine, {0, 0}), ContractError);
}

TEST(Batches, TensorsBecomeNumbers) {
    const auto tensor = torch::tensor({1.5F, 2.F, 3.F, 4.F}).reshape({2, 2}).requires_grad_();
    EXPECT_THAT(values_of(tensor.transpose(0, 1)), ElementsAre(1.5, 3, 2, 4));
}

} // namespace
} // namespace neurasp::neural
