// The semantic loss through networks: autograd against finite differences, and the two conventions.
#include "learning/semantic_loss.hpp"

#include <gtest/gtest.h>

namespace neurasp::learning {
namespace {

constexpr auto addition = R"(img(i1). img(i2).
nn(digit(1,X),[0,1,2]) :- img(X).
sum(S) :- digit(0,i1,A), digit(0,i2,B), S = A + B.)";

// log P of two sums as a function of scores: four rows of three.
torch::Tensor two_sums(TrainingProgram &step, const torch::Tensor &probabilities) {
    static const std::vector<std::uint32_t> rows{0, 1, 2, 3};
    const std::vector<BatchExample> examples{
        {step.prepare(Observation{":- not sum(2)."}), std::span(rows).first(2)},
        {step.prepare(Observation{":- not sum(1)."}), std::span(rows).last(2)}};
    return log_probability(step, {probabilities.view({4, 1, 3})}, torch::zeros({0}, torch::kDouble),
                           examples);
}

torch::Tensor scores() {
    return torch::tensor(
        {{0.3F, -0.2F, 0.9F}, {0.1F, 0.7F, -0.4F}, {1.1F, 0.2F, 0.0F}, {-0.5F, 0.4F, 0.6F}});
}

TEST(SemanticLoss, AgreesWithFiniteDifferencesThroughASoftmax) {
    TrainingProgram step(Program::from_text(addition), {});
    const torch::Tensor x = scores().set_requires_grad(true);
    // different weights for the two examples, which backward must respect
    const auto weights = torch::tensor({1.0, -0.5}, torch::kDouble);
    (two_sums(step, x.softmax(1)) * weights).sum().backward();
    const torch::NoGradGuard guard;
    for (std::int64_t i = 0; i < 12; ++i) {
        constexpr float delta = 1e-2F;
        torch::Tensor moved = scores();
        moved.view(-1)[i] += delta;
        const double up = (two_sums(step, moved.softmax(1)) * weights).sum().item<double>();
        moved.view(-1)[i] -= 2 * delta;
        const double down = (two_sums(step, moved.softmax(1)) * weights).sum().item<double>();
        EXPECT_NEAR(x.grad().view(-1)[i].item<float>(), (up - down) / (2 * delta), 1e-3) << i;
    }
}

TEST(SemanticLoss, PropositionOneIsTwiceThePlainGradientThroughASoftmax) {
    TrainingOptions options;
    options.convention = GradientConvention::proposition1;
    TrainingProgram plain(Program::from_text(addition), {});
    TrainingProgram paper(Program::from_text(addition), options);
    const torch::Tensor x = scores().set_requires_grad(true);
    const torch::Tensor y = scores().set_requires_grad(true);
    two_sums(plain, x.softmax(1)).sum().backward();
    two_sums(paper, y.softmax(1)).sum().backward();
    EXPECT_TRUE(torch::allclose(2 * x.grad(), y.grad(), 1e-4, 1e-5));
}

TEST(SemanticLoss, GivesGradientsOfRuleProbabilities) {
    TrainingProgram step(Program::from_text("@0.2 : a. @0.6 : b. ok :- a, b."), {});
    const std::vector<BatchExample> examples{{step.prepare(Observation{":- not ok."}), {}},
                                             {step.prepare(Observation{":- ok."}), {}}};
    const torch::Tensor numbers =
        torch::tensor({0.2, 0.8, 0.6, 0.4}, torch::kDouble).set_requires_grad(true);
    const torch::Tensor log = log_probability(step, {}, numbers, examples);
    EXPECT_NEAR(log[0].item<double>(), std::log(0.12), 1e-12);
    EXPECT_NEAR(log[1].item<double>(), std::log(0.88), 1e-12);
    log[0].backward();
    EXPECT_NEAR(numbers.grad()[0].item<double>(), 5.0, 1e-10);
    EXPECT_NEAR(numbers.grad()[2].item<double>(), 1 / 0.6, 1e-10);
}

TEST(SemanticLoss, KeepsNaNOutOfGradientsOfSaturatedOutputs) {
    // P(i1 = 0) is about 1e-44 and P(i1 = 1) is 1, so their derivatives differ by 44 orders of magnitude
    TrainingProgram step(Program::from_text(addition), {});
    const torch::Tensor x =
        torch::tensor({{0.0F, 100.0F, 0.0F}, {100.0F, 0.0F, 0.0F}}).set_requires_grad(true);
    const std::vector<std::uint32_t> rows{0, 1};
    const std::vector<BatchExample> examples{{step.prepare(Observation{":- not sum(0)."}), rows}};
    log_probability(step, {x.softmax(1).view({2, 1, 3})}, torch::zeros({0}, torch::kDouble),
                    examples)
        .sum()
        .backward();
    EXPECT_TRUE(torch::isfinite(x.grad()).all().item<bool>()) << x.grad();
}

TEST(SemanticLoss, KeepsNaNOutOfGradientsWhereAnObservationIsImpossible) {
    TrainingProgram step(Program::from_text(addition), {});
    const std::vector<std::uint32_t> rows{0, 1, 2, 3};
    const std::vector<BatchExample> examples{
        {step.prepare(Observation{":- not sum(9)."}), {}},
        {step.prepare(Observation{":- not sum(1)."}), std::span(rows).last(2)}};
    const torch::Tensor x = scores().set_requires_grad(true);
    const torch::Tensor log = log_probability(step, {x.softmax(1).view({4, 1, 3})},
                                              torch::zeros({0}, torch::kDouble), examples);
    EXPECT_TRUE(std::isinf(log[0].item<double>()));
    log.sum().backward();
    EXPECT_TRUE(torch::isfinite(x.grad()).all().item<bool>());
    EXPECT_GT(x.grad().abs().sum().item<double>(), 0.0);
}

TEST(MeanOfLogs, IsTheMeanOverPossibleExamplesWithTheSameGradient) {
    TrainingProgram step(Program::from_text(addition), {});
    const std::vector<std::uint32_t> rows{0, 1, 2, 3};
    const std::vector<BatchExample> examples{
        {step.prepare(Observation{":- not sum(9)."}), {}},
        {step.prepare(Observation{":- not sum(2)."}), std::span(rows).first(2)},
        {step.prepare(Observation{":- not sum(1)."}), std::span(rows).last(2)}};
    const torch::Tensor none = torch::zeros({0}, torch::kDouble);
    const torch::Tensor x = scores().set_requires_grad(true);
    const torch::Tensor y = scores().set_requires_grad(true);
    const torch::Tensor logs =
        log_probability(step, {x.softmax(1).view({4, 1, 3})}, none, examples);
    const torch::Tensor expected = logs.slice(0, 1, 3).sum() / 2.0;
    const MeanLogProbability found =
        mean_log_probability(step, {y.softmax(1).view({4, 1, 3})}, none, examples);
    EXPECT_EQ(found.possible, 2U);
    ASSERT_EQ(found.values.size(), 3U);
    EXPECT_TRUE(std::isinf(found.values[0]));
    EXPECT_DOUBLE_EQ(found.values[2], logs[2].item<double>());
    EXPECT_DOUBLE_EQ(found.mean.item<double>(), expected.item<double>());
    (expected * -0.75).backward();
    (found.mean * -0.75).backward();
    EXPECT_TRUE(torch::equal(x.grad(), y.grad())) << x.grad() << y.grad();
}

TEST(MeanOfLogs, GivesGradientsOfRuleProbabilities) {
    TrainingProgram step(Program::from_text("@0.2 : a. @0.6 : b. ok :- a, b."), {});
    const std::vector<BatchExample> examples{{step.prepare(Observation{":- not ok."}), {}},
                                             {step.prepare(Observation{":- ok."}), {}}};
    const torch::Tensor numbers =
        torch::tensor({0.2, 0.8, 0.6, 0.4}, torch::kDouble).set_requires_grad(true);
    const MeanLogProbability log = mean_log_probability(step, {}, numbers, examples);
    EXPECT_NEAR(log.mean.item<double>(), (std::log(0.12) + std::log(0.88)) / 2, 1e-12);
    log.mean.backward();
    // P(ok) = 0.12, and P(not ok) = 0.8 + 0.2 * 0.4 does not fall with P(not a) = 0.8
    EXPECT_NEAR(numbers.grad()[0].item<double>(), (5.0 + 0.4 / 0.88) / 2, 1e-10);
}

TEST(MeanOfLogs, HasNoMeanIfNoExampleIsPossible) {
    TrainingProgram step(Program::from_text(addition), {});
    const std::vector<BatchExample> examples{{step.prepare(Observation{":- not sum(9)."}), {}}};
    const auto log = mean_log_probability(step, {}, torch::zeros({0}, torch::kDouble), examples);
    EXPECT_EQ(log.possible, 0U);
    EXPECT_FALSE(log.mean.defined());
}

} // namespace
} // namespace neurasp::learning
