// Tells PNG from JPEG by the first bytes, and limits the size of pictures.
#include "data/image.hpp"

#include "data/data_error.hpp"

namespace neurasp::data {

bool is_png(ByteSpan bytes) { return starts_with(bytes, "\x89PNG\r\n\x1a\n"); }

bool is_jpeg(ByteSpan bytes) { return starts_with(bytes, "\xff\xd8\xff"); }

void check_pixels(std::size_t width, std::size_t height, const std::string &name,
                  const ImageOptions &options) {
    const std::size_t shape[] = {height, width};
    const std::optional<std::size_t> pixels = checked_product(shape);
    if (pixels && *pixels <= options.most_pixels) return;
    throw data_error("data-too-large", name,
                     "the picture has " + std::to_string(width) + " x " + std::to_string(height) +
                         " pixels; at most " + std::to_string(options.most_pixels) + " are read");
}

Array decode_image(ByteSpan bytes, const std::string &name, const ImageOptions &options) {
    if (is_png(bytes)) return decode_png(bytes, name, options);
    if (is_jpeg(bytes)) return decode_jpeg(bytes, name, options);
    throw data_error("data-format", name, "this is neither a PNG nor a JPEG picture");
}

Array read_image(const std::string &path, const ImageOptions &options) {
    return decode_image(read_bytes(path, options.most_bytes), path, options);
}

} // namespace neurasp::data
