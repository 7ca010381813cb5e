// Optimisers of networks, as an experiment file describes them.
#pragma once

#include "data/experiment.hpp"

#include <torch/optim.h>

#include <memory>
#include <vector>

namespace neurasp::learning {

// By network; null for those that are not trained.
using Optimizers = std::vector<std::unique_ptr<torch::optim::Optimizer>>;

std::unique_ptr<torch::optim::Optimizer> make_optimizer(const data::OptimizerSettings &settings,
                                                        std::vector<torch::Tensor> parameters);
void set_learning_rate(torch::optim::Optimizer &optimizer, double rate);

// Removes gradients instead of setting them to 0, so that optimisers do not touch networks that a batch does not call.
// After a checkpoint, which holds no gradients, the same is true.
void remove_gradients(const Optimizers &optimizers);

// Multiplies all gradients that there are.
void scale_gradients(const Optimizers &optimizers, double factor);

// Whether the state that an optimiser keeps for each parameter has the parameter's shape and type.
bool has_fitting_state(const torch::optim::Optimizer &optimizer);

} // namespace neurasp::learning
