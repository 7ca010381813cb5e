// Networks: reproducible weights, gradients, state.
#include "neural/random.hpp"
#include "neural/testing.hpp"

#include <gmock/gmock.h>

namespace neurasp::neural {
namespace {

using testing::HasSubstr;
using torch::Tensor;

std::unique_ptr<Network> small_network() {
    return network_of({layer("conv", {{"out", 3}, {"kernel", 3}}), layer("batch-norm"),
                       layer("tanh"), layer("flatten"), layer("linear", {{"out", 2}}),
                       layer("softmax")},
                      {1, 5, 5});
}

bool same(const NamedTensors &a, const NamedTensors &b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].first != b[i].first || !torch::equal(a[i].second, b[i].second)) return false;
    }
    return true;
}

// Some steps of gradient descent on a fixed batch.
double train_a_little(Network &network, const Shape &input) {
    Shape batch = input;
    batch.insert(batch.begin(), 6);
    const Tensor inputs = counting(batch).sub(0.5);
    double loss_value = 0.0;
    for (int step = 0; step < 5; ++step) {
        const Tensor loss = -network.forward(inputs).select(-1, 0).log().sum();
        loss.backward();
        loss_value = loss.item<double>();
        const torch::NoGradGuard no_grad;
        for (Tensor &parameter : network.parameters()) {
            parameter.sub_(parameter.grad(), 0.05);
            parameter.mutable_grad() = Tensor();
        }
    }
    return loss_value;
}

TEST(Network, TheSameSeedGivesTheSameBits) {
    const auto trained = [](std::uint64_t seed) {
        seed_everything(seed);
        const auto network =
            network_of({layer("conv", {{"out", 4}, {"kernel", 3}}), layer("batch-norm"),
                        layer("relu"), layer("dropout"), layer("max-pool", {{"size", 2}}),
                        layer("flatten"), layer("linear", {{"out", 3}}), layer("softmax")},
                       {1, 8, 8});
        train_a_little(*network, {1, 8, 8});
        return network->state();
    };
    EXPECT_TRUE(same(trained(11), trained(11)));
    EXPECT_FALSE(same(trained(11), trained(12)));
}

// In double precision, so that the only error is that of the difference quotient, O(step^2).
TEST(Network, GradientsAreThoseOfFiniteDifferences) {
    constexpr double step = 1e-5, tolerance = 1e-7;
    seed_everything(1);
    const auto network =
        network_of({layer("conv", {{"out", 3}, {"kernel", 3}, {"stride", 2}, {"padding", 1}}),
                    layer("tanh"), layer("max-pool", {{"size", 2}, {"stride", 1}}), layer("cells"),
                    layer("linear", {{"out", 4}}), layer("sigmoid"), layer("flatten"),
                    layer("reshape", {{"rows", 4}, {"columns", 4}}), layer("softmax")},
                   {2, 6, 6});
    auto parameters = network->parameters();
    for (Tensor &parameter : parameters) parameter.set_data(parameter.to(torch::kDouble));
    const Tensor inputs = torch::rand({3, 2, 6, 6}, torch::kDouble);
    const Tensor weights = torch::rand({3, 4, 4}, torch::kDouble);
    const auto loss = [&] { return (network->forward(inputs) * weights).sum(); };
    loss().backward();
    for (Tensor &parameter : parameters) {
        const torch::NoGradGuard no_grad;
        Tensor numbers = parameter.view(-1);
        for (std::int64_t i = 0; i < numbers.size(0); ++i) {
            const double value = numbers[i].item<double>();
            const auto loss_at = [&](double x) {
                numbers[i] = x;
                return loss().item<double>();
            };
            const double slope = (loss_at(value + step) - loss_at(value - step)) / (2 * step);
            numbers[i] = value;
            EXPECT_NEAR(parameter.grad().view(-1)[i].item<double>(), slope, tolerance);
        }
    }
}

TEST(Network, TrainingLowersTheLoss) {
    seed_everything(2);
    const auto network = small_network();
    const double first = train_a_little(*network, {1, 5, 5});
    EXPECT_LT(train_a_little(*network, {1, 5, 5}), first);
}

TEST(Network, StateHoldsWeightsAndStatisticsInOrder) {
    const auto network = small_network();
    std::vector<std::string> names;
    for (const auto &[name, tensor] : network->state()) names.push_back(name);
    EXPECT_EQ(names,
              (std::vector<std::string>{"conv1.weight", "conv1.bias", "batch_norm1.weight",
                                        "batch_norm1.bias", "linear1.weight", "linear1.bias",
                                        "batch_norm1.running_mean", "batch_norm1.running_var"}));
}

