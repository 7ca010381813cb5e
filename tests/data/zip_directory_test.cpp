// The archives were written by NumPy (files/make_files.py). The tests change or add bytes at the places where
// PKWARE's APPNOTE puts each field.
#include "data/zip_directory.hpp"
#include "data_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <zlib.h>

namespace neurasp::data {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view entry = "PK\x01\x02"; // of the directory
constexpr std::string_view end_record = "PK\x05\x06";

std::string zip_error(const Bytes &bytes) {
    return error_of([&] { check_zip(bytes, "a.zip"); });
}

void put(Bytes &bytes, std::size_t at, std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
        bytes[at + i] = static_cast<std::uint8_t>(value >> 8 * i);
    }
}

std::uint32_t number_at(const Bytes &bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | bytes[at + i];
    return value;
}

// The archive with the two records that ZIP64 puts before the end, as Torch always writes them.
Bytes with_zip64(const Bytes &bytes) {
    const std::size_t end = as_text(bytes).rfind(end_record);
    Bytes record(56 + 20);
    put(record, 0, 0x06064b50, 4);
    put(record, 4, 44, 8); // the size of the rest of the record
    put(record, 24, bytes[end + 10], 8);
    put(record, 32, bytes[end + 10], 8);
    put(record, 40, number_at(bytes, end + 12), 8); // size and offset of the directory
    put(record, 48, number_at(bytes, end + 16), 8);
    put(record, 56, 0x07064b50, 4);
    put(record, 64, end, 8);
    put(record, 72, 1, 4); // disks
    Bytes whole = bytes;
    whole.insert(whole.begin() + static_cast<std::ptrdiff_t>(end), record.begin(), record.end());
    return whole;
}

TEST(ZipDirectory, IntactArchivesPass) {
    EXPECT_NO_THROW(check_zip(stored(), "a.zip"));
    EXPECT_NO_THROW(check_zip(deflated(), "a.zip"));
    EXPECT_NO_THROW(check_zip(with_zip64(stored()), "a.zip"));
    EXPECT_EQ(read_zip_directory(with_zip64(stored()), "a.zip").size(), 2u);
}

TEST(ZipDirectory, EveryTruncatedArchiveIsRefused) {
    const Bytes whole = with_zip64(stored());
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_THAT(zip_error(part), HasSubstr("this is not a complete ZIP archive")) << size;
    }
}

// Torch believes these records rather than the ordinary end of the archive.
TEST(ZipDirectory, Zip64RecordsMustAgreeWithTheDirectory) {
    const Bytes whole = with_zip64(stored());
    const std::size_t record = as_text(whole).rfind("PK\x06\x06");
    // One byte of each field: magic, size, disks, counts, size and offset of the directory.
    for (const std::size_t field : {0, 4, 16, 20, 24, 32, 40, 48}) {
        Bytes changed = whole;
        changed[record + field] ^= 1;
        EXPECT_THAT(zip_error(changed), HasSubstr("its ZIP64 record contradicts its directory"))
            << field;
    }
    for (const std::size_t field : {60, 64, 71}) { // the place of the first record
        Bytes changed = whole;
        changed[record + field] ^= 1;
        EXPECT_THAT(zip_error(changed), HasSubstr("its ZIP64 record is not where it should be"))
            << field;
    }
}

TEST(ZipDirectory, MembersDoNotShareBytes) {
    Bytes bytes = stored();
    const std::size_t first = as_text(bytes).find(entry);
    const std::size_t second = as_text(bytes).find(entry, first + 1);
    put(bytes, second + 42, number_at(bytes, first + 42), 4);
    EXPECT_EQ(zip_error(bytes),
              "data-format a.zip: the ZIP archive is damaged: its members overlap");
}

TEST(ZipDirectory, NothingMayFollowACheckedArchive) {
    Bytes bytes = stored();
    bytes[bytes.size() - 2] = 3; // the length of a comment
    for (const char c : std::string("end")) bytes.push_back(static_cast<std::uint8_t>(c));
    EXPECT_THAT(zip_error(bytes), HasSubstr("something follows its end"));
}

TEST(ZipDirectory, AChangedMemberIsFoundByItsChecksum) {
    Bytes bytes = stored();
    const std::size_t content = as_text(bytes).find("NUMPY");
    ASSERT_NE(content, std::string_view::npos);
    bytes[content] ^= 1;
    EXPECT_EQ(zip_error(bytes), "data-format a.zip: the ZIP archive is damaged: the member "
                                "'images.npy' does not match its checksum");
}

// An archive of one deflated member of zeros, which deflate shrinks a thousandfold.
Bytes packed_zeros(std::size_t size) {
    const Bytes zeros(size);
    Bytes packed(compressBound(size));
    uLongf length = packed.size();
    EXPECT_EQ(compress2(packed.data(), &length, zeros.data(), size, 9), Z_OK);
    constexpr std::size_t zlib_header = 2, zlib_checksum = 4;
    Bytes archive(30);
    put(archive, 0, 0x04034b50, 4);
    archive.insert(archive.end(), packed.begin() + zlib_header,
                   packed.begin() + static_cast<std::ptrdiff_t>(length - zlib_checksum));
    const std::size_t directory = archive.size();
    archive.resize(directory + 46 + 22);
    put(archive, directory, 0x02014b50, 4);
    put(archive, directory + 10, 8, 2);
    put(archive, directory + 16, crc32_z(0, zeros.data(), size), 4);
    put(archive, directory + 20, directory - 30, 4);
    put(archive, directory + 24, size, 4);
    put(archive, directory + 46, 0x06054b50, 4);
    put(archive, directory + 54, 1, 2);
    put(archive, directory + 56, 1, 2);
    put(archive, directory + 58, 46, 4);
    put(archive, directory + 62, directory, 4);
    return archive;
}

TEST(ZipDirectory, DeflatedMembersAreUnpackedUpToALimit) {
    EXPECT_NO_THROW(check_zip(packed_zeros(1 << 20), "a.zip"));
    Bytes large = packed_zeros(1 << 20);
    const std::size_t place = as_text(large).rfind(entry) + 24;
    put(large, place, most_deflated_in_check + 1, 4);
    EXPECT_THAT(zip_error(large), StartsWith("data-too-large a.zip: "));
}

} // namespace
} // namespace neurasp::data
