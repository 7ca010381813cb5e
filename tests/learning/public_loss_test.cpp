// neurasp::SemanticLoss, as users call it.
#include "neurasp/semantic_loss.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace neurasp {
namespace {

constexpr auto addition = R"(img(i1). img(i2).
nn(digit(1,X),[0,1,2]) :- img(X).
sum(S) :- digit(0,i1,A), digit(0,i2,B), S = A + B.)";

TEST(PublicSemanticLoss, EvaluatesABatchOfOutputsByCall) {
    SemanticLoss loss(Program::from_text(addition));
    const torch::Tensor first =
        torch::tensor({{0.2F, 0.3F, 0.5F}, {1.0F, 0.0F, 0.0F}}).set_requires_grad(true);
    const torch::Tensor second = torch::tensor({{0.6F, 0.3F, 0.1F}, {0.5F, 0.25F, 0.25F}});
    const torch::Tensor log = loss.log_probability({{"digit(i1)", first}, {"digit( i2 )", second}},
                                                   {":- not sum(2).", ":- not sum(1)."});
    EXPECT_NEAR(log[0].item<double>(), std::log(0.41), 1e-6);
    EXPECT_NEAR(log[1].item<double>(), std::log(0.25), 1e-6);
    log.sum().backward();
    EXPECT_NEAR(first.grad()[0][2].item<float>(), 0.6 / 0.41, 1e-5);
    EXPECT_NEAR(first.grad()[1][0].item<float>(), 1.0, 1e-5);
}

TEST(PublicSemanticLoss, GivesTheDerivativeItselfForOneColumnInBothConventions) {
    // Specification 4: for a two-outcome network with one output column Proposition 1 is the derivative itself
    for (const auto convention : {GradientConvention::plain, GradientConvention::proposition1}) {
        SemanticLossOptions options;
        options.convention = convention;
        SemanticLoss loss(Program::from_text("nn(d(1,x),[t,f]). ok :- d(0,x,f)."), options);
        const torch::Tensor p = torch::tensor({{0.9F}}).set_requires_grad(true);
        loss.log_probability({{"d(x)", p}}, {":- not ok."}).sum().backward();
        EXPECT_NEAR(p.grad().item<float>(), -1 / (1 - 0.9), 1e-3); // d log(1 - p) / dp
    }
}

TEST(PublicSemanticLoss, AveragesOverPossibleExamples) {
    SemanticLoss loss(Program::from_text(addition));
    const torch::Tensor rows = torch::full({2, 3}, 1.0F / 3);
    const torch::Tensor value =
        loss({{"digit(i1)", rows}, {"digit(i2)", rows}}, {":- not sum(9).", ":- not sum(0)."});
    EXPECT_NEAR(value.item<double>(), std::log(9.0), 1e-6);
    EXPECT_FALSE(
        loss({{"digit(i1)", rows}, {"digit(i2)", rows}}, {":- not sum(9).", ":- not sum(9)."})
            .defined());
}

TEST(PublicSemanticLoss, RefusesWhatIsMissingOrNoDistribution) {
    SemanticLoss loss(Program::from_text(addition));
    const torch::Tensor rows = torch::full({1, 3}, 1.0F / 3);
    EXPECT_THROW(loss.log_probability({{"digit(i1)", rows}}, {":- not sum(1)."}), InputError);
    EXPECT_THROW(
        loss.log_probability({{"digit(i1)", rows}, {"digit(i2)", rows * 2}}, {":- not sum(1)."}),
        InputError);
    EXPECT_THROW(
        loss.log_probability({{"digit(i1)", rows}, {"digit(i2)", torch::full({2, 3}, 1.0F / 3)}},
                             {":- not sum(1)."}),
        ContractError);
    EXPECT_THROW(loss.log_probability({{"digit(i1)", rows}, {"digit(i2)", rows}}, {":- not sum(."}),
                 InputError);
}

