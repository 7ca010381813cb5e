// The key under which a circuit is stored: 128 bits, computed from everything that determines the circuit.
#pragma once

#include <compare>
#include <cstdint>

namespace neurasp::circuit {

struct CircuitKey {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    friend auto operator<=>(const CircuitKey &, const CircuitKey &) = default;
};

} // namespace neurasp::circuit
