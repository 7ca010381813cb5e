// A set of cubes (conjunctions of outcomes) as one multi-valued decision diagram.
//
// The rules of one head over random outcomes may be a million; as a diagram they are a few hundred nodes.
#pragma once

#include "circuit/gates.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace neurasp::circuit {

using Cube = std::vector<Lit>; // literals of choices; a negative one excludes an outcome

// The disjunction of the cubes as gates, or nothing if it would take more clauses than the cubes have.
std::optional<Lit> merge_cubes(Gates &gates, std::vector<Cube> cubes);

} // namespace neurasp::circuit
