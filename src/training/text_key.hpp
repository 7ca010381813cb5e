// A key of 128 bits for a text.
//
// A data set may have very many observations, and texts would take most of the memory that an observation keeps. If keys behave
// like random numbers, the probability that any two of 10^7 texts have the same one is below 1e-24.
#pragma once

#include "circuit/fingerprint.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace neurasp::training {

using TextKey = circuit::Fingerprint;
struct TextKeyHash {
    std::size_t operator()(const TextKey &key) const noexcept { return key.low; }
};

// Of all bytes in their order, and of their number.
inline TextKey key_of(std::string_view text) noexcept {
    TextKey key{text.size(), ~text.size()};
    while (!text.empty()) {
        std::uint64_t part = 0;
        const std::size_t size = std::min(text.size(), sizeof part);
        std::memcpy(&part, text.data(), size);
        key.high = circuit::mix(1, key.high ^ part);
        key.low = circuit::mix(2, key.low + part);
        text.remove_prefix(size);
    }
    return key;
}

} // namespace neurasp::training
