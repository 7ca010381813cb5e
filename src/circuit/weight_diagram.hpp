// A weight body ("these literals weigh at least n") as gates: a decision diagram over (position, weight still needed) in
// which the outcomes of one random variable are one position.
#pragma once

#include "circuit/gates.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace neurasp::circuit {

using WeightedLit = std::pair<Lit, std::int64_t>; // weights may be negative

// The literal that says so; nothing if the diagram would be too large.
std::optional<Lit> at_least(Gates &gates, const std::vector<WeightedLit> &literals,
                            std::int64_t bound);

} // namespace neurasp::circuit
