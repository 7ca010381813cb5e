// Natural numbers of any size, for counting models: addition, multiplication, decimal digits.
#pragma once

#include "base/scaled_real.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace neurasp::circuit {

// Invariant: limbs are in base 10^9, the lowest first; the highest limb is not 0.
class Natural {
  public:
    Natural() = default;
    explicit Natural(std::uint64_t value);

    bool is_zero() const noexcept { return limbs_.empty(); }
    std::string to_string() const;
    base::ScaledReal to_scaled_real() const; // rounded

    Natural &operator+=(const Natural &other);
    friend Natural operator+(Natural a, const Natural &b) { return a += b; }
    // Cost: the product of the lengths.
    friend Natural operator*(const Natural &a, const Natural &b);
    friend bool operator==(const Natural &, const Natural &) = default;

  private:
    std::vector<std::uint32_t> limbs_;
};

} // namespace neurasp::circuit
