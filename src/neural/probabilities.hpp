// The output that a program expects of a network: for every input, the distributions of `events` events over
// `outcomes` outcomes.
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <functional>
#include <string>

namespace neurasp::neural {

struct OutputContract {
    std::string network; // its name, for diagnostics
    std::size_t events = 1;
    std::size_t outcomes = 2;
    bool logits = false; // the outputs are raw scores
};

// The output as batch x events x outcomes; differentiable. Accepts every shape that flattens to it. With two
// outcomes, one number for each event is enough: the probability (or the logit) of the first outcome.
// Throws: InputError (output-shape) if the number of outputs does not fit.
torch::Tensor probabilities(const torch::Tensor &output, const OutputContract &contract);

// Checks that all rows of a result of probabilities() are distributions. `terms` names the terms of the program
// that belong to the i-th input of the batch; it is called only for diagnostics.
// Throws: InputError (output-not-distribution) for the first row that is not one.
// Cost: a pass over the numbers.
void check_distributions(const torch::Tensor &probabilities, const std::string &network,
                         const std::function<std::string(std::size_t)> &terms);

} // namespace neurasp::neural
