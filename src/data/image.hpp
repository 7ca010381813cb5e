// PNG and JPEG pictures as arrays of bytes: height x width for grey ones, height x width x 3 (red, green,
// blue) for colour. Deeper samples are scaled to 8 bits, palettes looked up, transparent pixels put on
// white; gamma, colour profiles and EXIF orientation are ignored.
#pragma once

#include "data/array.hpp"
#include "data/byte_source.hpp"

namespace neurasp::data {

enum class Colors { as_stored, grey, rgb };

struct ImageOptions {
    Colors colors = Colors::as_stored;
    std::uint64_t most_pixels = std::uint64_t{1} << 26;
    std::uint64_t most_bytes =
        default_most_bytes; // of the file, and of a folder's pictures together
};

bool is_png(ByteSpan bytes);
bool is_jpeg(ByteSpan bytes);

// Throws: InputError if the bytes are not a complete picture, or if it has more than `most_pixels`.
Array decode_png(ByteSpan bytes, const std::string &name, const ImageOptions &options = {});
Array decode_jpeg(ByteSpan bytes, const std::string &name, const ImageOptions &options = {});
// Either kind, recognised by the first bytes.
Array decode_image(ByteSpan bytes, const std::string &name, const ImageOptions &options = {});
// Throws: also EnvironmentError if the file cannot be read.
Array read_image(const std::string &path, const ImageOptions &options = {});

// For the decoders. Throws: InputError if a picture of this size is too large.
void check_pixels(std::size_t width, std::size_t height, const std::string &name,
                  const ImageOptions &options);

} // namespace neurasp::data
