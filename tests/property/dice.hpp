// Reproducible randomness: std::mt19937_64 is specified bit by bit, the standard's distributions are
// not, so the few that are needed are here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace neurasp::property {

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}

    // 0 .. bound-1 (the tiny bias does not matter here).
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(engine_() % bound); }
    // first .. last
    std::size_t between(std::size_t first, std::size_t last) {
        return first + below(last - first + 1);
    }
    bool chance(std::size_t percent) { return below(100) < percent; }
    // In [0,1).
    double real() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }

    template <class T> const T &pick(const std::vector<T> &from) {
        return from[below(from.size())];
    }
    template <class T> void shuffle(std::vector<T> &items) {
        for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
    }

  private:
    std::mt19937_64 engine_;
};

} // namespace neurasp::property
