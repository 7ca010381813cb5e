// Reading files, plain or packed, within a limit.
#include "data/byte_source.hpp"
#include "data/inflate.hpp"
#include "data_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::data {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// `printf hello | gzip -n9 | xxd -i`
const Bytes hello_gz = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02,
                        0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x86,
                        0xa6, 0x10, 0x36, 0x05, 0x00, 0x00, 0x00};

Bytes joined(Bytes first, const Bytes &second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

std::string read(const TemporaryFolder &folder, const Bytes &content, std::uint64_t most = 1000) {
    const Bytes bytes = read_bytes(folder.write("file", content), most);
    return std::string(as_text(bytes));
}

TEST(ByteSource, ReadsAPlainFile) {
    const TemporaryFolder folder;
    EXPECT_EQ(read(folder, bytes_of("plain")), "plain");
    EXPECT_EQ(read(folder, {}), "");
}

TEST(ByteSource, ReadsMoreThanOneChunk) {
    const TemporaryFolder folder;
    const std::string text(3'000'001, 'x');
    EXPECT_EQ(read(folder, bytes_of(text), 4'000'000), text);
}

TEST(ByteSource, UnpacksGzipWhateverTheName) {
    const TemporaryFolder folder;
    EXPECT_EQ(read(folder, hello_gz), "hello");
}

TEST(ByteSource, UnpacksSeveralMembersAndIgnoresZerosAfterThem) {
    const TemporaryFolder folder;
    EXPECT_EQ(read(folder, joined(hello_gz, hello_gz)), "hellohello");
    EXPECT_EQ(read(folder, joined(hello_gz, Bytes(512, 0))), "hello");
}

TEST(ByteSource, AGzipFileThatEndsEarlyIsTruncated) {
    const TemporaryFolder folder;
    for (std::size_t size = 2; size < hello_gz.size(); ++size) {
        const Bytes part(hello_gz.begin(), hello_gz.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_THAT(error_of([&] { read(folder, part); }), StartsWith("data-truncated file:"))
            << size;
    }
}

TEST(ByteSource, AGzipFileWithAWrongChecksumIsDamaged) {
    const TemporaryFolder folder;
    Bytes damaged = hello_gz;
    damaged[18] ^= 1;
    EXPECT_THAT(error_of([&] { read(folder, damaged); }),
                StartsWith("data-format file: the gzip file is damaged"));
}

TEST(ByteSource, BytesAfterAGzipFileAreRefused) {
    const TemporaryFolder folder;
    EXPECT_THAT(error_of([&] { read(folder, joined(hello_gz, bytes_of("more"))); }),
                HasSubstr("at offset 25"));
    EXPECT_THAT(error_of([&] { read(folder, joined(hello_gz, bytes_of("more"))); }),
                StartsWith("data-trailing file:"));
}

TEST(ByteSource, NothingGrowsPastTheLimit) {
    const TemporaryFolder folder;
    EXPECT_EQ(read(folder, hello_gz, 25), "hello");
    EXPECT_EQ(error_of([&] { read(folder, bytes_of("123456"), 5); }),
              "data-too-large file: the file has more than 5 bytes");
    EXPECT_EQ(error_of([&] { gunzip(hello_gz, "bomb.gz", 4); }),
              "data-too-large bomb.gz: unpacked, the file has more than 4 bytes");
}

TEST(ByteSource, UnreadableFilesAreNamedWithTheReason) {
    const TemporaryFolder folder;
    const std::string missing = folder.path("missing");
    EXPECT_EQ(error_of([&] { read_bytes(missing); }),
              "environment: cannot read '" + missing + "': No such file or directory");
    EXPECT_THAT(error_of([&] { read_bytes(folder.path("")); }), HasSubstr("Is a directory"));
}

TEST(ByteSource, ExtensionsAreThoseBeforeGz) {
    EXPECT_EQ(extension_of("a/b.x/Photo.JPG"), "jpg");
    EXPECT_EQ(extension_of("data.csv.gz"), "csv");
    EXPECT_EQ(extension_of("train-images-idx3-ubyte.gz"), "");
}

} // namespace
} // namespace neurasp::data
