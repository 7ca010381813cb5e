// The pictures were written by Pillow (files/make_files.py); the expected pixels are those it was given.
#include "data/image.hpp"
#include "data_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::data {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

Array read_picture(const std::string &name, Colors colors = Colors::as_stored) {
    ImageOptions options;
    options.colors = colors;
    return read_image(kept_file(name), options);
}

const Bytes &pixels(const Array &array) { return values<std::uint8_t>(array); }

Bytes first(const std::string &name, std::size_t size) {
    Bytes bytes = read_bytes(kept_file(name));
    bytes.resize(size);
    return bytes;
}

TEST(Png, ReadsGreyPictures) {
    const Array grey = read_picture("grey.png");
    EXPECT_THAT(grey.shape(), ElementsAre(2u, 3u));
    EXPECT_THAT(pixels(grey), ElementsAre(0, 50, 100, 150, 200, 255));
    EXPECT_THAT(pixels(read_picture("grey1.png")), ElementsAre(0, 255, 0, 255, 0, 255));
    EXPECT_THAT(pixels(read_picture("interlaced.png")),
                ElementsAre(0, 1, 2, 10, 11, 12, 20, 21, 22));
}

TEST(Png, SixteenBitsAreScaledToEight) {
    EXPECT_THAT(pixels(read_picture("grey16.png")), ElementsAre(0, 1, 255));
}

TEST(Png, ReadsColours) {
    for (const char *name : {"rgb.png", "palette.png"}) {
        const Array rgb = read_picture(name);
        EXPECT_THAT(rgb.shape(), ElementsAre(2u, 2u, 3u));
        EXPECT_THAT(pixels(rgb), ElementsAre(255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30));
    }
}

TEST(Png, TransparentPixelsLieOnWhite) {
    // 51 is a fifth of 255: black at a fifth on white is 204.
    EXPECT_THAT(pixels(read_picture("rgba.png")),
                ElementsAre(200, 100, 0, 255, 255, 255, 204, 204, 204));
}

TEST(Png, ColoursAreConvertedOnRequest) {
    const Array grey = read_picture("rgb.png", Colors::grey);
    EXPECT_THAT(grey.shape(), ElementsAre(2u, 2u));
    // 0.299, 0.587 and 0.114 of 255; 0.299*10 + 0.587*20 + 0.114*30 = 18.15
    EXPECT_THAT(pixels(grey), ElementsAre(76, 150, 29, 18));
    const Array rgb = read_picture("grey1.png", Colors::rgb);
    EXPECT_THAT(rgb.shape(), ElementsAre(2u, 3u, 3u));
    EXPECT_THAT(Bytes(pixels(rgb).begin(), pixels(rgb).begin() + 6),
                ElementsAre(0, 0, 0, 255, 255, 255));
}

TEST(Png, AFileThatEndsEarlyIsTruncated) {
    const std::size_t whole = read_bytes(kept_file("rgb.png")).size();
    for (std::size_t size = 8; size < whole; ++size) {
        EXPECT_THAT(error_of([&] { decode_image(first("rgb.png", size), "a.png"); }),
                    StartsWith("data-truncated a.png: "))
            << size;
    }
}

TEST(Png, DamagedFilesSayHow) {
    Bytes damaged = read_bytes(kept_file("rgb.png"));
    damaged[20] ^= 1; // in the header, whose checksum then fails
    EXPECT_THAT(error_of([&] { decode_png(damaged, "a.png"); }),
                HasSubstr("data-format a.png: the PNG file is damaged: "));
    EXPECT_THAT(error_of([] { decode_png(bytes_of("GIF89a"), "a.png"); }),
                StartsWith("data-format a.png: this is not a PNG file"));
    EXPECT_THAT(error_of([] { decode_image(bytes_of("GIF89a"), "a.png"); }),
                StartsWith("data-format a.png: this is neither"));
}

