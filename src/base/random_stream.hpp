// Random numbers that are the same on every machine for the same seed: the engine is fixed by the C++
// standard, and the distributions, which the standard leaves open, are our own.
#pragma once

#include "base/assert.hpp"

#include <cstdint>
#include <random>

namespace neurasp::base {

class RandomStream {
  public:
    explicit RandomStream(std::uint64_t seed) : engine_(seed) {}

    std::uint64_t bits() { return engine_(); }
    // Uniform in (0, 1]: 53 random bits, never zero.
    double uniform() {
        return static_cast<double>((engine_() >> 11) + 1) * (1.0 / 9007199254740992.0);
    }
    // Uniform in [0, bound). Requires: bound > 0.
    std::uint64_t below(std::uint64_t bound) {
        NEURASP_ASSERT(bound > 0, "the bound of a random number is positive");
        const std::uint64_t threshold = (0 - bound) % bound; // values below it would be biased
        std::uint64_t x = engine_();
        while (x < threshold) x = engine_();
        return x % bound;
    }

  private:
    std::mt19937_64 engine_;
};

} // namespace neurasp::base
