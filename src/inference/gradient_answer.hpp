// What the engines' gradients have in common.
#pragma once

#include "inference/task.hpp"

#include <functional>

namespace neurasp::inference {

// d log P / d p, by position in the list of variables that P depends on, and outcome.
using Derivative = std::function<ScaledReal(std::size_t, std::uint32_t)>;

// The gradient by variable of the grounding. `variables` (sorted) are those that P depends on; any other
// contributes the factor of its row sum.
std::vector<VariableGradient> describe_gradient(const Task &task, GradientConvention convention,
                                                const std::vector<std::size_t> &variables,
                                                const Derivative &derivative);

// The product of the row sums of the variables that `variables` (sorted) leaves out: the factor by which
// a sum over their total choices falls short of one over the grounding's.
ScaledReal left_out(const Task &task, const std::vector<std::size_t> &variables);

} // namespace neurasp::inference
