// Queries about network calls that no neural rule makes.
#pragma once

#include "inference/grounding.hpp"

#include <optional>
#include <string>

namespace neurasp::inference {

// A warning if `query`, which never holds, is an atom of a network that no neural rule calls with these terms.
std::optional<Diagnostic> unknown_call(const Grounding &grounding, const std::string &query);

} // namespace neurasp::inference
