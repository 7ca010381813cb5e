// The loss on labels, compared with torch's cross-entropy of scores.
#include "learning/supervised_loss.hpp"

#include <gtest/gtest.h>
#include <torch/nn/functional/loss.h>
#include <torch/utils.h>

#include <cmath>

namespace neurasp::learning {
namespace {

// Rounding of floats in a sum of a dozen logarithms.
constexpr double tolerance = 1e-5;

Batch labelled(std::vector<std::int64_t> outcomes) {
    Batch batch;
    BatchLabels labels;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        labels.rows.push_back(static_cast<std::int64_t>(i));
        labels.owners.push_back(static_cast<std::uint32_t>(i));
    }
    labels.outcomes = std::move(outcomes);
    batch.labels.push_back(std::move(labels));
    return batch;
}

// Loss and gradient by the scores, ours and torch's.
void expect_torchs(double smoothing, const torch::Tensor &weights) {
    const Batch batch = labelled({0, 2, 1, 2});
    const torch::Tensor numbers = torch::tensor(
        {{0.5F, -1.0F, 2.0F}, {1.5F, 0.0F, 0.25F}, {-2.0F, 1.0F, 0.0F}, {0.0F, 0.0F, 3.0F}});
    const torch::Tensor ours = numbers.clone().set_requires_grad(true);
    const torch::Tensor theirs = numbers.clone().set_requires_grad(true);
    const SupervisedLoss loss(smoothing, {weights});
    const torch::Tensor mine =
        loss.sum(batch, {ours.softmax(1).view({4, 1, 3})}) / loss.weight(batch);
    const torch::Tensor known = torch::nn::functional::cross_entropy(
        theirs, torch::tensor(batch.labels[0].outcomes),
        torch::nn::functional::CrossEntropyFuncOptions().weight(weights).label_smoothing(
            smoothing));
    EXPECT_NEAR(mine.item<double>(), known.item<double>(), tolerance) << smoothing;
    mine.backward();
    known.backward();
    EXPECT_TRUE(torch::allclose(ours.grad(), theirs.grad(), tolerance, tolerance)) << smoothing;
}

TEST(SupervisedLoss, IsTorchsCrossEntropy) {
    expect_torchs(0.0, {});
    expect_torchs(0.1, {});
    expect_torchs(0.0, torch::tensor({1.0F, 4.0F, 0.5F}));
    expect_torchs(0.3, torch::tensor({1.0F, 4.0F, 0.5F}));
}

TEST(SupervisedLoss, ByHandForOneEvent) {
    const torch::Tensor outputs = torch::tensor({{{0.5F, 0.25F, 0.25F}}});
    const Batch batch = labelled({0});
    EXPECT_EQ(SupervisedLoss().weight(batch), 1.0);
    EXPECT_NEAR(SupervisedLoss().sum(batch, {outputs}).item<double>(), std::log(2.0), tolerance);
    // 0.7 ln 2 + 0.1 (ln 2 + ln 4 + ln 4)
    EXPECT_NEAR(SupervisedLoss(0.3).sum(batch, {outputs}).item<double>(), 1.2 * std::log(2.0),
                tolerance);
    const SupervisedLoss weighted(0.0, {torch::tensor({3.0F, 1.0F, 1.0F})});
    EXPECT_EQ(weighted.weight(batch), 3.0);
    EXPECT_NEAR(weighted.sum(batch, {outputs}).item<double>(), 3 * std::log(2.0), tolerance);
}

TEST(SupervisedLoss, IsFiniteWhereALabelHasNoProbability) {
    const Batch batch = labelled({1});
    const torch::Tensor outputs = torch::tensor({{{1.0F, 0.0F}}}).set_requires_grad(true);
    const torch::Tensor loss = SupervisedLoss().sum(batch, {outputs});
    EXPECT_NEAR(loss.item<float>(), -std::log(1.2e-38), 1e-2);
    loss.backward();
    EXPECT_TRUE(torch::isfinite(outputs.grad()).all().item<bool>());
}

TEST(SupervisedLoss, IsUndefinedWithoutLabels) {
    Batch batch;
    batch.labels.resize(1);
    EXPECT_EQ(SupervisedLoss().weight(batch), 0.0);
    EXPECT_FALSE(SupervisedLoss().sum(batch, {torch::Tensor()}).defined());
}

} // namespace
} // namespace neurasp::learning
