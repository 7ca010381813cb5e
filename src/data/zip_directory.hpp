// ZIP archives: the directory at the end of the file and the members it lists. NPZ files and Torch's files are
// such archives.
#pragma once

#include "data/byte_source.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace neurasp::data {

struct ZipMember {
    std::string name;
    std::uint16_t flags = 0;
    std::uint16_t method = 0;
    std::uint32_t checksum = 0;
    std::uint32_t packed_size = 0;
    std::uint32_t size = 0;
    std::uint32_t offset = 0; // of its local header

    bool is_deflated() const noexcept { return method == 8; }
};

// Whether the bytes begin like an archive.
bool is_zip(ByteSpan bytes);

// The members in the order of the directory; no two of them share a byte. `archive` is the file's name, for
// diagnostics. Throws: InputError (data-format, data-truncated) if this is not a complete archive.
std::vector<ZipMember> read_zip_directory(ByteSpan bytes, const std::string &archive);

// The content of a member, compared with its checksum.
// Throws: InputError if it is damaged, neither stored nor deflated, or larger than `most_bytes`.
Bytes unpack_zip_member(ByteSpan bytes, const ZipMember &member, const std::string &archive,
                        std::uint64_t most_bytes);

// Compares all members with their checksums, for files that are passed on to Torch: its own reader does not, and
// a single changed byte can make it crash. Only code is deflated in such files, so a limit on it is safe.
// Throws: InputError if the bytes are not exactly one archive, or if a member is damaged.
void check_zip(ByteSpan bytes, const std::string &archive);
inline constexpr std::uint64_t most_deflated_in_check = std::uint64_t{256} << 20;

} // namespace neurasp::data
