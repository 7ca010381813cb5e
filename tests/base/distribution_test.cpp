// Distributions, Proposition 1 and the stopwatch.
#include "base/distribution.hpp"
#include "base/proposition1.hpp"
#include "base/stopwatch.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

namespace neurasp::base {
namespace {

template <class Real> class Distribution : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Distribution, Reals);

template <class Real> bool accepts(std::vector<Real> numbers) {
    return is_distribution(std::span<const Real>(numbers));
}

TYPED_TEST(Distribution, SumsToOneUpToOneThousandth) {
    using Real = TypeParam;
    EXPECT_TRUE(accepts<Real>({Real(0.25), Real(0.75), Real(0)}));
    EXPECT_TRUE(accepts<Real>({Real(0.5), Real(0.5009)}));
    EXPECT_TRUE(accepts<Real>({Real(0.5), Real(0.4991)}));
    EXPECT_FALSE(accepts<Real>({Real(0.5), Real(0.5011)}));
    EXPECT_FALSE(accepts<Real>({Real(0.5), Real(0.4989)}));
    EXPECT_FALSE(accepts<Real>({}));
}

TYPED_TEST(Distribution, HasNoNegativeEntryAndNoneThatIsNotFinite) {
    using Limits = std::numeric_limits<TypeParam>;
    EXPECT_FALSE(accepts<TypeParam>({TypeParam(1.5), TypeParam(-0.5)}));
    EXPECT_FALSE(accepts<TypeParam>({Limits::quiet_NaN(), TypeParam(1)}));
    EXPECT_FALSE(accepts<TypeParam>({Limits::infinity(), TypeParam(0)}));
    EXPECT_FALSE(accepts<TypeParam>({-Limits::infinity(), Limits::infinity()}));
}

// By Proposition 1: the derivative of each outcome minus the sum of those of the others.
TYPED_TEST(Distribution, AbsorbsChangesInTheOtherOutcomes) {
    std::array<TypeParam, 3> plain{3, 5, -1};
    absorb_changes(plain.data(), plain.size());
    EXPECT_EQ(plain, (std::array<TypeParam, 3>{3 - 4, 5 - 2, -1 - 8}));
}

TYPED_TEST(Distribution, AbsorbsChangesInOneColumnOnly) {
    std::array<TypeParam, 6> columns{7, 3, 7, 5, 7, 2}; // the second of two columns holds 3, 5, 2
    absorb_changes(&columns[1], 3, 2);
    EXPECT_EQ(columns, (std::array<TypeParam, 6>{7, -4, 7, 0, 7, -6}));
}

TEST(Stopwatch, NeverGoesBack) {
    const Stopwatch watch;
    const double first = watch.seconds();
    EXPECT_GE(first, 0.0);
    EXPECT_GE(watch.seconds(), first);
}

} // namespace
} // namespace neurasp::base
