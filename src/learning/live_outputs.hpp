// Outputs of live networks for one question, for commands other than training.
#pragma once

#include "data/dataset_parts.hpp"
#include "data/experiment.hpp"
#include "neural/network.hpp"
#include "neurasp/question.hpp"

#include <torch/types.h>

#include <map>
#include <memory>
#include <string>

namespace neurasp::learning {

struct LiveNetwork {
    std::shared_ptr<neural::Network> network;
    bool logits = false;
};

using LiveNetworks = std::map<std::string, LiveNetwork>; // by name
using LiveInputs = std::map<std::string, torch::Tensor>; // by terms: one input, without the batch

// An input from a file (a picture, or the only row of an array), read and normalised according to `settings`.
// Throws: InputError, EnvironmentError.
torch::Tensor read_input(const data::ArraySettings &settings, const std::string &file);

// Runs each network for each of its calls in the question. Throws: InputError if a network or an input is
// missing, or if outputs are wrong.
NetworkOutputs live_outputs(const Question &question, const LiveNetworks &networks,
                            const LiveInputs &inputs);

} // namespace neurasp::learning
