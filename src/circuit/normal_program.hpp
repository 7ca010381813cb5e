// A ground program made simpler for translation: only the rules that matter, disjunctions shifted,
// externals resolved, weight bodies on positive cycles unfolded, rules that derive random outcomes turned
// into constraints.
#pragma once

#include "asp/ground_program.hpp"

#include <optional>
#include <string>
#include <vector>

namespace neurasp::circuit {

struct NormalProgram {
    asp::GroundProgram rules; // atoms keep their ids; new ones follow
    std::string obstacle;     // why this program cannot be translated; empty if it can
};

// `is_random` by atom; `relevant` by rule (all if empty).
NormalProgram normalise(const asp::GroundProgram &program, const std::vector<bool> &is_random,
                        const std::vector<bool> &relevant);

} // namespace neurasp::circuit
