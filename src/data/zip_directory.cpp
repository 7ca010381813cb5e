// A reader of ZIP archives that takes nothing on trust, after PKWARE's APPNOTE, sections 4.3 and 4.4.
//
// Idea: the record at the end of the file leads to the directory, and the directory alone says where members
// are and how large. Sizes in local headers are ignored, since NumPy writes placeholders there.
//
// ZIP64: archives that need it (4 GiB, 65535 members) are refused. Torch, however, adds ZIP64 records to every
// archive it writes and believes them first when it reads. They are therefore accepted if they repeat the
// ordinary directory and refused otherwise; an earlier reader skipped them, so a changed byte there went past
// the check and on to Torch.
//
// Invariants of an archive that is accepted: its members do not overlap (otherwise a small file could unpack to
// any number of large members made of the same bytes); every content handed out matches its checksum; nothing
// is allocated before its size has been compared with the number of packed bytes (inflate.hpp).
//
// Cost: the directory is read once and sorted by offset, O(m log m) for m members; each content is read once.
#include "data/zip_directory.hpp"

#include "data/data_error.hpp"
#include "data/inflate.hpp"

#include <algorithm>

#include <zlib.h>

namespace neurasp::data {

namespace {

constexpr std::string_view local_magic = "PK\x03\x04";
constexpr std::string_view central_magic = "PK\x01\x02";
constexpr std::string_view end_magic = "PK\x05\x06";
constexpr std::string_view end64_magic = "PK\x06\x06";
constexpr std::string_view locator64_magic = "PK\x06\x07";
constexpr std::size_t local_size = 30, end_size = 22, end64_size = 56, locator64_size = 20;
constexpr std::uint32_t in_zip64 = 0xFFFFFFFF;

[[noreturn]] void fail_zip64(const std::string &archive) {
    throw data_error("data-format", archive, "this is a ZIP64 archive, which is not supported",
                     "save its arrays as NPY files");
}

[[noreturn]] void fail_damaged(const std::string &archive, const std::string &how) {
    throw data_error("data-format", archive, "the ZIP archive is damaged: " + how);
}

// The offset of the record that ends the archive; a comment of up to 65535 bytes may follow it.
std::size_t find_end(ByteSpan bytes, const std::string &archive) {
    constexpr std::size_t most_comment = 65535;
    const std::size_t tail = std::min(bytes.size(), end_size + most_comment);
    const std::string_view text = as_text(bytes.last(tail));
    for (std::size_t at = text.rfind(end_magic); at != std::string_view::npos;
         at = at == 0 ? std::string_view::npos : text.rfind(end_magic, at - 1)) {
        if (text.size() - at < end_size) continue;
        const ByteSpan record = bytes.last(tail - at);
        const std::size_t comment = record[20] + std::size_t{256} * record[21];
        if (record.size() == end_size + comment) return bytes.size() - record.size();
    }
    throw data_error(starts_with(bytes, local_magic) ? "data-truncated" : "data-format", archive,
                     "this is not a complete ZIP archive: it has no directory at its end",
                     "is the file complete?");
}

struct Directory {
    std::uint64_t count = 0, size = 0, offset = 0;
    bool operator==(const Directory &) const = default;
};

Directory read_end(ByteSpan record, const std::string &archive) {
    ByteReader end(record, archive, "the end of the ZIP archive");
    end.take(4);
    const std::uint16_t disk = end.little_u16();
    const std::uint16_t first_disk = end.little_u16();
    const std::uint16_t count_here = end.little_u16();
    Directory directory;
    directory.count = end.little_u16();
    directory.size = end.little_u32();
    directory.offset = end.little_u32();
    if (directory.count == 0xFFFF || directory.size == in_zip64 || directory.offset == in_zip64) {
        fail_zip64(archive);
    }
    if (disk != 0 || first_disk != 0 || count_here != directory.count) {
        fail_damaged(archive, "it is spread over several files");
    }
    return directory;
}

// Checks the ZIP64 record and its locator, if the archive has them: other readers believe them first.
void check_zip64(ByteSpan before_end, const Directory &expected, const std::string &archive) {
    if (before_end.size() < locator64_size) return;
    const std::size_t place = before_end.size() - locator64_size;
    if (!starts_with(before_end.subspan(place), locator64_magic)) return;
    ByteReader locator(before_end.subspan(place + 4), archive, "the end of the ZIP archive");
    const bool other_disk = locator.little_u32() != 0;
    if (other_disk || place < end64_size || locator.little_u64() != place - end64_size) {
        fail_damaged(archive, "its ZIP64 record is not where it should be");
    }
    ByteReader record(before_end.subspan(place - end64_size), archive,
                      "the end of the ZIP archive");
    const bool has_magic = as_text(record.take(4)) == end64_magic;
    const bool has_size = record.little_u64() == end64_size - 12;
    record.take(4); // versions
    const bool one_disk = record.little_u32() == 0 && record.little_u32() == 0;
    const bool all_here = record.little_u64() == expected.count;
    Directory directory;
    directory.count = record.little_u64();
    directory.size = record.little_u64();
    directory.offset = record.little_u64();
    if (!has_magic || !has_size || !one_disk || !all_here || directory != expected) {
        fail_damaged(archive, "its ZIP64 record contradicts its directory");
    }
}

ZipMember read_member(ByteReader &reader, const std::string &archive) {
    if (as_text(reader.take(4)) != central_magic) fail_damaged(archive, "its directory is broken");
    ZipMember member;
    reader.take(4); // the version that wrote it and the version needed to read it
    member.flags = reader.little_u16();
    member.method = reader.little_u16();
    reader.take(4); // time and date
    member.checksum = reader.little_u32();
    member.packed_size = reader.little_u32();
    member.size = reader.little_u32();
    const std::size_t name_size = reader.little_u16();
    const std::size_t extra_size = reader.little_u16();
    const std::size_t comment_size = reader.little_u16();
    reader.take(8); // disk and attributes
    member.offset = reader.little_u32();
    member.name = as_text(reader.take(name_size));
    reader.take(extra_size + comment_size);
    if (member.size == in_zip64 || member.packed_size == in_zip64 || member.offset == in_zip64) {
        fail_zip64(archive);
    }
    return member;
}

void check_no_overlap(const std::vector<ZipMember> &members, const std::string &archive) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> places; // from, to
    places.reserve(members.size());
    for (const ZipMember &member : members) {
        places.emplace_back(member.offset,
                            member.offset + std::uint64_t{local_size} + member.packed_size);
    }
    std::sort(places.begin(), places.end());
    for (std::size_t i = 1; i < places.size(); ++i) {
        if (places[i].first < places[i - 1].second) fail_damaged(archive, "its members overlap");
    }
}

// The bytes of a member as they are stored, after its local header.
ByteSpan packed_bytes(ByteSpan bytes, const ZipMember &member, const std::string &archive) {
    if (member.offset > bytes.size()) fail_damaged(archive, "a member lies outside the file");
    ByteReader reader(bytes.subspan(member.offset), archive, "a member of the ZIP archive");
    if (as_text(reader.take(4)) != local_magic) fail_damaged(archive, "a member has no header");
    reader.take(22); // repeats the directory
    const std::size_t name_size = reader.little_u16();
    const std::size_t extra_size = reader.little_u16();
    reader.take(name_size + extra_size);
    return reader.take(member.packed_size);
}

std::string name_of(const ZipMember &member) { return "the member '" + member.name + "'"; }

// The content of a member, compared with its checksum. `inflated` owns it if the member is deflated.
ByteSpan checked_content(ByteSpan bytes, const ZipMember &member, const std::string &archive,
                         Bytes &inflated) {
    constexpr std::uint16_t encrypted = 1, stored = 0;
    const std::string what = name_of(member);
    if ((member.flags & encrypted) != 0) {
        throw data_error("data-format", archive, what + " is encrypted");
    }
    if (member.method != stored && !member.is_deflated()) {
        throw data_error("data-format", archive,
                         what + " is packed with method " + std::to_string(member.method) +
                             "; only stored (0) and deflated (8) are supported");
    }
    ByteSpan content = packed_bytes(bytes, member, archive);
    if (member.method == stored && member.size != member.packed_size) {
        fail_damaged(archive, what + " has two different sizes");
    }
    if (member.is_deflated()) {
        inflated = inflate_exactly(content, member.size, archive, what);
        content = inflated;
    }
    if (crc32_z(0, content.data(), content.size()) != member.checksum) {
        fail_damaged(archive, what + " does not match its checksum");
    }
    return content;
}

} // namespace

