// log P(O) as a differentiable function of network outputs and rule probabilities.
#pragma once

#include "neurasp/training.hpp"

#include <torch/types.h>

#include <span>
#include <vector>

namespace neurasp::learning {

// What a batch is evaluated with, beside its numbers.
struct BatchSettings {
    std::uint64_t seed = 0; // for sampling
    std::uint64_t step = 0;
    Limits limits;
};

// One number (double, on the CPU) per example, minus infinity where there is no model. `outputs[m]` holds the
// rows of networks()[m] (rows x events x outcomes, distributions; undefined if the batch calls no such network) on
// any device; doubles stay doubles, all else becomes float. `rule_numbers` are the probabilities of the
// learnable rules (double). The gradient comes with the value: backward is a multiplication. Where there is no
// model it is 0. Requires: examples share no rows.
torch::Tensor log_probability(const TrainingProgram &program,
                              const std::vector<torch::Tensor> &outputs,
                              const torch::Tensor &rule_numbers,
                              std::span<const BatchExample> examples,
                              const BatchSettings &settings = {});

// The mean of log P(O) over the examples where P(O) > 0, as training wants it: with much less for autograd to do.
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

// One column p stands for (p, 1 - p). Proposition 1 says of either what autograd adds up over both, so each
// counts half: the same numbers with half the gradient, whose sum is the derivative itself (specification 4).
torch::Tensor with_half_gradient(const torch::Tensor &rows);

// Outputs of networks as a training program reads them, without a gradient.
struct StepNumbers {
    std::vector<torch::Tensor> kept; // what `batch` points into
    TrainingBatch<float> batch;
};
StepNumbers step_numbers(const TrainingProgram &program, const std::vector<torch::Tensor> &outputs,
                         std::span<const double> rule_numbers,
                         std::span<const BatchExample> examples);

} // namespace neurasp::learning
