// Fingerprints of sets: the sum of a well-mixed number per element, so that order does not matter. Two
// different sets agree in 128 bits with a probability below 1e-24 even among 10^7 of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace neurasp::circuit {

// A 64-bit number that looks random, for an element of the kind `salt` (the finaliser of splitmix64).
constexpr std::uint64_t mix(std::uint64_t salt, std::uint64_t element) noexcept {
    std::uint64_t x = element + salt * 0x9e3779b97f4a7c15U + 0x632be59bd9b4e019U;
    x ^= x >> 30U;
    x *= 0xbf58476d1ce4e5b9U;
    x ^= x >> 27U;
    x *= 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

struct Fingerprint {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    // `kind` tells apart elements of different sorts with equal numbers.
    void add(std::uint64_t kind, std::uint64_t element) noexcept {
        high += mix(2 * kind + 101, element);
        low += mix(2 * kind + 202, element ^ 0x5851f42d4c957f2dU);
    }
    friend bool operator==(const Fingerprint &, const Fingerprint &) = default;
};

struct FingerprintHash {
    std::size_t operator()(const Fingerprint &key) const noexcept { return key.low; }
};

} // namespace neurasp::circuit
