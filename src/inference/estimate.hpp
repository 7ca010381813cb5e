// P(O) and P(q | O) estimated from samples, for questions that nothing else can answer in time.
//
// Total choices are drawn from their own distribution, without looking at O. Each one contributes the share
// of its stable models that satisfy O, a number in [0, 1] whose mean is P(O). The intervals come from
// Chernoff's bound: they hold with at least the stated confidence for any number of samples, also when all
// of them (or none) satisfy O. For a conditional probability, those of P(q, O) and P(not q, O) are combined.
#pragma once

#include "inference/task.hpp"

namespace neurasp::inference {

// Draws until there are `samples` or the budget is used up. Nothing if not even one sample was finished.
std::optional<SampledProbability> estimate_probability(const Task &task, std::uint64_t samples);

// An interval that holds the mean of a distribution on [0, 1] with a probability of at least 1 - `risk`, given
// the mean of `count` samples. Requires: count > 0.
std::pair<double, double> chernoff_interval(double mean, std::uint64_t count, double risk);

} // namespace neurasp::inference
