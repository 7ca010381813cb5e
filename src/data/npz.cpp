// ZIP as in PKWARE's APPNOTE, sections 4.3 and 4.4. Only the directory at the end of the file is believed:
// NumPy writes local headers whose sizes are placeholders.
#include "data/npz.hpp"

#include "base/suggest.hpp"
#include "data/data_error.hpp"
#include "data/inflate.hpp"
#include "data/npy.hpp"

#include <algorithm>
#include <optional>

#include <zlib.h>

namespace neurasp::data {

namespace {

constexpr std::string_view local_magic = "PK\x03\x04";
constexpr std::string_view central_magic = "PK\x01\x02";
constexpr std::string_view end_magic = "PK\x05\x06";
constexpr std::size_t end_size = 22;
constexpr std::uint32_t in_zip64 = 0xFFFFFFFF;

struct Member {
    std::string name;
    std::uint16_t flags = 0;
    std::uint16_t method = 0;
    std::uint32_t checksum = 0;
    std::uint32_t packed_size = 0;
    std::uint32_t size = 0;
    std::uint32_t offset = 0;
};

[[noreturn]] void fail_zip64(const std::string &name) {
    throw data_error("data-format", name, "this is a ZIP64 archive, which is not supported",
                     "save its arrays as NPY files");
}

[[noreturn]] void fail_damaged(const std::string &name, const std::string &how) {
    throw data_error("data-format", name, "the ZIP archive is damaged: " + how);
}

// The record that ends an archive; a comment of up to 65535 bytes may follow it.
ByteSpan end_record(ByteSpan bytes, const std::string &name) {
    constexpr std::size_t most_comment = 65535;
    const std::size_t tail = std::min(bytes.size(), end_size + most_comment);
    const std::string_view text = as_text(bytes.last(tail));
    for (std::size_t at = text.rfind(end_magic); at != std::string_view::npos;
         at = at == 0 ? std::string_view::npos : text.rfind(end_magic, at - 1)) {
        if (text.size() - at < end_size) continue;
        const ByteSpan record = bytes.last(tail - at);
        const std::size_t comment = record[20] + std::size_t{256} * record[21];
        if (record.size() == end_size + comment) return record;
    }
    throw data_error(starts_with(bytes, local_magic) ? "data-truncated" : "data-format", name,
                     "this is no complete ZIP archive: it has no directory at its end",
                     "is the file complete?");
}

Member read_member(ByteReader &reader, const std::string &archive) {
    if (as_text(reader.take(4)) != central_magic) fail_damaged(archive, "its directory is broken");
    Member member;
    reader.take(4); // the versions that made it and that are needed
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

std::vector<Member> read_directory(ByteSpan bytes, const std::string &name) {
    ByteReader end(end_record(bytes, name), name, "the end of the ZIP archive");
    end.take(4);
    const std::uint16_t disk = end.little_u16();
    const std::uint16_t first_disk = end.little_u16();
    const std::uint16_t count_here = end.little_u16();
    const std::uint16_t count = end.little_u16();
    const std::uint32_t size = end.little_u32();
    const std::uint32_t offset = end.little_u32();
    if (count == 0xFFFF || size == in_zip64 || offset == in_zip64) fail_zip64(name);
    if (disk != 0 || first_disk != 0 || count_here != count) {
        fail_damaged(name, "it is spread over several files");
    }
    if (offset > bytes.size() || size > bytes.size() - offset) {
        fail_damaged(name, "its directory lies outside");
    }
    ByteReader reader(bytes.subspan(offset, size), name, "the directory of the ZIP archive");
    std::vector<Member> members;
    for (std::size_t i = 0; i < count; ++i) members.push_back(read_member(reader, name));
    return members;
}

std::string array_name(const Member &member) {
    std::string_view name = member.name;
    if (name.ends_with(".npy")) name.remove_suffix(4);
    return std::string(name);
}

const Member &choose(const std::vector<Member> &members, const std::string &wanted,
                     const std::string &archive) {
    if (wanted.empty() && members.size() == 1) return members.front();
    std::vector<std::string> names;
    std::string listed;
    for (const Member &member : members) {
        names.push_back(array_name(member));
        if (!wanted.empty() && (wanted == names.back() || wanted == member.name)) return member;
        if (names.size() <= 20) listed += (listed.empty() ? "" : ", ") + names.back();
    }
    if (wanted.empty()) {
        throw data_error("data-member", archive,
                         "the archive holds " + std::to_string(members.size()) +
                             " arrays; say which one is meant",
                         "it holds: " + (listed.empty() ? "nothing" : listed));
    }
    const std::optional<std::string> near = base::closest_name(wanted, names);
    throw data_error("data-member", archive, "the archive holds no array '" + wanted + "'",
                     near ? "did you mean '" + *near + "'?"
                          : "it holds: " + (listed.empty() ? "nothing" : listed));
}

// What lies between the local header of a member and the next thing in the archive.
ByteSpan packed_bytes(ByteSpan bytes, const Member &member, const std::string &archive) {
    if (member.offset > bytes.size()) fail_damaged(archive, "a member lies outside");
    ByteReader reader(bytes.subspan(member.offset), archive, "a member of the ZIP archive");
    if (as_text(reader.take(4)) != local_magic) fail_damaged(archive, "a member has no header");
    reader.take(22); // what the directory says as well
    const std::size_t name_size = reader.little_u16();
    const std::size_t extra_size = reader.little_u16();
    reader.take(name_size + extra_size);
    return reader.take(member.packed_size);
}

Bytes unpack(ByteSpan bytes, const Member &member, const std::string &archive,
             std::uint64_t most_bytes) {
    constexpr std::uint16_t encrypted = 1, stored = 0, deflated = 8;
    const std::string what = "the member '" + member.name + "'";
    if (member.size > most_bytes) {
        throw data_error("data-too-large", archive,
                         what + " has more than " + std::to_string(most_bytes) + " bytes");
    }
    if ((member.flags & encrypted) != 0) {
        throw data_error("data-format", archive, what + " is encrypted");
    }
    if (member.method != stored && member.method != deflated) {
        throw data_error("data-format", archive,
                         what + " is packed with method " + std::to_string(member.method) +
                             "; only stored (0) and deflated (8) are supported");
    }
    const ByteSpan packed = packed_bytes(bytes, member, archive);
    if (member.method == stored && member.size != member.packed_size) {
        fail_damaged(archive, what + " has two sizes");
    }
    Bytes result = member.method == stored ? Bytes(packed.begin(), packed.end())
                                           : inflate_exactly(packed, member.size, archive, what);
    if (crc32_z(0, result.data(), result.size()) != member.checksum) {
        fail_damaged(archive, what + " does not have its checksum");
    }
    return result;
}

} // namespace

bool is_npz(ByteSpan bytes) {
    return starts_with(bytes, local_magic) || starts_with(bytes, end_magic);
}

std::vector<std::string> npz_members(ByteSpan bytes, const std::string &name) {
    std::vector<std::string> names;
    for (const Member &member : read_directory(bytes, name)) names.push_back(array_name(member));
    return names;
}

Array parse_npz(ByteSpan bytes, const std::string &name, const std::string &member,
                std::uint64_t most_bytes) {
    const std::vector<Member> members = read_directory(bytes, name);
    const Member &chosen = choose(members, member, name);
    return parse_npy(unpack(bytes, chosen, name, most_bytes),
                     name + "[" + array_name(chosen) + "]");
}

} // namespace neurasp::data
