// Decisions: the choices, tables and variables that the search branches on.
#pragma once

#include <cstdint>

namespace neurasp::circuit {

struct Decision {
    enum class Kind : std::uint8_t {
        none,
        choice,   // one branch for each outcome
        table,    // one branch for each value, and one for none of them
        variable, // a defined variable: true or false
        open,     // an open variable: true or false
    };
    Kind kind = Kind::none;
    std::uint32_t index = 0; // of the choice or the table, or the variable

    friend bool operator==(const Decision &, const Decision &) = default;
};

} // namespace neurasp::circuit
