// The product of terms: P({O1..Ok}).
#include "neurasp/observation_set.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace neurasp {
namespace {

Probability exactly(double value) { return {value, std::log(value), value, value, true}; }
Probability between(double lower, double upper) {
    return {lower, std::log(lower), lower, upper, false};
}
constexpr double rounding = 1e-12;

TEST(Product, MultipliesTerms) {
    const std::vector<Probability> terms{exactly(0.5), exactly(0.25), exactly(0.1)};
    const Probability all = product(terms);
    EXPECT_NEAR(all.value, 0.0125, rounding);
    EXPECT_NEAR(all.log, std::log(0.0125), rounding);
    EXPECT_TRUE(all.exact);
    EXPECT_EQ(all.lower, all.value);
    EXPECT_EQ(all.upper, all.value);
}

TEST(Product, OfNoTermIsOne) {
    EXPECT_EQ(product({}).value, 1.0);
    EXPECT_EQ(product({}).log, 0.0);
    EXPECT_TRUE(product({}).exact);
}

TEST(Product, KeepsItsLogarithmWhereItUnderflows) {
    const std::vector<Probability> terms(100, exactly(1e-30));
    const Probability all = product(terms);
    EXPECT_EQ(all.value, 0.0);
    EXPECT_NEAR(all.log, -3000.0 * std::log(10.0), 1e-8);
    EXPECT_FALSE(all.is_zero());
}

TEST(Product, OfBoundsIsBounded) {
    const Probability all =
        product(std::vector{exactly(0.5), between(0.2, 0.6), between(0.5, 1.0)});
    EXPECT_FALSE(all.exact);
    EXPECT_NEAR(all.lower, 0.05, rounding);
    EXPECT_NEAR(all.value, 0.05, rounding);
    EXPECT_NEAR(all.upper, 0.3, rounding);
}

TEST(Product, IsZeroWithOneTermThatIs) {
    const Probability all = product(std::vector{between(0.2, 0.6), Probability{}});
    EXPECT_TRUE(all.is_zero());
    EXPECT_EQ(all.upper, 0.0);
}

TEST(Product, OfTermsThatMayBeZeroIsNotZero) {
    const std::vector<Probability> terms(200, between(0.0, 1e-10));
    const Probability all = product(terms);
    EXPECT_FALSE(all.is_zero());
    EXPECT_EQ(all.lower, 0.0);
    EXPECT_GT(all.upper, 0.0); // 1e-2000 underflows
}

} // namespace
} // namespace neurasp
