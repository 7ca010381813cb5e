// Non-negative real numbers m * 2^e with a long double mantissa and a 64-bit exponent.
//
// Probabilities of stable models are products of thousands of factors: they underflow doubles, and sums
// of logarithms lose the digits that decide near ties. Here the relative error of a product of n factors
// is at most about n * 5.4e-20 (x86: 64-bit mantissa). scaled_real.cpp explains the representation.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>

#include "neurasp/answers.hpp"

namespace neurasp::base {

// Invariant: mantissa is 0 (then exponent is 0) or lies in [0.5, 1).
class ScaledReal {
  public:
    constexpr ScaledReal() = default;
    // Requires: value is finite and not negative.
    explicit ScaledReal(long double value) { normalise(value, 0); }
    // mantissa * 2^exponent. Requires: mantissa is finite and not negative.
    ScaledReal(long double mantissa, std::int64_t exponent) { normalise(mantissa, exponent); }

    long double mantissa() const noexcept { return mantissa_; }
    std::int64_t exponent() const noexcept { return exponent_; }

    bool is_zero() const noexcept { return mantissa_ == 0.0L; }
    double to_double() const noexcept;
    double log() const noexcept;
    Probability to_probability() const noexcept {
        const double value = to_double();
        // A value that rounds to 1 gets the logarithm 0, not 3e-17.
        return {value, value == 1.0 ? 0.0 : log(), value, value, true};
    }

    ScaledReal &operator*=(const ScaledReal &other) noexcept {
        set_near_one(mantissa_ * other.mantissa_, exponent_ + other.exponent_);
        return *this;
    }
    // Requires: other is not zero.
    ScaledReal &operator/=(const ScaledReal &other) noexcept {
        set_near_one(mantissa_ / other.mantissa_, exponent_ - other.exponent_);
        return *this;
    }
    ScaledReal &operator+=(const ScaledReal &other) noexcept;
    // The difference, or zero if it would be negative.
    ScaledReal &operator-=(const ScaledReal &other) noexcept;

    friend ScaledReal operator*(ScaledReal a, const ScaledReal &b) noexcept { return a *= b; }
    friend ScaledReal operator/(ScaledReal a, const ScaledReal &b) noexcept { return a /= b; }
    friend ScaledReal operator+(ScaledReal a, const ScaledReal &b) noexcept { return a += b; }
    friend ScaledReal operator-(ScaledReal a, const ScaledReal &b) noexcept { return a -= b; }

    friend bool operator==(const ScaledReal &, const ScaledReal &) = default;
    friend std::partial_ordering operator<=>(const ScaledReal &a, const ScaledReal &b) noexcept {
        if (a.is_zero() || b.is_zero()) return a.mantissa_ <=> b.mantissa_;
        if (a.exponent_ != b.exponent_) return a.exponent_ <=> b.exponent_;
        return a.mantissa_ <=> b.mantissa_;
    }

  private:
    // Like normalise, for a mantissa that is 0 or in [0.25, 2): one step up or down is enough.
    void set_near_one(long double mantissa, std::int64_t exponent) noexcept {
        if (mantissa == 0.0L) {
            exponent = 0;
        } else if (mantissa < 0.5L) {
            mantissa *= 2.0L;
            --exponent;
        } else if (mantissa >= 1.0L) {
            mantissa *= 0.5L;
            ++exponent;
        }
        mantissa_ = mantissa;
        exponent_ = exponent;
    }
    void normalise(long double mantissa, std::int64_t exponent) noexcept {
        if (mantissa == 0.0L) {
            mantissa_ = 0.0L;
            exponent_ = 0;
            return;
        }
        int shift = 0;
        mantissa_ = std::frexp(mantissa, &shift);
        exponent_ = exponent + shift;
    }

    long double mantissa_ = 0.0L;
    std::int64_t exponent_ = 0;
};

// Numbers whose relative difference is at most this count as equal when models are ranked. It covers the
// error of reading decimal probabilities into doubles for about a hundred factors, and is far below 1e-12,
// which must still be told apart.
inline constexpr long double tie_tolerance = 1e-14L;

// Whether a and b are equal up to tie_tolerance.
bool is_tie(const ScaledReal &a, const ScaledReal &b) noexcept;

} // namespace neurasp::base
