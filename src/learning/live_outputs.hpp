// Outputs of live networks for one question, for commands other than training.
#pragma once

#include "data/experiment.hpp"
#include "data/input_file.hpp"
#include "neural/network.hpp"
#include "neurasp/question.hpp"

#include <torch/types.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace neurasp::learning {

struct LiveNetwork {
    std::shared_ptr<neural::Network> network;
    bool logits = false;
};

using LiveNetworks = std::map<std::string, LiveNetwork>; // by name
// By network and terms: one input, without the batch. Networks that share a file may read it in different ways.
using LiveInputs = std::map<std::pair<std::string, std::string>, torch::Tensor>;

// How the inputs of a network were prepared when it was trained; nullopt if its file does not say.
// Throws: InputError if that cannot be read.
std::optional<data::InputForm> trained_form(const neural::Network &network,
                                            const std::string &file);
// The same for weights in a file, which may be missing. Throws: also if they are damaged.
std::optional<data::InputForm> trained_form(const std::string &file);

// The files of inputs, and how to read them.
struct InputFiles {
    std::map<std::string, data::ArraySettings> files;        // by terms
    std::map<std::string, data::ExpectedInput> expectations; // by network
};

// Reads the input of each call in the question.
// Throws: InputError, also (missing-network, missing-input) if there is none for a call; EnvironmentError.
LiveInputs read_inputs(const Question &question, const InputFiles &files);

// Runs each network for each of its calls in the question. Requires: `inputs` is what read_inputs read for it, and each
// of the networks that it calls is there. Throws: InputError if outputs are wrong.
NetworkOutputs live_outputs(const Question &question, const LiveNetworks &networks,
                            const LiveInputs &inputs);

} // namespace neurasp::learning