bool is_zip(ByteSpan bytes) {
    return starts_with(bytes, local_magic) || starts_with(bytes, end_magic);
}

std::vector<ZipMember> read_zip_directory(ByteSpan bytes, const std::string &archive) {
    const std::size_t end = find_end(bytes, archive);
    const Directory directory = read_end(bytes.subspan(end), archive);
    if (directory.offset > end || directory.size > end - directory.offset) {
        fail_damaged(archive, "its directory lies outside the file");
    }
    check_zip64(bytes.first(end), directory, archive);
    ByteReader reader(bytes.subspan(directory.offset, directory.size), archive,
                      "the directory of the ZIP archive");
    std::vector<ZipMember> members;
    for (std::size_t i = 0; i < directory.count; ++i) {
        members.push_back(read_member(reader, archive));
    }
    check_no_overlap(members, archive);
    return members;
}

Bytes unpack_zip_member(ByteSpan bytes, const ZipMember &member, const std::string &archive,
                        std::uint64_t most_bytes) {
    if (member.size > most_bytes) {
        throw data_error("data-too-large", archive,
                         name_of(member) + " has more than " + std::to_string(most_bytes) +
                             " bytes");
    }
    Bytes inflated;
    const ByteSpan content = checked_content(bytes, member, archive, inflated);
    return member.is_deflated() ? std::move(inflated) : Bytes(content.begin(), content.end());
}

void check_zip(ByteSpan bytes, const std::string &archive) {
    const std::vector<ZipMember> members = read_zip_directory(bytes, archive);
    if (!starts_with(bytes.last(end_size), end_magic)) {
        fail_damaged(archive, "something follows its end");
    }
    std::uint64_t deflated = 0;
    for (const ZipMember &member : members) {
        if (member.is_deflated()) deflated += member.size;
        if (deflated > most_deflated_in_check) {
            throw data_error("data-too-large", archive,
                             "unpacked, its deflated members have more than " +
                                 std::to_string(most_deflated_in_check) + " bytes");
        }
        Bytes inflated;
        checked_content(bytes, member, archive, inflated);
    }
}

} // namespace neurasp::data
