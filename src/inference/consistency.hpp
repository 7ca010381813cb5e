// Questions about the existence of stable models: the mass of total choices that have one, coherence,
// and whether a given total choice has one.
#pragma once

#include "inference/engine.hpp"

namespace neurasp::inference {

// P(some stable model), or bounds on it.
Interval consistent_mass(World &world, const Weights &weights, base::Budget &budget);

// Whether every total choice has a stable model, with a witness if not.
CoherenceAnswer check_coherence(World &world, base::Budget &budget);

// Tries the most probable outcome of every random variable.
ConsistencyAnswer check_argmax(World &world, const QuestionAtoms &atoms, const Weights &weights,
                               base::Budget &budget);

} // namespace neurasp::inference
