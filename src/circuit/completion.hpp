// Clark's completion of a normal program as a theory; see translation.hpp.
#pragma once

#include "circuit/translation.hpp"

#include <optional>
#include <vector>

namespace neurasp::circuit {

// `rules` were made by normalise(); `is_relevant` says which random variables of the input become choices.
// Nothing if an aggregate is too large.
std::optional<Theory> complete(const TranslationInput &input, const asp::GroundProgram &rules,
                               const std::vector<bool> &is_relevant);

} // namespace neurasp::circuit
