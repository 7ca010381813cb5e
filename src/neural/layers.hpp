// The layers that networks are built from: those that data::LayerSpec describes, with weights. A layer computes
// with Torch's functions directly and also has a TorchScript expression, so that a saved network runs in Python;
// tests compare the two.
#pragma once

#include "data/network_spec.hpp"
#include "neural/shapes.hpp"

#include <torch/types.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace neurasp::neural {

using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

struct Layer {
    std::string name;        // "conv2": the second of its kind; also a name in TorchScript
    std::string text;        // "conv out=6 kernel=5", as a user would write it
    Shape output;            // for one input
    NamedTensors parameters; // "weight", "bias"
    NamedTensors buffers;    // tensors that are not learned by gradients
    std::function<torch::Tensor(const torch::Tensor &batch, bool training)> apply;
    std::string script; // the same in TorchScript, of `x`, `self.<name>` and `self.training`
};

// The layers for inputs of shape `input`, with fresh random weights (drawn as PyTorch draws them, so that the
// same seed gives the same weights there). The input size of each layer is found by running zeros through the
// layers before it.
// Throws: InputError at the layer that is unknown, incomplete or does not fit its input.
std::vector<Layer> make_layers(const std::vector<data::LayerSpec> &specs, const Shape &input);

} // namespace neurasp::neural
