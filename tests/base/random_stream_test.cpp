// Random numbers: the standard's engine, our own distributions.
#include "base/random_stream.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace neurasp::base::test {
namespace {

TEST(RandomStream, IsTheEngineThatTheStandardFixes) {
    // [rand.predef]: the 10000th number of a default-constructed mt19937_64 (seed 5489)
    RandomStream random(5489);
    for (int i = 1; i < 10'000; ++i) random.bits();
    EXPECT_EQ(random.bits(), 9981545732273789042ULL);
}

TEST(RandomStream, StartsWithTheNumbersOfTheReferenceImplementation) {
    RandomStream random(5489); // Nishimura and Matsumoto, mt19937-64
    EXPECT_EQ(random.bits(), 14514284786278117030ULL);
    EXPECT_EQ(random.bits(), 4620546740167642908ULL);
}

TEST(RandomStream, RepeatsForTheSameSeedAndDiffersForAnother) {
    RandomStream a(42);
    RandomStream b(42);
    RandomStream c(43);
    bool differs = false;
    for (int i = 0; i < 10; ++i) {
        const auto x = a.bits();
        EXPECT_EQ(x, b.bits());
        differs = differs || x != c.bits();
    }
    EXPECT_TRUE(differs);
}

TEST(RandomStream, MakesUniformNumbersFromTheUpper53Bits) {
    RandomStream random(5489);
    EXPECT_EQ(random.uniform(),
              (std::floor(14514284786278117030.0L / 2048.0L) + 1.0L) / 9007199254740992.0L);
}

TEST(RandomStream, StaysAboveZeroAndAtMostOne) {
    RandomStream random(1);
    constexpr int draws = 100'000;
    double sum = 0.0;
    for (int i = 0; i < draws; ++i) {
        const double x = random.uniform();
        ASSERT_GT(x, 0.0);
        ASSERT_LE(x, 1.0);
        sum += x;
    }
    // the mean has standard deviation 1/sqrt(12 n); being off by five of them is not chance
    EXPECT_NEAR(sum / draws, 0.5, 5.0 / std::sqrt(12.0 * draws));
}

TEST(RandomStream, DrawsBelowABoundWithoutBias) {
    RandomStream random(2);
    constexpr std::size_t cells = 7;
    constexpr int draws = 70'000;
    std::array<int, cells> counts{};
    for (int i = 0; i < draws; ++i) ++counts.at(random.below(cells));
    double chi_square = 0.0;
    for (const int count : counts) chi_square += std::pow(count - draws / 7.0, 2) / (draws / 7.0);
    constexpr double critical = 27.86; // chi-square, 6 degrees of freedom, p = 0.0001
    EXPECT_LT(chi_square, critical);
}

TEST(RandomStream, DrawsBelowABoundThatDoesNotDivideTwoTo64) {
    // 3 * 2^62: the plain remainder would hit the lower third with probability 1/2
    const std::uint64_t bound = std::uint64_t{3} << 62U;
    RandomStream random(3);
    constexpr int draws = 30'000;
    int lower_third = 0;
    for (int i = 0; i < draws; ++i) lower_third += random.below(bound) < bound / 3 ? 1 : 0;
    const double deviation = std::sqrt(draws * (1.0 / 3.0) * (2.0 / 3.0));
    EXPECT_NEAR(lower_third, draws / 3.0, 5.0 * deviation);
}

TEST(RandomStream, DrawsOnlyZeroBelowOne) {
    RandomStream random(4);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(random.below(1), 0U);
}

} // namespace
} // namespace neurasp::base::test
