// log P(O) as a differentiable function of network outputs and rule probabilities.
#pragma once

#include "neurasp/training.hpp"

#include <torch/types.h>

#include <span>
#include <vector>

namespace neurasp::learning {

// Settings for the evaluation of a batch.
struct BatchSettings {
    std::uint64_t seed = 0; // for sampling
    std::uint64_t step = 0;
    Limits limits;
};

// One number (double, on the CPU) per example, minus infinity if P(O) = 0. `outputs[m]` holds the rows of
// networks()[m] (rows x events x outcomes, distributions; undefined if the batch does not call that network) on any
// device; doubles stay doubles, all other types become float. `rule_numbers` are the probabilities of the learnable
// rules (double). The gradient is computed together with the value, so backward is a multiplication; where P(O) = 0,
// the gradient is 0. Requires: examples share no rows.
torch::Tensor log_probability(const TrainingProgram &program,
                              const std::vector<torch::Tensor> &outputs,
                              const torch::Tensor &rule_numbers,
                              std::span<const BatchExample> examples,
                              const BatchSettings &settings = {});

// The mean of log P(O) over the examples with P(O) > 0. Training uses it: autograd has much less to do.
struct MeanLogProbability {
    torch::Tensor
        mean; // one number (double), differentiable; undefined if there is no such example
    std::size_t possible = 0;   // examples with P(O) > 0
    std::vector<double> values; // log P(O) of all examples
};
MeanLogProbability mean_log_probability(const TrainingProgram &program,
                                        const std::vector<torch::Tensor> &outputs,
                                        const torch::Tensor &rule_numbers,
                                        std::span<const BatchExample> examples,
                                        const BatchSettings &settings = {});

// For networks with one column, where p stands for (p, 1 - p). The derivative of Proposition 1 by either number is
// already, up to its sign, the whole derivative by p, and autograd adds up both; so each gets half (specification 4).
torch::Tensor with_half_gradient(const torch::Tensor &rows);

// Outputs of networks as a training program reads them, without a gradient.
struct StepNumbers {
    std::vector<torch::Tensor> kept; // owns the numbers that `batch` points to
    TrainingBatch<float> batch;
};
StepNumbers step_numbers(const TrainingProgram &program, const std::vector<torch::Tensor> &outputs,
                         std::span<const double> rule_numbers,
                         std::span<const BatchExample> examples);

} // namespace neurasp::learning
