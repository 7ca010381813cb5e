// Questions about the existence of stable models: the mass of total choices that have one, coherence,
// and whether a given total choice has one.
#pragma once

#include "base/budget.hpp"
#include "inference/scope.hpp"
#include "inference/weights.hpp"
#include "neurasp/answers.hpp"

#include <span>
#include <vector>

namespace neurasp::inference {

// P(some stable model), or bounds on it.
Probability consistent_mass(const Grounding &grounding, const Weights &weights,
                            base::Budget &budget);

// Whether every total choice has a stable model, with a witness if not.
CoherenceAnswer check_coherence(const Grounding &grounding, base::Budget &budget);

// Tries the most probable outcome of every random variable.
ConsistencyAnswer check_argmax(const Scope &scope, const Weights &weights, base::Budget &budget);

// Whether there is a model under the assumptions; false if the budget ended first.
bool has_model(const SearchProblem &problem, std::span<const Literal> assumptions,
               base::Budget &budget);

// The most probable outcome of every random variable. Requires: the problem has all variables.
std::vector<Literal> argmax_literals(const SearchProblem &problem, const Weights &weights);

} // namespace neurasp::inference
