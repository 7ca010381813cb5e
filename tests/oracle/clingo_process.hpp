// Runs the clingo binary, which is all that the oracle trusts besides the definitions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace neurasp::oracle {

struct ClingoModel {
    std::vector<std::string> atoms; // as clingo prints them, sorted
    std::vector<std::int64_t> cost; // highest priority first; empty without weak constraints
};

// All stable models of a program. Throws: std::runtime_error with clingo's message and the program.
std::vector<ClingoModel> stable_models(const std::string &program);

} // namespace neurasp::oracle
