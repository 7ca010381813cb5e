// A set of cubes (conjunctions of outcomes) as one multi-valued decision diagram: a head may have a million rules over
// random outcomes that become about a thousand gates.
#pragma once

#include "circuit/gates.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace neurasp::circuit {

using Cube = std::vector<Lit>; // literals of choices; a negative literal excludes an outcome

// The disjunction of the cubes as gates; nothing if that would not take fewer clauses than the cubes themselves.
std::optional<Lit> merge_cubes(Gates &gates, std::vector<Cube> cubes);

} // namespace neurasp::circuit
