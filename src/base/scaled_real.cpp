// ScaledReal: non-negative reals m * 2^e with a 64-bit exponent.
//
// The idea. The probability of a stable model is a product over all random variables of the program, and P(O) is
// a sum of such products. With thousands of variables the products underflow a double (below 1e-308). Sums of
// logarithms do not underflow, but they lose the digits that decide near ties: as a double, the logarithm of
// 1e-3000 has a rounding error of up to 5e-13, which is a relative error of the product; and an addition costs an
// exponential and a logarithm. So we keep mantissa and exponent apart, as a floating-point number does, with a
// long double as the mantissa and an exponent that does not overflow in practice.
//
// Precision. On x86 a long double has a 64-bit mantissa. Each operation rounds once, with a relative error of at
// most 2^-64 = 5.4e-20, so a product of n factors has a relative error of about n * 5.4e-20. Models whose
// probabilities differ by 1e-12 are ranked correctly even with thousands of variables. Scaling by powers of two
// is exact.
//
// Ties. Two models that are equally probable on paper may differ in the last digits, because decimal
// probabilities such as 0.1 were rounded when they were read into doubles. `tie_tolerance` is larger than this
// error for about a hundred factors and smaller than the 1e-12 that must be told apart.
//
// Invariant. The mantissa is 0, and then so is the exponent, or it lies in [0.5, 1). So comparing two numbers
// means comparing exponents first, then mantissas. A product of two mantissas lies in [0.25, 1), a sum (after
// aligning the smaller number) in [0.5, 2), a quotient in (0.5, 2): one step restores the invariant
// (set_near_one). Only a difference can lose many leading bits and needs frexp.
//
// Cost. A multiplication is one of long double, an addition of exponents and a branch. An addition also aligns
// the smaller number (ldexp) if the exponents differ, and returns at once if they differ by more than the
// mantissa has bits. Batches of training examples use plain floating point first (batch_evaluator.hpp) and come
// here only for examples that leave its range.
#include "base/scaled_real.hpp"

#include <algorithm>

namespace neurasp::base {

namespace {

constexpr std::int64_t mantissa_bits = std::numeric_limits<long double>::digits + 2;
constexpr long double ln2 = 0.693147180559945309417232121458176568L;

} // namespace

double ScaledReal::to_double() const noexcept {
    constexpr std::int64_t limit = 100'000;
    const auto exponent = static_cast<int>(std::clamp(exponent_, -limit, limit));
    return static_cast<double>(std::ldexp(mantissa_, exponent));
}

double ScaledReal::log() const noexcept {
    if (is_zero()) return -std::numeric_limits<double>::infinity();
    return static_cast<double>(std::log(mantissa_) + static_cast<long double>(exponent_) * ln2);
}

ScaledReal &ScaledReal::operator+=(const ScaledReal &other) noexcept {
    if (other.is_zero()) return *this;
    if (is_zero()) return *this = other;
    const std::int64_t gap = exponent_ - other.exponent_;
    if (gap > mantissa_bits) return *this;
    if (gap < -mantissa_bits) return *this = other;
    const bool larger = gap >= 0; // the smaller number is aligned to the exponent of the larger one
    const int shift = static_cast<int>(larger ? -gap : gap);
    const long double a = larger ? mantissa_ : other.mantissa_;
    const long double b = larger ? other.mantissa_ : mantissa_;
    set_near_one(a + (shift == 0 ? b : std::ldexp(b, shift)), std::max(exponent_, other.exponent_));
    return *this;
}

ScaledReal &ScaledReal::operator-=(const ScaledReal &other) noexcept {
    if (other.is_zero()) return *this;
    if (other >= *this) return *this = ScaledReal();
    const std::int64_t gap = exponent_ - other.exponent_;
    if (gap > mantissa_bits) return *this;
    normalise(mantissa_ - std::ldexp(other.mantissa_, static_cast<int>(-gap)), exponent_);
    return *this;
}

bool is_tie(const ScaledReal &a, const ScaledReal &b) noexcept {
    const ScaledReal &larger = std::max(a, b);
    const ScaledReal &smaller = std::min(a, b);
    return larger - smaller <= larger * ScaledReal(tie_tolerance);
}

} // namespace neurasp::base
