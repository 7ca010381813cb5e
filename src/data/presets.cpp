// The named architectures: those of the paper and of the work it compares with.
#include "data/presets.hpp"

#include "base/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace neurasp::data {

namespace {

using Layers = std::vector<LayerSpec>;

void add_layer(Layers &layers, std::string kind, Numbers numbers = {}) {
    layers.push_back({std::move(kind), std::move(numbers), {}});
}

// The network of the original NeurASP for MNIST.
Layers digit_cnn(const Numbers &numbers) {
    Layers layers;
    for (const double out : {6.0, 16.0}) { // 24, 12, 8, 4 pixels wide
        add_layer(layers, "conv", {{"out", out}, {"kernel", 5}});
        add_layer(layers, "max-pool", {{"size", 2}});
        add_layer(layers, "relu");
    }
    add_layer(layers, "flatten");
    for (const double out : {120.0, 84.0}) {
        add_layer(layers, "linear", {{"out", out}});
        add_layer(layers, "relu");
    }
    add_layer(layers, "linear", {{"out", numbers.at("outcomes")}});
    add_layer(layers, "softmax");
    return layers;
}

// Five convolutions with dropout, max-pooling and a 1 x 1 convolution, as the paper says; sizes as in the original
// code. Boards of 250 and 252 pixels become 125 or 126, 63, 32, 31, 30 places, 8 pixels apart, and each place sees
// 32 pixels around it. The original does not pad, and it pools 3 x 3 places, so its cells are 24 pixels apart while
// those of the board are 27.8 apart, and the last cell is read at its edge. Here, padding and a grid over the places
// align the reader's cells with the board's, also for boards of other sizes. The weights have the same shapes
// either way.
Layers sudoku_reader(const Numbers &numbers) {
    struct Convolution {
        double widths, kernel, stride, padding;
    };
    Layers layers;
    for (const auto &[widths, kernel, stride, padding] :
         {Convolution{1, 4, 2, 1}, {2, 3, 2, 1}, {4, 3, 2, 1}, {8, 2, 1, 0}, {16, 2, 1, 0}}) {
        add_layer(layers, "conv",
                  {{"out", widths * numbers.at("width")},
                   {"kernel", kernel},
                   {"stride", stride},
                   {"padding", padding}});
        add_layer(layers, "batch-norm");
        add_layer(layers, "dropout", {{"p", 0.25}});
        add_layer(layers, "relu");
    }
    add_layer(layers, "grid-pool", {{"rows", 9}, {"columns", 9}});
    add_layer(layers, "conv", {{"out", 10}, {"kernel", 1}});
    add_layer(layers, "cells");
    add_layer(layers, "softmax");
    return layers;
}

// Park's Sudoku solver: nine convolutions over the board, then one that scores the digits of each cell.
Layers sudoku_solver(const Numbers &numbers) {
    Layers layers;
    for (int i = 0; i < 9; ++i) {
        add_layer(layers, "conv", {{"out", numbers.at("width")}, {"kernel", 3}, {"padding", 1}});
        add_layer(layers, "batch-norm");
        add_layer(layers, "relu");
    }
    add_layer(layers, "conv", {{"out", 9}, {"kernel", 1}});
    add_layer(layers, "cells");
    add_layer(layers, "softmax");
    return layers;
}

// The multi-layer perceptron of Xu et al.; each of the outputs is the probability of an edge.
Layers path_mlp(const Numbers &numbers) {
    Layers layers;
    for (int i = 0; i < 5; ++i) {
        add_layer(layers, "linear", {{"out", numbers.at("width")}});
        add_layer(layers, "relu");
    }
    add_layer(layers, "linear", {{"out", numbers.at("outputs")}});
    add_layer(layers, "sigmoid");
    return layers;
}

std::vector<Preset> make_presets() {
    using enum NumberRange;
    return {
        {"digit-cnn",
         "reads a digit of 28 x 28 pixels",
         {1, 28, 28},
         {{"outcomes", positive, "number of outcomes", 10.0}},
         digit_cnn},
        {"path-mlp",
         "predicts for each edge of a graph whether it is on the path",
         {40},
         {{"width", positive, "numbers in each of the five hidden layers", 50.0},
          {"outputs", positive, "number of edges", 24.0}},
         path_mlp},
        {"sudoku-reader",
         "reads the 81 cells of the picture of a board; outcome 0 is an empty cell",
         {1, 250, 250},
         {{"width", positive, "channels after the first convolution; it doubles with each", 32.0}},
         sudoku_reader},
        {"sudoku-solver",
         "fills the 81 cells of a board; the input is the board's numbers, or one channel for each "
         "digit",
         {1, 9, 9},
         {{"width", positive, "channels in each of the nine convolutions", 512.0}},
         sudoku_solver},
    };
}

} // namespace

const std::vector<Preset> &presets() {
    static const std::vector<Preset> all = make_presets();
    return all;
}

std::vector<LayerSpec> preset_layers(const std::string &name, const Numbers &numbers,
                                     const SourceLocation &where) {
    const auto found = std::find_if(presets().begin(), presets().end(),
                                    [&](const Preset &preset) { return preset.name == name; });
    if (found == presets().end()) {
        std::vector<std::string> known;
        for (const Preset &preset : presets()) known.push_back(preset.name);
        const auto closest = base::closest_name(name, known);
        throw InputError(Diagnostic{Severity::error,
                                    "unknown-preset",
                                    fmt::format("there is no preset '{}'", name),
                                    where,
                                    {},
                                    closest
                                        ? fmt::format("did you mean '{}'?", *closest)
                                        : fmt::format("presets are {}", fmt::join(known, ", "))});
    }
    auto layers = found->layers(
        complete_numbers(found->numbers, numbers, fmt::format("preset '{}'", name), where));
    for (LayerSpec &layer : layers) layer.location = where;
    return layers;
}

} // namespace neurasp::data
