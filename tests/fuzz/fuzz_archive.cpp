// Any input is either a ZIP archive, whose members have the right checksums and the lengths of the directory, or an
// InputError. Each input is also tried with its checksums corrected, because a fuzzer would not find them
// by itself.
#include "data/npz.hpp"
#include "data/zip_directory.hpp"
#include "fuzz_array.hpp"

#include <zlib.h>

#include <cstddef>
#include <cstdint>

namespace {

using namespace neurasp::data;

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20;

// Whether all members can be read; they can if the archive was found intact.
void read_members(ByteSpan bytes, bool intact) {
    constexpr std::size_t most_members = 20;
    std::size_t count = 0;
    for (const ZipMember &member : read_zip_directory(bytes, "fuzz")) {
        if (++count > most_members) return;
        try {
            require(unpack_zip_member(bytes, member, "fuzz", most_bytes).size() == member.size);
        } catch (const neurasp::InputError &error) {
            check(error);
            require(!intact || member.size > most_bytes);
        }
    }
}

void read(ByteSpan bytes) {
    bool intact = false;
    try {
        check_zip(bytes, "fuzz");
        intact = true;
    } catch (const neurasp::InputError &error) {
        check(error);
    }
    try {
        read_members(bytes, intact);
    } catch (const neurasp::InputError &error) {
        check(error);
        require(!intact);
    }
    try_to_read([&] { return parse_npz(bytes, "fuzz", "", most_bytes); });
}

// Sets the checksums of stored members to those of their contents, wherever there seems to be a directory entry.
Bytes with_checksums(ByteSpan bytes) {
    Bytes changed(bytes.begin(), bytes.end());
    const auto u32 = [&](std::size_t at) {
        return changed[at] | std::uint32_t{changed[at + 1]} << 8 |
               std::uint32_t{changed[at + 2]} << 16 | std::uint32_t{changed[at + 3]} << 24;
    };
    const std::string text(as_text(bytes));
    for (std::size_t at = text.find("PK\x01\x02"); at != std::string::npos;
         at = text.find("PK\x01\x02", at + 1)) {
        if (text.size() - at < 46) break;
        const std::uint64_t size = u32(at + 20), offset = u32(at + 42);
        if (offset + 30 > text.size()) continue;
        const std::uint64_t content =
            offset + 30 + (u32(offset + 26) & 0xFFFFU) + (u32(offset + 26) >> 16);
        if (content > text.size() || size > text.size() - content) continue;
        const auto checksum = crc32_z(0, changed.data() + content, size);
        for (std::size_t i = 0; i < 4; ++i) {
            changed[at + 16 + i] = static_cast<std::uint8_t>(checksum >> 8 * i);
        }
    }
    return changed;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const ByteSpan bytes(data, size);
    read(bytes);
    read(with_checksums(bytes));
    return 0;
}
