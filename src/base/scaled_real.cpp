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
    const bool larger = gap >= 0; // the smaller one is scaled to the exponent of the larger one
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
