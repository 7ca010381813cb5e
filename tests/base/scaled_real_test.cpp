// ScaledReal against exact arithmetic and identities.
#include "base/scaled_real.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace neurasp::base::test {
namespace {

// A long double carries 64 bits: one operation costs at most 2^-64 = 5.4e-20 relative, a product of
// ten thousand factors 5.4e-16.
constexpr double product_tolerance = 1e-15;
constexpr double log_double_epsilon = 4e-16; // a logarithm rounded to double

// |a/b - 1|, computed without leaving the scale of the numbers.
double relative_difference(const ScaledReal &a, const ScaledReal &b) {
    return (a >= b ? ((a - b) / b) : ((b - a) / b)).to_double();
}

TEST(ScaledReal, MultipliesTenThousandHalvesExactly) {
    ScaledReal product(1.0L);
    for (int i = 0; i < 10'000; ++i) product *= ScaledReal(0.5L);
    EXPECT_DOUBLE_EQ(product.log(), -10'000 * 0.693147180559945309417232121458176568);
    for (int i = 0; i < 10'000; ++i) product /= ScaledReal(0.5L);
    EXPECT_EQ(product, ScaledReal(1.0L)); // powers of two are exact
}

TEST(ScaledReal, MultipliesThousandsOfFactorsThatCancelExactly) {
    // prod i/(i+1), i = 1..5000, in a scrambled order: the exact rational value is 1/5001
    ScaledReal product(1.0L);
    for (int k = 0; k < 5000; ++k) product *= ScaledReal(1.0L + (k * 1231) % 5000);
    for (int k = 0; k < 5000; ++k) product /= ScaledReal(2.0L + (k * 3217) % 5000);
    EXPECT_LT(relative_difference(product * ScaledReal(5001.0L), ScaledReal(1.0L)),
              product_tolerance);
}

TEST(ScaledReal, AgreesWithASumOfLogarithmsInHigherPrecision) {
    std::mt19937_64 random(7);
    ScaledReal product(1.0L);
    long double sum = 0.0L;
    long double carry = 0.0L; // Kahan: the sum is then good to a few units of 2^-64
    for (int i = 0; i < 4000; ++i) {
        const auto p = static_cast<long double>(random() >> 11U) * 0x1p-53L + 0x1p-60L;
        product *= ScaledReal(p);
        const long double term = std::log(p) - carry;
        const long double next = sum + term;
        carry = (next - sum) - term;
        sum = next;
    }
    EXPECT_NEAR(product.log() / static_cast<double>(sum), 1.0, log_double_epsilon) << "seed 7";
}

TEST(ScaledReal, KeepsTheLogarithmWhereTheDoubleUnderflows) {
    const ScaledReal tiny = ScaledReal(1e-300L) * ScaledReal(1e-300L);
    EXPECT_EQ(tiny.to_double(), 0.0);
    EXPECT_FALSE(tiny.is_zero());
    EXPECT_DOUBLE_EQ(tiny.log(), -600.0 * std::log(10.0));
    EXPECT_EQ(tiny.to_probability().value, 0.0);
    EXPECT_DOUBLE_EQ(tiny.to_probability().log, -600.0 * std::log(10.0));
}

TEST(ScaledReal, ConvertsSubnormalDoublesBothWays) {
    const double least = 4.9406564584124654e-324;
    EXPECT_EQ(ScaledReal(static_cast<long double>(least)).to_double(), least);
    EXPECT_EQ((ScaledReal(static_cast<long double>(least)) / ScaledReal(4.0L)).to_double(), 0.0);
}

TEST(ScaledReal, HasAnExactLogarithmNearOne) {
    // ln(1 - x) = -x - x^2/2 - ...
    const ScaledReal value = ScaledReal(1.0L) - ScaledReal(0x1p-40L);
    EXPECT_DOUBLE_EQ(value.log(), -(0x1p-40 + 0x1p-81));
}

TEST(ScaledReal, ShowsWhatRoundsToOneWithLogarithmZero) {
    const Probability p = (ScaledReal(1.0L) + ScaledReal(0x1p-62L)).to_probability();
    EXPECT_EQ(p.value, 1.0);
    EXPECT_EQ(p.log, 0.0);
}

TEST(ScaledReal, IsZeroByDefaultAndAbsorbsProducts) {
    const ScaledReal zero;
    EXPECT_TRUE(zero.is_zero());
    EXPECT_EQ(zero.to_double(), 0.0);
    EXPECT_EQ(zero.log(), -std::numeric_limits<double>::infinity());
    EXPECT_TRUE((zero * ScaledReal(3.0L)).is_zero());
    EXPECT_EQ(zero, ScaledReal(0.0L) * ScaledReal(1e-300L));
}

TEST(ScaledReal, AddsAcrossGapsThatDoublesCannotHold) {
    ScaledReal tiny(1.0L);
    for (int i = 0; i < 5000; ++i) tiny *= ScaledReal(0.25L); // 2^-10000
    EXPECT_EQ(ScaledReal(1.0L) + tiny, ScaledReal(1.0L));
    EXPECT_EQ(tiny + ScaledReal(1.0L), ScaledReal(1.0L));
    EXPECT_DOUBLE_EQ((tiny + tiny).log(), -9999 * 0.693147180559945309417232121458176568);
    EXPECT_EQ(tiny + ScaledReal(), tiny);
    EXPECT_EQ(ScaledReal() + tiny, tiny);
}

TEST(ScaledReal, SumsManyTinyNumbersWithoutLosingThem) {
    // 2^-2000 added 2^16 times is 2^-1984 exactly
    ScaledReal tiny(0x1p-1000L);
    tiny *= tiny;
    ScaledReal sum;
    for (int i = 0; i < 65536; ++i) sum += tiny;
    EXPECT_EQ(sum, ScaledReal(0x1p-1000L) * ScaledReal(0x1p-984L));
}

TEST(ScaledReal, AddsTheLastBitOfA64BitMantissa) {
    const ScaledReal sum = ScaledReal(1.0L) + ScaledReal(0x1p-63L);
    EXPECT_GT(sum, ScaledReal(1.0L));
    EXPECT_EQ(sum - ScaledReal(1.0L), ScaledReal(0x1p-63L));
}

TEST(ScaledReal, SubtractsExactlyAndStopsAtZero) {
    EXPECT_EQ(ScaledReal(0.75L) - ScaledReal(0.5L), ScaledReal(0.25L));
    EXPECT_TRUE((ScaledReal(0.5L) - ScaledReal(0.5L)).is_zero());
    EXPECT_TRUE((ScaledReal(0.5L) - ScaledReal(0.75L)).is_zero());
    EXPECT_EQ(ScaledReal(0.5L) - ScaledReal(), ScaledReal(0.5L));
    EXPECT_TRUE((ScaledReal() - ScaledReal(0.5L)).is_zero());
    EXPECT_EQ(ScaledReal(1.0L) - ScaledReal(1e-4000L), ScaledReal(1.0L));
}

TEST(ScaledReal, OrdersByValueAcrossScales) {
    const ScaledReal half(0.5L);
    ScaledReal tiny(1.0L);
    for (int i = 0; i < 20'000; ++i) tiny *= half;
    EXPECT_LT(ScaledReal(), tiny);
    EXPECT_LT(tiny * half, tiny);
    EXPECT_LT(tiny, ScaledReal(1e-300L));
    EXPECT_LT(ScaledReal(0.999L), ScaledReal(1.0L));
    EXPECT_GT(ScaledReal(0.75L), half);
    EXPECT_LE(half, ScaledReal(0.25L) + ScaledReal(0.25L));
}

TEST(ScaledReal, TiesWithinTheToleranceOnly) {
    ScaledReal tiny(1.0L);
    for (int i = 0; i < 3000; ++i) tiny *= ScaledReal(0.3L);
    EXPECT_TRUE(is_tie(tiny, tiny * ScaledReal(1.0L + 0.9e-14L)));
    EXPECT_FALSE(is_tie(tiny, tiny * ScaledReal(1.0L + 1.1e-14L)));
    EXPECT_FALSE(is_tie(tiny * ScaledReal(1.0L + 1e-12L), tiny));
    EXPECT_TRUE(is_tie(ScaledReal(), ScaledReal()));
    EXPECT_FALSE(is_tie(ScaledReal(), tiny));
}

} // namespace
} // namespace neurasp::base::test
