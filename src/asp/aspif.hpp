// Ground programs in aspif, clingo's exchange format.
#pragma once

#include "asp/ground_program.hpp"

#include <span>
#include <string>
#include <vector>

namespace neurasp::asp {

// The text of `program`, with "exactly one" for each group, with the shown terms, and with `required` as constraints.
std::string to_aspif(const GroundProgram &program, const std::vector<std::vector<AtomId>> &groups,
                     std::span<const ShownTerm> shown, std::span<const Literal> required);

} // namespace neurasp::asp
