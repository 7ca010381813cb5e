// Queries about network calls that no neural rule makes.
#pragma once

#include "inference/grounding.hpp"

#include <optional>
#include <string>

namespace neurasp::inference {

// A warning if `query`, which nothing satisfies, is an atom of a network that is never called with its terms.
std::optional<Diagnostic> unknown_call(const Grounding &grounding, const std::string &query);

} // namespace neurasp::inference
