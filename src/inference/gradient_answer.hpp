// The parts of a gradient that all engines share.
#pragma once

#include "inference/task.hpp"

#include <functional>

namespace neurasp::inference {

// d log P / d p. The arguments are a position in the list of variables that P depends on, and an outcome.
using Derivative = std::function<ScaledReal(std::size_t, std::uint32_t)>;

// The gradient for all variables of the grounding. P depends on `variables` (sorted); each other variable contributes
// its row sum as a factor.
std::vector<VariableGradient> describe_gradient(const Task &task, GradientConvention convention,
                                                const std::vector<std::size_t> &variables,
                                                const Derivative &derivative);

// The product of the row sums of all variables outside `variables` (sorted). A sum over the total choices of
// `variables` must be multiplied by it to become a sum over those of the grounding.
ScaledReal left_out(const Task &task, const std::vector<std::size_t> &variables);

} // namespace neurasp::inference