TEST(Network, StateIsACopyAndCanBePutBack) {
    const auto network = small_network();
    const auto before = network->state();
    const auto parameters = network->parameters();
    train_a_little(*network, {1, 5, 5});
    const auto after = network->state();
    EXPECT_FALSE(same(before, after));
    EXPECT_FALSE(torch::equal(before[6].second, after[6].second)) << "the statistics of batch-norm";
    network->set_state(before);
    EXPECT_TRUE(same(network->state(), before));
    EXPECT_TRUE(parameters[0].is_same(network->parameters()[0])) << "an optimizer keeps these";
    EXPECT_TRUE(parameters[0].requires_grad());
}

TEST(Network, AStateThatDoesNotFitChangesNothing) {
    const auto network = small_network();
    const auto before = network->state();
    auto state = network->state();
    state[0].second = torch::zeros({3, 1, 2, 2});
    state[1].first = "conv1.bais";
    state[3].second[0] = std::nan("");
    const auto errors = errors_of([&] { network->set_state(state, "'old.pt'"); });
    ASSERT_EQ(errors.size(), 4u);
    for (const auto &error : errors) EXPECT_EQ(error.code, "network-weights");
    EXPECT_EQ(errors[0].message, "'conv1.weight' of network 'm' has the shape 3 x 1 x 3 x 3, but "
                                 "in 'old.pt' it has 3 x 1 x 2 x 2");
    EXPECT_THAT(errors[1].message, HasSubstr("not finite"));
    EXPECT_EQ(errors[2].message, "network 'm' has no 'conv1.bais', which is in 'old.pt'");
    EXPECT_EQ(errors[2].hint, "did you mean 'conv1.bias'?");
    EXPECT_EQ(errors[3].message, "'conv1.bias' of network 'm' is not in 'old.pt'");
    EXPECT_TRUE(same(network->state(), before));
    state = before;
    state.push_back(state[0]);
    EXPECT_EQ(errors_of([&] { network->set_state(state); })[0].message,
              "these weights name a tensor twice");
}

TEST(Network, EvaluationIsRepeatableAndLeavesNoTrace) {
    const auto network = small_network();
    network->train(false);
    const auto before = network->state();
    const auto batch = torch::rand({4, 1, 5, 5});
    EXPECT_TRUE(torch::equal(network->forward(batch), network->forward(batch)));
    EXPECT_TRUE(same(network->state(), before));
}

TEST(Network, AskingForTheOutputShapeLeavesNoTrace) {
    const auto network = small_network();
    const auto before = network->state();
    EXPECT_EQ(output_shape(*network, {1, 5, 5}), (Shape{2}));
    EXPECT_TRUE(network->is_training());
    EXPECT_TRUE(same(network->state(), before));
    EXPECT_THROW(output_shape(*network, {1, 6, 6}), InputError);
    EXPECT_TRUE(network->is_training());
}

TEST(Network, ABatchOfAnotherShapeIsReported) {
    const auto network = small_network();
    const auto error = errors_of([&] { network->forward(torch::zeros({2, 3, 5, 5})); })[0];
    EXPECT_EQ(error.code, "network-input");
    EXPECT_EQ(error.message,
              "network 'm' cannot take a batch of shape 2 x 3 x 5 x 5: it was made for inputs of "
              "shape 1 x 5 x 5");
    EXPECT_THROW(network->forward(torch::tensor(1.F)), ContractError);
    EXPECT_THROW(network->forward(Tensor()), ContractError);
}

TEST(Network, DescriptionsListLayersShapesAndParameters) {
    EXPECT_EQ(small_network()->description(),
              "m: 1 x 5 x 5 -> 2, 92 parameters\n"
              "  conv out=3 kernel=3                            3 x 3 x 3                  30\n"
              "  batch-norm                                     3 x 3 x 3                   6\n"
              "  tanh                                           3 x 3 x 3\n"
              "  flatten                                        27\n"
              "  linear out=2                                   2                          56\n"
              "  softmax                                        2\n");
}

TEST(Network, ExactlyOneSourceIsAllowed) {
    data::NetworkSpec spec;
    spec.name = "digit";
    spec.location = {"experiment.toml", 3, 1, 3, 5};
    const auto none = errors_of([&] { make_network(spec, {4}); })[0];
    EXPECT_EQ(none.code, "network-source");
    EXPECT_THAT(none.message, HasSubstr("none"));
    EXPECT_EQ(none.location, spec.location);
    spec.preset = "digit-cnn";
    spec.script = "digit.pt";
    EXPECT_THAT(errors_of([&] { make_network(spec, {4}); })[0].message, HasSubstr("several"));
}

} // namespace
} // namespace neurasp::neural
