// Changes of pictures whose results are known exactly.
#include "data/augmentation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace neurasp::data {
namespace {

using Picture = std::vector<float>;

constexpr PictureShape square{1, 3, 3};
const Picture numbers = {1, 2, 3, 4, 5, 6, 7, 8, 9};

Picture placed(const Picture &picture, PictureShape shape, const Placement &placement) {
    Picture out(picture.size());
    place_picture(picture, shape, placement, out);
    return out;
}

void expect_near(const Picture &found, const Picture &expected) {
    ASSERT_EQ(found.size(), expected.size());
    // the cosine of a right angle is 6e-17, not 0
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6) << i;
}

TEST(Augmentation, APictureThatIsNotMovedStaysAsItIs) {
    EXPECT_EQ(placed(numbers, square, {}), numbers);
}

TEST(Augmentation, ShiftsByWholePixelsRepeatTheEdge) {
    EXPECT_EQ(placed(numbers, square, {1, 0, 0, 1}), (Picture{1, 1, 2, 4, 4, 5, 7, 7, 8}));
    EXPECT_EQ(placed(numbers, square, {-1, 0, 0, 1}), (Picture{2, 3, 3, 5, 6, 6, 8, 9, 9}));
    EXPECT_EQ(placed(numbers, square, {0, 1, 0, 1}), (Picture{1, 2, 3, 1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(placed(numbers, square, {-1, -2, 0, 1}), (Picture{8, 9, 9, 8, 9, 9, 8, 9, 9}));
}

TEST(Augmentation, HalfAPixelIsTheMeanOfTwo) {
    EXPECT_EQ(placed(numbers, square, {0.5, 0, 0, 1}),
              (Picture{1, 1.5, 2.5, 4, 4.5, 5.5, 7, 7.5, 8.5}));
}

TEST(Augmentation, RightAnglesMovePixelsToPixels) {
    const double right = std::numbers::pi / 2;
    expect_near(placed(numbers, square, {0, 0, right, 1}), {7, 4, 1, 8, 5, 2, 9, 6, 3});
    expect_near(placed(numbers, square, {0, 0, -right, 1}), {3, 6, 9, 2, 5, 8, 1, 4, 7});
    expect_near(placed(numbers, square, {0, 0, 2 * right, 1}), {9, 8, 7, 6, 5, 4, 3, 2, 1});
    // turned first, then shifted
    expect_near(placed(numbers, square, {1, 0, right, 1}), {7, 7, 4, 8, 8, 5, 9, 9, 6});
}

TEST(Augmentation, AnEnlargedPictureKeepsItsCentre) {
    // twice as large: pixel 0 shows the place half-way between pixels 0 and 1
    expect_near(placed(numbers, square, {0, 0, 0, 2}), {3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7});
}

TEST(Augmentation, ChannelsMoveTogether) {
    const Picture two = {1, 2, 3, 4, 10, 20, 30, 40}; // 2 x 2 x 2
    EXPECT_EQ(placed(two, {2, 2, 2}, {0, 1, 0, 1}), (Picture{1, 2, 1, 2, 10, 20, 10, 20}));
}

TEST(Augmentation, PlacementsFillTheirRange) {
    const AugmentationSettings settings{2.0, 30.0, 0.25, 0.0};
    base::RandomStream random(7);
    Placement least{9, 9, 9, 9};
    Placement most{-9, -9, -9, -9};
    for (int i = 0; i < 2000; ++i) {
        const Placement one = draw_placement(settings, random);
        least = {std::min(least.shift_x, one.shift_x), std::min(least.shift_y, one.shift_y),
                 std::min(least.angle, one.angle), std::min(least.scale, one.scale)};
        most = {std::max(most.shift_x, one.shift_x), std::max(most.shift_y, one.shift_y),
                std::max(most.angle, one.angle), std::max(most.scale, one.scale)};
    }
    const double turn = std::numbers::pi / 6;
    EXPECT_TRUE(least.shift_x >= -2 && least.shift_x < -1.95);
    EXPECT_TRUE(most.shift_x <= 2 && most.shift_x > 1.95);
    EXPECT_TRUE(least.shift_y >= -2 && least.shift_y < -1.95);
    EXPECT_TRUE(most.shift_y <= 2 && most.shift_y > 1.95);
    EXPECT_TRUE(least.angle >= -turn && least.angle < -0.97 * turn);
    EXPECT_TRUE(most.angle <= turn && most.angle > 0.97 * turn);
    EXPECT_TRUE(least.scale >= 0.75 && least.scale < 0.76);
    EXPECT_TRUE(most.scale <= 1.25 && most.scale > 1.24);
}

TEST(Augmentation, NoiseHasItsMeanAndDeviation) {
    base::RandomStream random(7);
    std::vector<float> drawn(100'001);
    add_noise(drawn, 0.5, random);
    double sum = 0.0;
    double squares = 0.0;
    for (const float number : drawn) {
        sum += number;
        squares += static_cast<double>(number) * number;
    }
    const double count = static_cast<double>(drawn.size());
    // five standard errors: 0.5 / sqrt(n) of the mean, 0.5 / sqrt(2n) of the deviation
    EXPECT_NEAR(sum / count, 0.0, 5 * 0.5 / std::sqrt(count));
    EXPECT_NEAR(std::sqrt(squares / count), 0.5, 5 * 0.5 / std::sqrt(2 * count));
    EXPECT_NE(drawn.back(), 0.0F);
}

TEST(Augmentation, OnlyPicturesHaveAShape) {
    const auto shape = [](std::vector<std::size_t> row, bool channels_first) {
        const auto found = picture_shape(row, channels_first);
        return found ? std::vector<std::size_t>{found->channels, found->height, found->width}
                     : std::vector<std::size_t>();
    };
    EXPECT_EQ(shape({28, 20}, false), (std::vector<std::size_t>{1, 28, 20}));
    EXPECT_EQ(shape({3, 28, 20}, true), (std::vector<std::size_t>{3, 28, 20}));
    EXPECT_TRUE(shape({28, 20, 3}, false).empty());
    EXPECT_TRUE(shape({28}, false).empty());
}

TEST(Augmentation, EveryNumberChangesTheSeed) {
    const auto seed = [](std::vector<std::uint64_t> parts) { return mixed_seed(parts); };
    EXPECT_EQ(seed({1, 2, 3}), seed({1, 2, 3}));
    EXPECT_NE(seed({1, 2, 3}), seed({1, 3, 2}));
    EXPECT_NE(seed({0, 0}), seed({0, 0, 0}));
}

} // namespace
} // namespace neurasp::data
