// Layers and presets: shapes, values computed by hand, and mistakes.
#include "data/layer_kinds.hpp"
#include "data/presets.hpp"
#include "neural/random.hpp"
#include "neural/testing.hpp"

#include <gmock/gmock.h>

namespace neurasp::neural {
namespace {

using data::NumberKind;
using data::Numbers;
using data::preset_layers;
using data::presets;
using testing::HasSubstr;

Shape shape_after(const std::string &kind, std::map<std::string, double> numbers,
                  const Shape &input) {
    const auto network = network_of({layer(kind, std::move(numbers))}, input);
    return output_shape(*network, input);
}

torch::Tensor evaluate(const std::string &kind, std::map<std::string, double> numbers,
                       const torch::Tensor &batch) {
    const auto network = network_of({layer(kind, std::move(numbers))},
                                    {batch.sizes().begin() + 1, batch.sizes().end()});
    network->train(false);
    return network->forward(batch);
}

bool equal(const torch::Tensor &a, const std::vector<float> &b, const Shape &shape) {
    return torch::equal(a, torch::tensor(b).reshape(shape));
}

TEST(Layers, HaveTheShapesOfTheirFormulas) {
    EXPECT_EQ(shape_after("conv", {{"out", 6}, {"kernel", 5}}, {1, 28, 28}), (Shape{6, 24, 24}));
    // floor((28 + 2*1 - 4) / 2) + 1
    EXPECT_EQ(shape_after("conv", {{"out", 2}, {"kernel", 4}, {"stride", 2}, {"padding", 1}},
                          {3, 28, 29}),
              (Shape{2, 14, 14}));
    EXPECT_EQ(shape_after("max-pool", {{"size", 2}}, {6, 24, 25}), (Shape{6, 12, 12}));
    EXPECT_EQ(shape_after("avg-pool", {{"size", 3}, {"stride", 1}}, {6, 24, 24}),
              (Shape{6, 22, 22}));
    EXPECT_EQ(shape_after("grid-pool", {{"rows", 9}, {"columns", 8}}, {6, 30, 30}),
              (Shape{6, 9, 8}));
    EXPECT_EQ(shape_after("global-avg-pool", {}, {6, 30, 30}), (Shape{6}));
    EXPECT_EQ(shape_after("linear", {{"out", 3}}, {40}), (Shape{3}));
    EXPECT_EQ(shape_after("linear", {{"out", 3}}, {81, 40}), (Shape{81, 3}));
    EXPECT_EQ(shape_after("flatten", {}, {16, 4, 4}), (Shape{256}));
    EXPECT_EQ(shape_after("reshape", {{"rows", 81}, {"columns", 9}}, {729}), (Shape{81, 9}));
    EXPECT_EQ(shape_after("cells", {}, {10, 9, 8}), (Shape{72, 10}));
    for (const auto *kind : {"relu", "tanh", "sigmoid", "batch-norm", "dropout"}) {
        EXPECT_EQ(shape_after(kind, {}, {3, 4, 5}), (Shape{3, 4, 5})) << kind;
    }
    EXPECT_EQ(shape_after("softmax", {}, {4, 5}), (Shape{4, 5}));
}

TEST(Layers, ComputeWhatTheirNamesSay) {
    const auto image =
        torch::tensor({1.F, 2.F, 3.F, 4.F, 5.F, 6.F, 7.F, 8.F}).reshape({1, 2, 2, 2});
    EXPECT_TRUE(equal(evaluate("max-pool", {{"size", 2}}, image), {4, 8}, {1, 2, 1, 1}));
    EXPECT_TRUE(equal(evaluate("avg-pool", {{"size", 2}}, image), {2.5, 6.5}, {1, 2, 1, 1}));
    EXPECT_TRUE(equal(evaluate("grid-pool", {{"rows", 1}, {"columns", 2}}, image), {3, 4, 7, 8},
                      {1, 2, 1, 2}));
    EXPECT_TRUE(equal(evaluate("global-avg-pool", {}, image), {2.5, 6.5}, {1, 2}));
    EXPECT_TRUE(equal(evaluate("cells", {}, image), {1, 5, 2, 6, 3, 7, 4, 8}, {1, 4, 2}));
    EXPECT_TRUE(equal(evaluate("relu", {}, image - 4), {0, 0, 0, 0, 1, 2, 3, 4}, {1, 2, 2, 2}));
    EXPECT_TRUE(
        equal(evaluate("dropout", {{"p", 0.9}}, image), {1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 2, 2}));
    // numbers that are not a class become 0 in every channel
    EXPECT_TRUE(equal(evaluate("one-hot", {{"classes", 3}},
                               torch::tensor({0.F, 2.F, 1.F, 5.F}).reshape({1, 1, 2, 2})),
                      {1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0}, {1, 3, 2, 2}));
    const auto row = torch::tensor({0.F, std::log(3.F)}).reshape({1, 2});
    EXPECT_TRUE(torch::allclose(evaluate("softmax", {}, row), torch::tensor({0.25F, 0.75F})));
    EXPECT_TRUE(torch::allclose(evaluate("sigmoid", {}, row), torch::tensor({0.5F, 0.75F})));
    EXPECT_TRUE(
        torch::allclose(evaluate("tanh", {}, row), torch::tensor({0.F, 0.8F}))); // (9-1)/(9+1)
}

TEST(Layers, EveryKindOfTheTableCanBeBuilt) {
    for (const data::LayerKind &kind : data::layer_kinds()) {
        std::map<std::string, double> numbers;
        for (const NumberKind &number : kind.numbers) {
            if (number.required()) numbers[number.name] = 4;
        }
        const bool takes_rows = kind.name == "linear" || kind.name == "softmax";
        const Shape input = takes_rows               ? Shape{4, 4}
                            : kind.name == "reshape" ? Shape{16}
                            : kind.name == "one-hot" ? Shape{1, 8, 8}
                                                     : Shape{2, 8, 8};
        EXPECT_NO_THROW(network_of({layer(kind.name, numbers)}, input)) << kind.name;
        EXPECT_FALSE(kind.meaning.empty());
        for (const NumberKind &number : kind.numbers) EXPECT_FALSE(number.meaning.empty());
    }
}

TEST(Layers, DropoutScalesWhatItKeepsInTraining) {
    seed_everything(3);
    const auto network = network_of({layer("dropout", {{"p", 0.25}})}, {1000});
    const auto output = network->forward(torch::ones({1, 1000}));
    const auto zeros = (output == 0).sum().item<int>();
    EXPECT_GT(zeros, 150); // 250 expected; the bounds are 7 deviations away
    EXPECT_LT(zeros, 350);
    EXPECT_TRUE(torch::allclose(output.max(), torch::tensor(4.F / 3.F)));
}

TEST(Layers, AnUnknownKindIsReportedWithASuggestion) {
    const auto errors = errors_of([] {
        network_of({layer("flatten"), layer("linaer", {{"out", 3}}, 7)}, {4});
    });
    EXPECT_EQ(errors[0].code, "unknown-layer-kind");
    EXPECT_EQ(errors[0].location.file, "net.toml");
    EXPECT_EQ(errors[0].location.line, 7u);
    EXPECT_EQ(errors[0].hint, "did you mean 'linear'?");
    EXPECT_THAT(errors_of([] { network_of({layer("transformer")}, {4}); })[0].hint,
                HasSubstr("conv"));
}

TEST(Layers, AllWrongNumbersOfALayerAreReported) {
    const auto errors = errors_of([] {
        network_of(
            {layer("conv", {{"out", 0}, {"kernal", 5}, {"padding", -1}, {"stride", 1.5}}, 4)},
            {1, 28, 28});
    });
    ASSERT_EQ(errors.size(), 5u);
    EXPECT_EQ(errors[0].code, "unknown-layer-number");
    EXPECT_EQ(errors[0].hint, "did you mean 'kernel'?");
    EXPECT_EQ(errors[1].code, "layer-number");
    EXPECT_THAT(errors[1].message, HasSubstr("out = 0 of layer 'conv'"));
    EXPECT_EQ(errors[2].code, "missing-layer-number");
    EXPECT_THAT(errors[2].message, HasSubstr("'kernel'"));
    EXPECT_THAT(errors[3].message, HasSubstr("stride = 1.5"));
    EXPECT_THAT(errors[4].message, HasSubstr("padding = -1"));
    for (const auto &error : errors) EXPECT_EQ(error.location.line, 4u);
}

TEST(Layers, NumbersOutOfRangeAreErrors) {
    const auto code_of = [](const std::string &kind, std::map<std::string, double> numbers) {
        return errors_of([&] { network_of({layer(kind, numbers)}, {4}); })[0].code;
    };
    EXPECT_EQ(code_of("dropout", {{"p", 1.0}}), "layer-number");
    EXPECT_EQ(code_of("dropout", {{"p", std::nan("")}}), "layer-number");
    EXPECT_EQ(code_of("linear", {{"out", 1e7}}), "layer-number");
    EXPECT_EQ(code_of("linear", {{"out", HUGE_VAL}}), "layer-number");
    EXPECT_EQ(code_of("linear", {{"out", 2}, {"bias", 2}}), "layer-number");
    EXPECT_EQ(code_of("relu", {{"out", 1}}), "unknown-layer-number");
}

TEST(Layers, BiasesCanBeLeftOut) {
    const auto network = network_of({layer("conv", {{"out", 3}, {"kernel", 2}, {"bias", 0}}),
                                     layer("flatten"), layer("linear", {{"out", 2}, {"bias", 0}})},
                                    {1, 3, 3});
    EXPECT_EQ(network->parameter_count(), 3 * 4 + 12 * 2);
    EXPECT_EQ(network->forward(torch::zeros({1, 1, 3, 3})).abs().sum().item<float>(), 0.F);
}

TEST(Layers, AnInputThatDoesNotFitIsReportedAtTheLayer) {
    const auto message_of = [](const std::string &kind, std::map<std::string, double> numbers,
                               Shape input) {
        const auto error = errors_of([&] {
            network_of({layer("relu"), layer(kind, numbers, 9)}, input);
        })[0];
        EXPECT_EQ(error.code, "layer-input");
        EXPECT_EQ(error.location.line, 9u);
        return error.message;
    };
    EXPECT_EQ(message_of("conv", {{"out", 1}, {"kernel", 5}}, {1, 4, 9}),
              "layer 'conv' expects an image of at least 5 x 5, but its input is 1 x 4 x 9");
    EXPECT_EQ(message_of("conv", {{"out", 1}, {"kernel", 5}}, {28, 28}),
              "layer 'conv' expects channels x height x width, but its input is 28 x 28");
    EXPECT_THAT(message_of("max-pool", {{"size", 3}}, {1, 2, 2}), HasSubstr("at least 3 x 3"));
    EXPECT_THAT(message_of("avg-pool", {{"size", 3}}, {1, 2, 2}), HasSubstr("at least 3 x 3"));
    EXPECT_THAT(message_of("grid-pool", {{"rows", 3}, {"columns", 1}}, {1, 2, 2}),
                HasSubstr("3 x 1"));
    EXPECT_THAT(message_of("linear", {{"out", 3}}, {16, 4, 4}), HasSubstr("one row of numbers"));
    EXPECT_THAT(message_of("softmax", {}, {16, 4, 4}), HasSubstr("one row of numbers"));
    EXPECT_THAT(message_of("reshape", {{"rows", 2}, {"columns", 3}}, {7}),
                HasSubstr("2 x 3 = 6 numbers"));
    EXPECT_THAT(message_of("cells", {}, {7}), HasSubstr("channels"));
    EXPECT_THAT(message_of("one-hot", {{"classes", 3}}, {2, 4, 4}), HasSubstr("one channel"));
    EXPECT_THAT(message_of("global-avg-pool", {}, {7}), HasSubstr("channels"));
}

TEST(Layers, TooManyWeightsOrOutputsAreRefusedBeforeTheyAreAllocated) {
    const auto code_of = [](std::vector<data::LayerSpec> layers, Shape input) {
        return errors_of([&] { network_of(std::move(layers), input); })[0].code;
    };
    EXPECT_EQ(code_of({layer("linear", {{"out", 1e6}})}, {1000}), "layer-size");
    EXPECT_EQ(code_of({layer("conv", {{"out", 1e6}, {"kernel", 1}})}, {1, 250, 250}), "layer-size");
    EXPECT_EQ(code_of({layer("conv", {{"out", 1}, {"kernel", 1}, {"padding", 1e6}})}, {1, 2, 2}),
              "layer-size");
}

TEST(Layers, AShapeWithoutDimensionsIsMisuse) {
    EXPECT_THROW(network_of({layer("relu")}, {}), ContractError);
    EXPECT_THROW(network_of({layer("relu")}, {3, 0}), ContractError);
}

// Parameters by hand: conv out*in*k*k + out, batch-norm 2*channels, linear in*out + out.
TEST(Presets, HaveTheParametersAndShapesOfTheirArchitectures) {
    const auto check = [](const std::string &name, const Shape &input, std::int64_t parameters,
                          const Shape &output) {
        const auto network = preset(name, input);
        EXPECT_EQ(network->parameter_count(), parameters) << name;
        EXPECT_EQ(output_shape(*network, input), output) << name;
    };
    check("digit-cnn", {1, 28, 28}, 156 + 2416 + 30840 + 10164 + 850, {10});
    check("path-mlp", {40}, 2050 + 4 * 2550 + 1224, {24});
    const int reader = 18496 + 73856 + 131328 + 524800 + 5130 + 2 * (32 + 64 + 128 + 256 + 512);
    check("sudoku-reader", {1, 250, 250}, 32 * 16 + 32 + reader, {81, 10});
    check("sudoku-reader", {1, 252, 252}, 32 * 16 + 32 + reader, {81, 10});
    check("sudoku-reader", {3, 250, 250}, 32 * 48 + 32 + reader, {81, 10});
    const int solver = 8 * 2359808 + 9 * 1024 + 4617;
    check("sudoku-solver", {1, 9, 9}, 512 * 9 + 512 + solver, {81, 9});
}

TEST(Presets, NumbersScaleThem) {
    const auto network = network_of(preset_layers("sudoku-solver", {{"width", 4}}), {10, 9, 9});
    EXPECT_EQ(network->parameter_count(), (4 * 90 + 4) + 8 * (4 * 36 + 4) + 9 * 8 + (9 * 4 + 9));
    EXPECT_EQ(output_shape(*network, {10, 9, 9}), (Shape{81, 9}));
}

TEST(Presets, EachMapsItsInputToProbabilities) {
    for (const data::Preset &entry : presets()) {
        Numbers small;
        for (const NumberKind &number : entry.numbers) {
            if (number.name == "width") small["width"] = 4;
        }
        const auto network = network_of(preset_layers(entry.name, small), entry.input);
        Shape batch = entry.input;
        batch.insert(batch.begin(), 3);
        const auto output = network->forward(torch::rand(batch));
        EXPECT_TRUE(((output >= 0) & (output <= 1)).all().item<bool>()) << entry.name;
        if (entry.name == "path-mlp") continue; // each number is a probability of its own
        EXPECT_TRUE(torch::allclose(output.sum(-1), torch::ones(1), 1e-5, 1e-5)) << entry.name;
    }
}

// In every corner, a single bright cell must change the reader's output there more than anywhere else.
TEST(Presets, TheReadersCellsAreAlignedWithTheBoardsCells) {
    seed_everything(5);
    auto layers = preset_layers("sudoku-reader", {{"width", 4}});
    layers.pop_back(); // softmax
    const auto network = network_of(std::move(layers), {1, 250, 250});
    network->train(false);
    const auto empty = torch::zeros({1, 1, 250, 250});
    const auto before = network->forward(empty);
    for (const int cell : {0, 8, 40, 72, 80}) {
        auto board = empty.clone();
        const int top = (cell / 9) * 250 / 9, left = (cell % 9) * 250 / 9;
        board.slice(2, top + 6, top + 21).slice(3, left + 6, left + 21).fill_(1.0);
        const auto change = (network->forward(board) - before).abs().sum(-1)[0];
        EXPECT_GT(change[cell].item<float>(), 0.F);
        EXPECT_GE(change[cell].item<float>(), 0.8F * change.max().item<float>()) << cell;
    }
}

TEST(Presets, AnUnknownPresetIsReportedWithASuggestion) {
    const auto error = errors_of([] { preset("digit-cn", {1, 28, 28}); })[0];
    EXPECT_EQ(error.code, "unknown-preset");
    EXPECT_EQ(error.hint, "did you mean 'digit-cnn'?");
    EXPECT_EQ(errors_of([] {
                  preset_layers("path-mlp", {{"wdth", 3}});
              })[0]
                  .code,
              "unknown-layer-number");
}

TEST(Presets, WithLogitsTheLastLayerIsLeftOut) {
    data::NetworkSpec spec;
    spec.name = "m";
    spec.preset = "path-mlp";
    seed_everything(5);
    const auto whole = make_network(spec, {40});
    spec.logits = true;
    seed_everything(5);
    const auto scores = make_network(spec, {40});
    const auto batch = torch::rand({3, 40});
    EXPECT_TRUE(torch::equal(whole->forward(batch), torch::sigmoid(scores->forward(batch))));
    spec.preset = "digit-cnn";
    const auto row = make_network(spec, {1, 28, 28})->forward(torch::rand({1, 1, 28, 28}));
    EXPECT_GT(std::abs(row.sum().item<float>() - 1.F), 1e-3F);
}

TEST(Presets, AnInputOfAnotherSizeIsAnErrorAtTheNetwork) {
    data::NetworkSpec spec;
    spec.preset = "digit-cnn";
    spec.location = {"experiment.toml", 3, 1, 3, 5};
    const auto error = errors_of([&] { make_network(spec, {28, 28}); })[0];
    EXPECT_EQ(error.code, "layer-input");
    EXPECT_EQ(error.location, spec.location);
}

} // namespace
} // namespace neurasp::neural
