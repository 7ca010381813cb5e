// Circuits as text, without loss: reading the text gives an equal circuit, constants included.
//
//     neurasp-circuit 2                 format and version
//     variables 3 random 2
//     outcomes 10 10 2                  of each variable
//     constants 1
//     0 8                               binary exponent, hexadecimal digits of the mantissa: 0.5
//     nodes 3                           after true_node
//     + 0 2 1 0 2 0                     decision: variable, number of edges, input and child of each
//     * 1 0 1                           product: number of edges, input and child of each
//     | 2 0 1 11 2                      cases: number of edges, input (0: none) and child of each
//     root 3
//     smooth 0
//     checksum 0123456789abcdef         of all bytes before this line//
// Version 1 had no cases. It is refused like any other text that write_circuit does not write.
#pragma once

#include "circuit/circuit.hpp"

#include <string>
#include <string_view>

namespace neurasp::circuit {

std::string write_circuit(const Circuit &circuit);

// Reads exactly what write_circuit writes, and checks the invariants of the circuit.
// Throws: InputError, with line and column, if a single byte differs.
Circuit read_circuit(std::string_view text);

// The lines of `body`, followed by their checksum.
std::string with_checksum(std::string body);

} // namespace neurasp::circuit
