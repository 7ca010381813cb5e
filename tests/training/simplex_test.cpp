// Projection onto distributions.
#include "neurasp/training.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace neurasp::training {
namespace {

TEST(ProjectToSimplex, FindsTheNearestDistribution) {
    std::vector<double> numbers{0.5, 0.7};
    project_to_simplex(numbers, 0.0);
    EXPECT_NEAR(numbers[0], 0.4, 1e-12);
    EXPECT_NEAR(numbers[1], 0.6, 1e-12);
    std::vector<double> far{2.0, -1.0, 0.0};
    project_to_simplex(far, 0.0);
    EXPECT_EQ(far, (std::vector<double>{1.0, 0.0, 0.0}));
}

TEST(ProjectToSimplex, LosesNoDigitsOfLargeNumbers) {
    std::vector<double> numbers{-1e300, 1e300};
    project_to_simplex(numbers);
    EXPECT_NEAR(numbers[0], 1e-6, 1e-12);
    EXPECT_NEAR(numbers[1], 1.0 - 1e-6, 1e-12);
    std::vector<double> near{1e9, 1e9 + 0.5};
    project_to_simplex(near, 0.0);
    EXPECT_NEAR(near[0], 0.25, 1e-12);
    EXPECT_NEAR(near[1], 0.75, 1e-12);
}

} // namespace
} // namespace neurasp::training
