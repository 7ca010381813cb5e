// Clark's completion of a normal program as a theory; see translation.hpp.
#pragma once

#include "circuit/translation.hpp"

#include <optional>
#include <span>
#include <vector>

namespace neurasp::circuit {

// `is_relevant` says which random variables of the input become choices. Returns nothing if an aggregate is too
// large. Requires: `rules` come from normalise(), and from with_coins() if there are coins.
std::optional<Theory> complete(const TranslationInput &input, const asp::GroundProgram &rules,
                               const std::vector<bool> &is_relevant,
                               std::span<const asp::AtomId> coins = {});

} // namespace neurasp::circuit
