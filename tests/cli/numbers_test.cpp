// Numbers and tables as the command prints them.
#include "cli/numbers.hpp"
#include "cli/table.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace neurasp::cli {
namespace {

TEST(Numbers, AreShort) {
    EXPECT_EQ(show(0.1 + 0.2), "0.3");
    EXPECT_EQ(show(-0.0), "0");
    EXPECT_EQ(show(1.0 / 3.0), "0.33333333");
    EXPECT_EQ(show(1.2e-31), "1.2e-31");
}

TEST(Numbers, ProbabilitiesThatUnderflowAreShownFromTheirLogarithm) {
    EXPECT_EQ(show(Probability{0.0, std::log(1.5) - 1000.0 * std::log(10.0)}), "1.5e-1000");
    EXPECT_EQ(show(Probability{0.0, -1000.0 * std::log(10.0)}), "1e-1000");
    EXPECT_EQ(show(Probability{0.0, -INFINITY}), "0");
    EXPECT_EQ(show(Probability{0.25, std::log(0.25)}), "0.25");
}

TEST(Numbers, OnlySmallProbabilitiesShowTheirLogarithm) {
    EXPECT_EQ(show_small_log({0.25, std::log(0.25)}), "");
    EXPECT_EQ(show_small_log({0.0, -1000.0}), "(log -1000)");
    EXPECT_EQ(show_small_log({0.0, -INFINITY}), "");
}

TEST(Numbers, AnIntervalShowsBothEndsUnlessExact) {
    EXPECT_EQ(show(Probability{0.25, 0, 0.25, 0.5, false}), "0.25 .. 0.5");
    EXPECT_EQ(show(Probability{0.25, 0, 0.25, 0.25, true}), "0.25");
}

TEST(Table, AlignsByCharactersNotBytes) {
    EXPECT_EQ(align({{"größe", "1"}, {"a", "22"}}), "größe  1\na      22");
    EXPECT_EQ(align({{"a", ""}, {"b", "x"}}, 2), "  a\n  b  x");
    EXPECT_EQ(align({}), "");
}

// The float nearest to 0.3 is not 0.3; people need not see the difference.
TEST(Numbers, OfFloatNetworksLookEqualIfTheyAre) {
    const double third = static_cast<double>(0.3F);
    EXPECT_EQ(show_float(third), "0.3000");
    EXPECT_EQ(show_float(Probability{third, -1.2, third, third, true}), "0.3000");
    EXPECT_EQ(show_float(0.0), "0.0000");
    EXPECT_EQ(show_float(0.0004), "0.0004");
    EXPECT_EQ(show_float(1.25e-7), "1.2e-07");
    EXPECT_EQ(show_float(Probability{0.25, -1.4, 0.25, 0.5, false}), "0.2500 .. 0.5000");
    EXPECT_EQ(show_float(Probability{0.0, -1000.0 * std::log(10.0), 0.0, 0.0, true}), "1e-1000");
}

} // namespace
} // namespace neurasp::cli
