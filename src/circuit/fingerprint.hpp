// Fingerprints of sets, as keys of components: the sum of one well-mixed number per element.
//
// A component is determined by a set of variables and clauses. Storing these sets would take most of the memory of the
// search, and comparing them much of its time. So a component is known only by a fingerprint of 128 bits, as GANAK
// (Sharma, Roy, Soos and Meel 2019) does for model counting. A sum does not depend on the order in which a component
// is explored, and adding an element takes constant time.
//
// The price is a chance of error: if two different sets have the same fingerprint, the circuit is wrong. If mixed numbers
// behave like random ones, the probability that any two of 10^7 sets agree in 128 bits is below 1e-24. Numbers do not
// depend on the machine or on addresses, so a circuit is the same in every run.
#pragma once

#include <cstdint>

namespace neurasp::circuit {

// A pseudo-random 64-bit number for an element of the kind `salt` (the finaliser of splitmix64).
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

    // `kind` distinguishes elements of different kinds that have the same number.
    void add(std::uint64_t kind, std::uint64_t element) noexcept {
        high += mix(2 * kind + 101, element);
        low += mix(2 * kind + 202, element ^ 0x5851f42d4c957f2dU);
    }
    // Undoes add().
    void remove(std::uint64_t kind, std::uint64_t element) noexcept {
        high -= mix(2 * kind + 101, element);
        low -= mix(2 * kind + 202, element ^ 0x5851f42d4c957f2dU);
    }
    // The union with a disjoint set, and the difference from a subset.
    Fingerprint &operator+=(const Fingerprint &other) noexcept {
        high += other.high;
        low += other.low;
        return *this;
    }
    Fingerprint &operator-=(const Fingerprint &other) noexcept {
        high -= other.high;
        low -= other.low;
        return *this;
    }
    friend bool operator==(const Fingerprint &, const Fingerprint &) = default;
};

// The kinds of elements in the key of a component.
namespace key_part {
enum Kind : std::uint64_t { variable, clause, cycle, link };
}

} // namespace neurasp::circuit