TEST(PublicSemanticLoss, FillsTheHolesOfObservations) {
    SemanticLoss loss(Program::from_text(addition));
    const torch::Tensor rows = torch::full({2, 3}, 1.0F / 3);
    const std::vector<Observation> observations{{":- not sum({}).", {"0"}},
                                                {":- not sum({}).", {"2"}}};
    const torch::Tensor log =
        loss.log_probability({{"digit(i1)", rows}, {"digit(i2)", rows}}, observations);
    EXPECT_NEAR(log[0].item<double>(), std::log(1.0 / 9), 1e-6);
    EXPECT_NEAR(log[1].item<double>(), std::log(3.0 / 9), 1e-6);
}

TEST(PublicSemanticLoss, KeepsTheDigitsOfDoubles) {
    SemanticLoss loss(Program::from_text(addition));
    const auto row = torch::tensor({{0.2, 0.3, 0.5}}, torch::kDouble).set_requires_grad(true);
    const auto other = torch::tensor({{0.6, 0.3, 0.1}}, torch::kDouble);
    // one of the two comes as float, and gets its gradient as float
    const auto single = other.to(torch::kFloat).set_requires_grad(true);
    const torch::Tensor log =
        loss.log_probability({{"digit(i1)", row}, {"digit(i2)", other}}, {":- not sum(2)."});
    EXPECT_NEAR(log.item<double>(), std::log(0.41), 1e-15);
    log.sum().backward();
    EXPECT_EQ(row.grad().scalar_type(), torch::kDouble);
    EXPECT_NEAR(row.grad()[0][2].item<double>(), 0.6 / 0.41, 1e-14);
    loss.log_probability({{"digit(i1)", row}, {"digit(i2)", single}}, {":- not sum(2)."})
        .sum()
        .backward();
    EXPECT_EQ(single.grad().scalar_type(), torch::kFloat);
    EXPECT_NEAR(single.grad()[0][0].item<float>(), 0.5 / 0.41, 1e-6);
}

TEST(PublicSemanticLoss, DifferentiatesThroughRuleProbabilities) {
    SemanticLoss loss(Program::from_text("@0.2 : a. @0.6 : b. ok :- a, b."));
    EXPECT_TRUE(torch::equal(loss.rule_probabilities(),
                             torch::tensor({0.2, 0.8, 0.6, 0.4}, torch::kDouble)));
    const auto scores = torch::zeros({2, 2}, torch::kDouble).set_requires_grad(true);
    const torch::Tensor log = loss.log_probability({}, {":- not ok.", ":- ok."}, scores.softmax(1));
    EXPECT_NEAR(log[0].item<double>(), std::log(0.25), 1e-12);
    EXPECT_NEAR(log[1].item<double>(), std::log(0.75), 1e-12);
    log[1].backward();
    // P = 1 - p(a) p(b); d log P / d score(a) = -0.5 * 0.25 / 0.75
    EXPECT_NEAR(scores.grad()[0][0].item<double>(), -0.125 / 0.75, 1e-12);
}

TEST(PublicSemanticLoss, DrawsOtherSamplesAtEveryCallAndTheSameForTheSameSeed) {
    SemanticLossOptions options;
    options.method = GradientMethod::sampling;
    options.samples = 50;
    options.threads = 2;
    SemanticLoss loss(Program::from_text(addition), options);
    const auto gradient = [&] {
        const torch::Tensor row = torch::tensor({{0.2F, 0.3F, 0.5F}}).set_requires_grad(true);
        loss.log_probability({{"digit(i1)", row}, {"digit(i2)", row}}, {":- not sum(2)."})
            .sum()
            .backward();
        return row.grad().clone();
    };
    loss.set_seed(3);
    const torch::Tensor first = gradient();
    EXPECT_FALSE(torch::equal(first, gradient()));
    loss.set_seed(3);
    EXPECT_TRUE(torch::equal(first, gradient()));
}

TEST(PublicSemanticLoss, SaysWhenALimitEndsItsPreparation) {
    SemanticLoss loss(Program::from_text(addition));
    const torch::Tensor rows = torch::full({1, 3}, 1.0F / 3);
    StopSource stop;
    stop.raise();
    Limits limits;
    limits.stop = stop.token();
    EXPECT_THROW(loss.log_probability({{"digit(i1)", rows}, {"digit(i2)", rows}},
                                      {":- not sum(2)."}, {}, limits),
                 LimitError);
}

} // namespace
} // namespace neurasp
