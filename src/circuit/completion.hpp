// Clark's completion of a normal program as a theory; see translation.hpp.
#pragma once

#include "circuit/translation.hpp"

#include <optional>
#include <vector>

namespace neurasp::circuit {

// `is_relevant` says which random variables of the input become choices. Returns nothing if an aggregate is too
// large. Requires: `rules` come from normalise().
std::optional<Theory> complete(const TranslationInput &input, const asp::GroundProgram &rules,
                               const std::vector<bool> &is_relevant);

} // namespace neurasp::circuit
