// ZIP archives: the directory at their end, and the members that it names. NPZ files are such archives, and so
// are the files of Torch.
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

// Whether the bytes begin as an archive does.
bool is_zip(ByteSpan bytes);

// The members in the order of the directory; no two of them share a byte. `archive` is the file's name, for
// diagnostics. Throws: InputError (data-format, data-truncated) if this is no whole archive.
std::vector<ZipMember> read_zip_directory(ByteSpan bytes, const std::string &archive);

// The content of a member, compared with its checksum.
// Throws: InputError if it is damaged, packed in another way than stored and deflated, or has more than
// `most_bytes`.
Bytes unpack_zip_member(ByteSpan bytes, const ZipMember &member, const std::string &archive,
                        std::uint64_t most_bytes);

// Compares all members with their checksums, for files that go to Torch: its reader does not, and a changed
// byte can make it crash. Their deflated members are code, so together they are not large.
// Throws: InputError if this is no archive from the first byte to the last, or if a member is damaged.
void check_zip(ByteSpan bytes, const std::string &archive);
inline constexpr std::uint64_t most_deflated_in_check = std::uint64_t{256} << 20;

} // namespace neurasp::data
