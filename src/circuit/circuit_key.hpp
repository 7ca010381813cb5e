// What a stored circuit is found by: 128 bits that its maker computes from everything that decides
// it.
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
