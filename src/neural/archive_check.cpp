// ZIP as in PKWARE's APPNOTE, sections 4.3 and 4.4, as far as checksums need it. Members that only ZIP64 can
// describe (beyond four gigabytes) are not checked.
#include "neural/archive_check.hpp"

#include "data/data_error.hpp"
#include "data/inflate.hpp"

#include <zlib.h>

#include <string_view>

namespace neurasp::neural {

namespace {

using data::ByteReader;
using data::ByteSpan;

constexpr std::uint32_t in_zip64 = 0xFFFFFFFF;

[[noreturn]] void damaged(const std::string &name, const std::string &how) {
    throw data::data_error("network-file", name, how);
}

// The record at the end of the archive. Torch writes no comment behind it.
ByteReader end_record(ByteSpan bytes, const std::string &name) {
    constexpr std::size_t end_size = 22;
    if (bytes.size() < end_size || !data::starts_with(bytes.last(end_size), "PK\x05\x06")) {
        damaged(name, "it is no complete ZIP archive");
    }
    return {bytes.last(end_size), name, "the end of the archive"};
}

struct Member {
    std::uint16_t method = 0;
    std::uint32_t checksum = 0, packed_size = 0, size = 0, offset = 0;
    std::string name;
};

Member read_member(ByteReader &directory, const std::string &name) {
    if (data::as_text(directory.take(4)) != "PK\x01\x02") damaged(name, "its directory is broken");
    Member member;
    directory.take(6); // versions, flags
    member.method = directory.little_u16();
    directory.take(4); // time
    member.checksum = directory.little_u32();
    member.packed_size = directory.little_u32();
    member.size = directory.little_u32();
    const std::size_t name_size = directory.little_u16();
    const std::size_t extra_size = directory.little_u16();
    const std::size_t comment_size = directory.little_u16();
    directory.take(8); // disk, attributes
    member.offset = directory.little_u32();
    member.name = data::as_text(directory.take(name_size));
    directory.take(extra_size + comment_size);
    return member;
}

void check_member(ByteSpan bytes, const Member &member, const std::string &name) {
    constexpr std::uint16_t stored = 0, deflated = 8;
    if (member.size == in_zip64 || member.packed_size == in_zip64 || member.offset == in_zip64)
        return;
    const std::string what = "its part '" + member.name + "'";
    if (member.offset > bytes.size()) damaged(name, what + " lies outside");
    ByteReader reader(bytes.subspan(member.offset), name, what);
    if (data::as_text(reader.take(4)) != "PK\x03\x04") damaged(name, what + " has no header");
    reader.take(22);
    const std::size_t name_size = reader.little_u16();
    const std::size_t extra_size = reader.little_u16();
    reader.take(name_size + extra_size);
    const ByteSpan packed = reader.take(member.packed_size);
    std::uint64_t checksum = 0;
    if (member.method == stored) {
        checksum = ::crc32_z(0, packed.data(), packed.size());
    } else if (member.method == deflated) {
        const data::Bytes content = data::inflate_exactly(packed, member.size, name, what);
        checksum = ::crc32_z(0, content.data(), content.size());
    } else {
        damaged(name, what + " is packed in an unknown way");
    }
    if (checksum != member.checksum ||
        (member.method == stored && member.size != member.packed_size)) {
        damaged(name, what + " does not have its checksum");
    }
}

} // namespace

void check_archive(ByteSpan bytes, const std::string &name) {
    ByteReader end = end_record(bytes, name);
    end.take(10);
    const std::size_t count = end.little_u16();
    const std::size_t size = end.little_u32();
    const std::size_t offset = end.little_u32();
    if (size == in_zip64 || offset == in_zip64 || count == 0xFFFF) return;
    if (offset > bytes.size() || size > bytes.size() - offset)
        damaged(name, "its directory lies outside");
    ByteReader directory(bytes.subspan(offset, size), name, "the directory");
    for (std::size_t i = 0; i < count; ++i) check_member(bytes, read_member(directory, name), name);
}

} // namespace neurasp::neural
