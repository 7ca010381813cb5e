// IDX files, whole and damaged.
#include "data/idx.hpp"
#include "data_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// One dimension of two elements of the given type.
Bytes two_of(std::uint8_t type, const Bytes &body) {
    Bytes bytes{0, 0, type, 1, 0, 0, 0, 2};
    bytes.insert(bytes.end(), body.begin(), body.end());
    return bytes;
}

TEST(Idx, ReadsImages) {
    const Array array =
        parse_idx(Bytes{0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 9, 8, 7, 6}, "x");
    EXPECT_THAT(array.shape(), ElementsAre(1u, 2u, 2u));
    EXPECT_THAT(values<std::uint8_t>(array), ElementsAre(9, 8, 7, 6));
}

TEST(Idx, ReadsAPackedFile) {
    const Array array = parse_idx(read_bytes(kept_file("images-idx3-ubyte.gz")), "x");
    EXPECT_THAT(array.shape(), ElementsAre(2u, 3u, 4u));
    EXPECT_EQ(values<std::uint8_t>(array)[23], 23);
}

TEST(Idx, ReadsEveryElementType) {
    EXPECT_THAT(values<std::uint8_t>(parse_idx(two_of(8, {1, 255}), "x")), ElementsAre(1, 255));
    EXPECT_THAT(values<std::int32_t>(parse_idx(two_of(9, {1, 255}), "x")), ElementsAre(1, -1));
    EXPECT_THAT(values<std::int32_t>(parse_idx(two_of(11, {1, 0, 0xFF, 0xFE}), "x")),
                ElementsAre(256, -2));
    EXPECT_THAT(values<std::int32_t>(parse_idx(two_of(12, {0, 1, 0, 0, 255, 255, 255, 255}), "x")),
                ElementsAre(65536, -1));
    // 1.5 is 3FC00000 and -2 is C0000000 in IEEE single, 3FF8... and C000... in double precision.
    EXPECT_THAT(values<float>(parse_idx(two_of(13, {0x3F, 0xC0, 0, 0, 0xC0, 0, 0, 0}), "x")),
                ElementsAre(1.5F, -2.0F));
    EXPECT_THAT(values<double>(parse_idx(
                    two_of(14, {0x3F, 0xF8, 0, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0}), "x")),
                ElementsAre(1.5, -2.0));
}

TEST(Idx, NoElementsAreFine) {
    EXPECT_EQ(parse_idx(Bytes{0, 0, 8, 1, 0, 0, 0, 0}, "x").rows(), 0u);
}

TEST(Idx, AFileThatEndsEarlyIsTruncated) {
    const Bytes whole = two_of(12, {0, 0, 0, 1, 0, 0, 0, 2});
    for (std::size_t size = 0; size < whole.size(); ++size) {
        EXPECT_THAT(error_of([&] { parse_idx(ByteSpan(whole).first(size), "a.idx"); }),
                    StartsWith("data-truncated a.idx: "))
            << size;
    }
    EXPECT_EQ(
        error_of([&] { parse_idx(ByteSpan(whole).first(15), "a.idx"); }),
        "data-truncated a.idx: the header announces 2 elements of 4 bytes, but 7 bytes follow "
        "it (is the file complete?)");
}

TEST(Idx, BytesAfterTheElementsAreRefused) {
    EXPECT_EQ(error_of([] {
                  parse_idx(two_of(8, {1, 2, 3}), "a.idx");
              }),
              "data-trailing a.idx: the header announces 2 elements of 1 byte, but 3 bytes follow "
              "it, 1 too many");
}

TEST(Idx, OtherFilesAreNotIdxFiles) {
    EXPECT_EQ(error_of([] { parse_idx(bytes_of("text"), "a.idx"); }),
              "data-format a.idx: this is not an IDX file: it begins with the bytes 116 and 101, "
              "expected 0 and 0");
    EXPECT_THAT(error_of([] {
                    parse_idx(two_of(7, {1, 2}), "a.idx");
                }),
                StartsWith("data-type a.idx: the IDX element type 7 does not exist"));
    EXPECT_THAT(error_of([] {
                    parse_idx(Bytes{0, 0, 8, 0}, "a.idx");
                }),
                StartsWith("data-shape a.idx: the IDX file has no dimensions"));
}

TEST(Idx, AShapeThatOverflowsIsNotAllocated) {
    Bytes bytes{0, 0, 14, 255};
    bytes.resize(4 + 255 * 4, 0xFF);
    EXPECT_THAT(error_of([&] { parse_idx(bytes, "a.idx"); }), StartsWith("data-truncated a.idx: "));
}

TEST(Idx, HugeRowsInAnEmptyArrayAreRefused) {
    const Bytes bytes{0, 0, 8, 3, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255};
    EXPECT_THAT(error_of([&] { parse_idx(bytes, "a.idx"); }), StartsWith("data-shape a.idx: "));
}

TEST(Idx, RowsWithoutElementsAreRefused) {
    const Bytes bytes{0, 0, 8, 2, 255, 255, 255, 255, 0, 0, 0, 0};
    EXPECT_THAT(error_of([&] { parse_idx(bytes, "a.idx"); }), StartsWith("data-shape a.idx: "));
}

} // namespace
} // namespace neurasp::data
