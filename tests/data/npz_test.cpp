// The files are written by NumPy itself (files/make_files.py).
#include "data/npz.hpp"
#include "data_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::data {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string npz_error(const Bytes &bytes, const std::string &member = {}) {
    return error_of([&] { parse_npz(bytes, "a.npz", member); });
}

// The offset of the `count`-th byte after the first occurrence of `magic`.
std::size_t behind(const Bytes &bytes, std::string_view magic, std::size_t count) {
    return as_text(bytes).find(magic) + count;
}

TEST(Npz, ReadsAMemberByName) {
    EXPECT_THAT(npz_members(stored(), "a.npz"), ElementsAre("images", "labels"));
    const Array labels = parse_npz(stored(), "a.npz", "labels");
    EXPECT_THAT(values<std::int64_t>(labels), ElementsAre(7, 8));
    EXPECT_EQ(labels.name(), "a.npz[labels]");
    EXPECT_THAT(parse_npz(stored(), "a.npz", "images.npy").shape(), ElementsAre(2u, 3u, 4u));
}

TEST(Npz, TheOnlyMemberNeedsNoName) {
    const Array array = parse_npz(deflated(), "a.npz");
    EXPECT_THAT(array.shape(), ElementsAre(10u, 20u));
    EXPECT_THAT(values<std::uint8_t>(array), Each(9));
}

TEST(Npz, ACommentMayFollow) {
    Bytes bytes = deflated();
    bytes[bytes.size() - 2] = 3;
    for (const char c : std::string("end")) bytes.push_back(static_cast<std::uint8_t>(c));
    EXPECT_EQ(parse_npz(bytes, "a.npz").rows(), 10u);
}

TEST(Npz, TheNameOfAMemberIsNeededAmongSeveral) {
    EXPECT_EQ(npz_error(stored()),
              "data-member a.npz: the archive holds 2 arrays; say which one is "
              "meant (it holds: images, labels)");
    EXPECT_EQ(npz_error(stored(), "label"),
              "data-member a.npz: the archive holds no array 'label' (did you mean 'labels'?)");
    EXPECT_EQ(npz_error(stored(), "x_train"), "data-member a.npz: the archive holds no array "
                                              "'x_train' (it holds: images, labels)");
}

TEST(Npz, AnArchiveThatEndsEarlyIsTruncated) {
    const Bytes whole = deflated();
    for (std::size_t size = 4; size < whole.size(); ++size) {
        const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_THAT(npz_error(part), StartsWith("data-truncated a.npz: ")) << size;
    }
}

TEST(Npz, OtherFilesAreNotArchives) {
    EXPECT_THAT(npz_error(bytes_of("hello")),
                StartsWith("data-format a.npz: this is not a complete ZIP"));
    EXPECT_THAT(npz_error({}), StartsWith("data-format a.npz: "));
}

TEST(Npz, AnyChangedByteOfAMemberIsNoticed) {
    const Bytes whole = deflated();
    const std::size_t begin = behind(whole, "only.npy", 8 + 20); // after the local header
    const std::size_t end = as_text(whole).find("PK\x01\x02");
    for (std::size_t at = begin; at < end; ++at) {
        Bytes damaged = whole;
        damaged[at] ^= 0x10;
        EXPECT_THAT(npz_error(damaged), StartsWith("data-")) << at;
    }
}

TEST(Npz, Zip64IsRefused) {
    Bytes bytes = deflated();
    const std::size_t size = behind(bytes, "PK\x01\x02", 24);
    for (std::size_t i = 0; i < 4; ++i) bytes[size + i] = 0xFF;
    EXPECT_THAT(npz_error(bytes), StartsWith("data-format a.npz: this is a ZIP64 archive"));
}

TEST(Npz, EncryptedAndUnknownPackingsAreRefused) {
    Bytes bytes = deflated();
    bytes[behind(bytes, "PK\x01\x02", 8)] |= 1;
    EXPECT_THAT(npz_error(bytes), HasSubstr("the member 'only.npy' is encrypted"));
    bytes = deflated();
    bytes[behind(bytes, "PK\x01\x02", 10)] = 12;
    EXPECT_THAT(npz_error(bytes), HasSubstr("is packed with method 12"));
}

TEST(Npz, AnAnnouncedSizeIsNotBelieved) {
    Bytes bytes = deflated();
    bytes[behind(bytes, "PK\x01\x02", 27)] = 0x7F; // 2 GB from some sixty bytes
    EXPECT_THAT(npz_error(bytes), HasSubstr("packed bytes cannot hold"));
    EXPECT_THAT(error_of([] { parse_npz(deflated(), "a.npz", "", 100); }),
                StartsWith("data-too-large a.npz: "));
}

TEST(Npz, PlacesOutsideAreRefused) {
    Bytes bytes = deflated();
    bytes[behind(bytes, "PK\x01\x02", 44)] = 0x7F; // the member's offset
    EXPECT_THAT(npz_error(bytes), StartsWith("data-format a.npz: the ZIP archive is damaged"));
    bytes = deflated();
    bytes[behind(bytes, "PK\x05\x06", 18)] = 0x7F; // the directory's
    EXPECT_THAT(npz_error(bytes), HasSubstr("its directory lies outside"));
}

} // namespace
} // namespace neurasp::data
