// Arrays: rows, labels, dimensions in another order.
#include "data/array.hpp"
#include "data_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

namespace neurasp::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

Bytes counting(std::size_t count) {
    Bytes bytes(count);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
    return bytes;
}

TEST(Array, TheFirstIndexSelectsARow) {
    const Array array({2, 3, 4}, counting(24), "x");
    EXPECT_EQ(array.rows(), 2u);
    EXPECT_EQ(array.row_size(), 12u);
    EXPECT_THAT(array.row_shape(), ElementsAre(3u, 4u));
    std::vector<float> row(12);
    array.copy_row(1, row);
    EXPECT_EQ(row.front(), 12.0F);
    EXPECT_EQ(row.back(), 23.0F);
}

TEST(Array, BytesAreNotScaled) {
    const Array array({1}, Bytes{255});
    float value = 0;
    array.copy_row(0, {&value, 1});
    EXPECT_EQ(value, 255.0F);
}

TEST(Array, AnEmptyArrayHasNoRows) {
    const Array none;
    EXPECT_EQ(none.rows(), 0u);
    none.verify();
    EXPECT_EQ(Array({0, 5}, Bytes{}).row_size(), 5u);
}

TEST(Array, TheShapeMustFitTheElements) {
    EXPECT_THROW(Array({2, 3}, Bytes(5)), ContractError);
    EXPECT_THROW(Array({}, Bytes(1)), ContractError);
    EXPECT_THROW(Array({2, 0}, Bytes{}), ContractError);
    const std::size_t half = std::size_t{1} << 32;
    EXPECT_THROW(Array({half, half}, Bytes{}), ContractError) << "the product wraps to 0";
    EXPECT_THROW(Array({0, half, half}, Bytes{}), ContractError);
}

TEST(Array, TheRoomForARowMustFit) {
    const Array array({2, 2}, Bytes(4));
    std::vector<float> room(3);
    EXPECT_THROW(array.copy_row(0, room), ContractError);
}

TEST(Array, ARowThatIsNotThereIsNamed) {
    const Array array({2, 2}, Bytes(4), "images.idx");
    std::vector<float> room(2);
    EXPECT_EQ(error_of([&] { array.copy_row(2, room); }),
              "data-index images.idx: there is no row 2 in 'images.idx' (its rows are 0 to 1)");
    EXPECT_EQ(error_of([&] {
                  throw array.no_such_row(-1, {"pairs.csv", 3, 5, 3, 7});
              }),
              "data-index pairs.csv:3:5: there is no row -1 in 'images.idx' (its rows are 0 to 1)");
    EXPECT_THAT(error_of([&] { static_cast<void>(Array().integer(0)); }),
                HasSubstr("it has no rows at all"));
    EXPECT_TRUE(array.has_row(1));
    EXPECT_FALSE(array.has_row(2));
    EXPECT_FALSE(array.has_row(-1));
}

TEST(Array, LabelsAreIntegersOfEveryType) {
    EXPECT_EQ(Array({2}, Bytes{3, 9}).integer(1), 9);
    EXPECT_EQ(Array({1}, std::vector<std::int32_t>{-4}).integer(0), -4);
    EXPECT_EQ(Array({1, 1}, std::vector<std::int64_t>{1LL << 60}).integer(0), 1LL << 60);
    EXPECT_EQ(Array({1}, std::vector<float>{7.0F}).integer(0), 7);
    EXPECT_EQ(Array({1}, std::vector<double>{-7.0}).integer(0), -7);
}

TEST(Array, ALabelMustBeASingleInteger) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Array numbers({3}, std::vector<double>{0.5, nan, 1e300}, "labels.npy");
    for (std::size_t row = 0; row < 3; ++row) {
        EXPECT_THAT(error_of([&] { static_cast<void>(numbers.integer(row)); }),
                    StartsWith("data-type labels.npy: row " + std::to_string(row)));
    }
    const Array images({2, 2}, Bytes(4), "images.npy");
    EXPECT_THAT(error_of([&] { static_cast<void>(images.integer(0)); }),
                StartsWith("data-shape images.npy: expected one number per row, found 2"));
}

TEST(Array, PermutedMovesDimensions) {
    constexpr std::size_t axes[] = {2, 0, 1};
    const Array moved = permuted(Array({2, 3, 4}, counting(24)), axes);
    EXPECT_THAT(moved.shape(), ElementsAre(4u, 2u, 3u));
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < 2; ++j) {
            for (std::size_t k = 0; k < 3; ++k) {
                EXPECT_EQ(values<std::uint8_t>(moved)[i * 6 + j * 3 + k], j * 12 + k * 4 + i);
            }
        }
    }
}

TEST(Array, ChannelsComeFirstForNetworks) {
    EXPECT_THAT(channels_first(Array({5, 2, 3}, Bytes(30))).shape(), ElementsAre(5u, 1u, 2u, 3u));
    const Array colored = channels_first(Array({1, 1, 2, 3}, Bytes{1, 2, 3, 4, 5, 6}));
    EXPECT_THAT(colored.shape(), ElementsAre(1u, 3u, 1u, 2u));
    EXPECT_THAT(values<std::uint8_t>(colored), ElementsAre(1, 4, 2, 5, 3, 6));
    const Array already = channels_first(Array({1, 3, 5, 5}, Bytes(75)));
    EXPECT_THAT(already.shape(), ElementsAre(1u, 3u, 5u, 5u));
    EXPECT_THAT(channels_first(Array({0, 2, 2, 3}, Bytes{})).shape(), ElementsAre(0u, 3u, 2u, 2u));
}

TEST(Array, OnlyImagesHaveChannels) {
    EXPECT_THAT(error_of([] { channels_first(Array({6}, Bytes(6), "labels")); }),
                StartsWith("data-shape labels: expected images"));
    EXPECT_THAT(error_of([] {
                    channels_first(Array({1, 5, 5, 5}, Bytes(125), "x"));
                }),
                HasSubstr("found 1 x 5 x 5 x 5"));
}

} // namespace
} // namespace neurasp::data