TEST(Png, ASizeThatTheBytesCannotHoldIsNotAllocated) {
    // An 8-bit grey picture of 30000 x 2000 pixels in some sixty bytes; the checksum is right.
    const Bytes huge{0x89, 'P',  'N',  'G', 13, 10, 26, 10,  0,   0,   0,   13,   'I',  'H',  'D',
                     'R',  0,    0,    117, 48, 0,  0,  7,   208, 8,   0,   0,    0,    0,    0x2e,
                     0xff, 0x7d, 0xe6, 0,   0,  0,  0,  'I', 'D', 'A', 'T', 0x35, 0xaf, 0x06, 0x1e};
    EXPECT_THAT(error_of([&] { decode_png(huge, "a.png"); }),
                HasSubstr("announces 30000 x 2000 pixels, but has only 45 bytes"));
}

TEST(Images, MorePixelsThanAllowedAreRefused) {
    ImageOptions options;
    options.most_pixels = 5;
    EXPECT_EQ(error_of([&] { read_image(kept_file("grey.png"), options); }),
              "data-too-large grey.png: the picture has 3 x 2 pixels; at most 5 are read");
    EXPECT_EQ(error_of([&] { read_image(kept_file("rgb.jpg"), options); }),
              "data-too-large rgb.jpg: the picture has 16 x 16 pixels; at most 5 are read");
}

TEST(Jpeg, ReadsGreyPictures) {
    const Array grey = read_picture("grey.jpg");
    EXPECT_THAT(grey.shape(), ElementsAre(8u, 16u));
    EXPECT_EQ(pixels(grey)[0], 40);
    EXPECT_EQ(pixels(grey)[127], 200);
}

TEST(Jpeg, ReadsColours) {
    for (const char *name : {"rgb.jpg", "progressive.jpg"}) {
        const Array rgb = read_picture(name);
        EXPECT_THAT(rgb.shape(), ElementsAre(16u, 16u, 3u));
        EXPECT_THAT(Bytes(pixels(rgb).begin(), pixels(rgb).begin() + 3), ElementsAre(200, 100, 50));
        // djpeg -grayscale says the same; 0.299*200 + 0.587*100 + 0.114*50 = 124.2
        EXPECT_THAT(pixels(read_picture(name, Colors::grey)), Each(124));
    }
    EXPECT_THAT(read_picture("grey.jpg", Colors::rgb).shape(), ElementsAre(8u, 16u, 3u));
}

TEST(Jpeg, AFileThatEndsEarlyIsNeverAPicture) {
    for (const char *name : {"rgb.jpg", "progressive.jpg"}) {
        const std::size_t whole = read_bytes(kept_file(name)).size();
        for (std::size_t size = 3; size < whole; ++size) {
            EXPECT_THAT(error_of([&] { decode_image(first(name, size), "a.jpg"); }),
                        StartsWith("data-truncated a.jpg: "))
                << name << " " << size;
        }
    }
}

TEST(Jpeg, UnreadablePicturesAreReportedWithTheReason) {
    EXPECT_THAT(error_of([] { read_picture("cmyk.jpg"); }),
                StartsWith("data-format cmyk.jpg: the JPEG file cannot be read: "));
    EXPECT_THAT(error_of([] { decode_jpeg(bytes_of("GIF89a"), "a.jpg"); }),
                StartsWith("data-format a.jpg: this is not a JPEG file"));
}

TEST(Jpeg, ASizeThatTheBytesCannotHoldIsNotAllocated) {
    Bytes bytes = read_bytes(kept_file("grey.jpg"));
    const std::size_t frame =
        as_text(bytes).find("\xff\xc0"); // then length, precision, height, width
    ASSERT_NE(frame, std::string_view::npos);
    bytes[frame + 5] = 0x0F;
    bytes[frame + 7] = 0x0F;
    EXPECT_THAT(error_of([&] { decode_jpeg(bytes, "a.jpg"); }),
                HasSubstr("announces 3856 x 3848 pixels, but has only"));
}

} // namespace
} // namespace neurasp::data
