// Any input is either a PNG or JPEG picture that becomes a valid array, or an InputError. PNG files are also
// tried with their checksums corrected, because a fuzzer would not find them.
#include "data/image.hpp"
#include "fuzz_array.hpp"

#include <cstddef>
#include <cstdint>

namespace {

using namespace neurasp::data;

std::uint32_t checksum(ByteSpan bytes) {
    std::uint32_t crc = 0xFFFFFFFF;
    for (const std::uint8_t byte : bytes) {
        crc ^= byte;
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

std::uint32_t big_u32(ByteSpan bytes) {
    return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
           std::uint32_t{bytes[2]} << 8 | bytes[3];
}

// Chunks: length, kind, content, checksum of kind and content.
Bytes with_checksums(ByteSpan bytes) {
    Bytes png(bytes.begin(), bytes.end());
    for (std::size_t at = 8; png.size() - at >= 12;) {
        const std::size_t length = big_u32(ByteSpan(png).subspan(at));
        if (length > png.size() - at - 12) break;
        const std::uint32_t crc = checksum(ByteSpan(png).subspan(at + 4, length + 4));
        at += 8 + length;
        for (int shift = 24; shift >= 0; shift -= 8) {
            png[at++] = static_cast<std::uint8_t>(crc >> shift);
        }
    }
    return png;
}

void read(ByteSpan bytes) {
    for (const Colors colors : {Colors::as_stored, Colors::grey, Colors::rgb}) {
        ImageOptions options;
        options.colors = colors;
        options.most_pixels = 1 << 16;
        try_to_read([&] { return decode_image(bytes, "fuzz", options); });
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const ByteSpan bytes(data, size);
    read(bytes);
    if (is_png(bytes)) read(with_checksums(bytes));
    return 0;
}
