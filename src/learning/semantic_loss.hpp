// log P(O) as a differentiable function of network outputs and rule probabilities.
#pragma once

#include "learning/symbolic_step.hpp"

#include <torch/types.h>

#include <span>
#include <vector>

namespace neurasp::learning {

// One number (double) per example, minus infinity where P(O) = 0. `outputs[m]` holds the rows of
// networks()[m] (rows x events x outcomes, float, distributions; undefined if the batch calls no such
// network), `rule_numbers` (double) the probabilities of the learnable rules. The gradient comes with the value:
// backward is a multiplication. Where P(O) = 0 it is 0.
torch::Tensor log_probability(SymbolicStep &step, const std::vector<torch::Tensor> &outputs,
                              const torch::Tensor &rule_numbers,
                              std::span<const StepExample> examples);

// The mean of log P(O) over the examples where P(O) > 0, as training wants it: with much less for autograd to do.
struct MeanLogProbability {
    torch::Tensor
        mean; // one number (double), differentiable; undefined if there is no such example
    std::size_t possible = 0;   // examples with P(O) > 0
    std::vector<double> values; // log P(O) of all examples
};
MeanLogProbability mean_log_probability(SymbolicStep &step,
                                        const std::vector<torch::Tensor> &outputs,
                                        const torch::Tensor &rule_numbers,
                                        std::span<const StepExample> examples);

// One column p stands for (p, 1 - p). Proposition 1 says of either what autograd adds up over both, so each
// counts half: the same numbers with half the gradient, whose sum is the derivative itself (SPEC 4).
torch::Tensor with_half_gradient(const torch::Tensor &rows);

// Outputs of networks as the symbolic step reads them, without a gradient.
struct StepNumbers {
    std::vector<torch::Tensor> kept; // what `batch` points into
    SymbolicStep::Batch batch;
};
StepNumbers step_numbers(const std::vector<torch::Tensor> &outputs,
                         std::span<const double> rule_numbers,
                         std::span<const StepExample> examples);

} // namespace neurasp::learning
