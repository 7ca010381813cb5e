// Simplifies a ground program for translation: keeps only the rules that matter, shifts disjunctions, resolves
// externals, unfolds weight bodies on positive cycles, and turns rules that derive random outcomes into
// constraints. normal_program.cpp explains each of these.
#pragma once

#include "asp/ground_program.hpp"

#include <optional>
#include <string>
#include <vector>

namespace neurasp::circuit {

struct NormalProgram {
    asp::GroundProgram rules; // atoms keep their ids; new atoms follow
    std::string obstacle;     // why this program cannot be translated; empty if it can
};

// `is_random` by atom; `relevant` by rule (all if empty).
NormalProgram normalise(const asp::GroundProgram &program, const std::vector<bool> &is_random,
                        const std::vector<bool> &relevant);

} // namespace neurasp::circuit
