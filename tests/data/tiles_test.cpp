// Pictures cut into tiles.
#include "data/tiles.hpp"
#include "data_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Tiles, APictureIsCutRowByRow) {
    const Array tiles = cut_tiles(Array({1, 2, 4}, Bytes{1, 2, 3, 4, 5, 6, 7, 8}), {2, 2});
    EXPECT_THAT(tiles.shape(), ElementsAre(4u, 1u, 2u));
    EXPECT_THAT(values<std::uint8_t>(tiles), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
    const Array halves = cut_tiles(Array({1, 2, 4}, Bytes{1, 2, 3, 4, 5, 6, 7, 8}), {1, 2});
    EXPECT_THAT(halves.shape(), ElementsAre(2u, 2u, 2u));
    EXPECT_THAT(values<std::uint8_t>(halves), ElementsAre(1, 2, 5, 6, 3, 4, 7, 8));
}

TEST(Tiles, EachPictureIsCutAndColoursStayTogether) {
    const Array images({2, 1, 2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    const Array tiles = cut_tiles(images, {1, 2});
    EXPECT_THAT(tiles.shape(), ElementsAre(4u, 1u, 1u, 3u));
    EXPECT_THAT(values<float>(tiles), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
}

TEST(Tiles, LeftoverPixelsAreTrimmedOnlyIfAllowed) {
    const Array image({1, 3, 3}, Bytes{1, 2, 3, 4, 5, 6, 7, 8, 9}, "board.png");
    EXPECT_THAT(
        error_of([&] {
            cut_tiles(image, {2, 2});
        }),
        StartsWith("data-shape board.png: pictures of 3 x 3 pixels (height x width) cannot be "
                   "cut into 2 x 2 equal tiles"));
    EXPECT_THAT(values<std::uint8_t>(cut_tiles(image, {2, 2, true})), ElementsAre(1, 2, 4, 5));
    EXPECT_THAT(error_of([&] { cut_tiles(image, {4, 1, true}); }), HasSubstr("4 x 1 equal tiles"));
}

TEST(Tiles, OnlyPicturesAreCut) {
    EXPECT_THAT(error_of([] {
                    cut_tiles(Array({4, 4}, Bytes(16), "x"), {2, 2});
                }),
                StartsWith("data-shape x: expected pictures"));
    EXPECT_THAT(error_of([] {
                    cut_tiles(Array({1, 4, 4}, Bytes(16)), {0, 2});
                }),
                StartsWith("contract: "));
}

TEST(Tiles, NoPicturesGiveNoTiles) {
    EXPECT_THAT(cut_tiles(Array({0, 4, 6}, Bytes{}), {2, 2}).shape(), ElementsAre(0u, 2u, 3u));
}

} // namespace
} // namespace neurasp::data
