// Names of the variables of a circuit and their outcomes, for output only.
#pragma once

#include "circuit/circuit.hpp"

#include <string>
#include <vector>

namespace neurasp::circuit {

// May have fewer entries than the circuit; variables and outcomes without a name are shown by their numbers.
struct Names {
    std::vector<std::string> variables;
    std::vector<std::vector<std::string>> outcomes; // by variable

    std::string variable(std::uint32_t v) const {
        return v < variables.size() ? variables[v] : "variable " + std::to_string(v);
    }
    std::string outcome(const Circuit &circuit, std::uint32_t v, std::uint32_t o) const {
        if (v < outcomes.size() && o < outcomes[v].size()) return outcomes[v][o];
        if (circuit.is_random(v)) return std::to_string(o);
        return o == 0 ? "true" : "false";
    }
};

} // namespace neurasp::circuit
