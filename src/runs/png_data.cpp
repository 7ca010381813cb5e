// Encodes pictures with libpng's simplified interface, which reports errors by a return value, not by longjmp.
#include "runs/png_data.hpp"

#include "neurasp/diagnostic.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace neurasp::runs {

namespace {

using Bytes = std::vector<std::uint8_t>;

void check(const Pixels &picture) {
    constexpr std::size_t most = std::size_t{1} << 24U; // a side; its square fits a size_t
    const bool possible = picture.width > 0 && picture.height > 0 && picture.width < most &&
                          picture.height < most && (picture.channels == 1 || picture.channels == 3);
    if (possible && picture.bytes.size() == picture.width * picture.height * picture.channels)
        return;
    throw ContractError(
        fmt::format("png_data_uri: {} bytes are not a picture of {} x {} pixels with {} "
                    "channels",
                    picture.bytes.size(), picture.width, picture.height, picture.channels));
}

// The mean of a square of pixels, clipped at the picture's edges.
std::uint8_t mean_of(const Pixels &picture, std::size_t left, std::size_t top, std::size_t side,
                     std::size_t channel) {
    const std::size_t right = std::min(left + side, picture.width);
    const std::size_t bottom = std::min(top + side, picture.height);
    std::size_t sum = 0;
    for (std::size_t y = top; y < bottom; ++y) {
        for (std::size_t x = left; x < right; ++x) {
            sum += picture.bytes[(y * picture.width + x) * picture.channels + channel];
        }
    }
    const std::size_t count = (right - left) * (bottom - top);
    return static_cast<std::uint8_t>((sum + count / 2) / count);
}

Bytes shrunk(const Pixels &picture, std::size_t factor) {
    Bytes result;
    for (std::size_t top = 0; top < picture.height; top += factor) {
        for (std::size_t left = 0; left < picture.width; left += factor) {
            for (std::size_t channel = 0; channel < picture.channels; ++channel) {
                result.push_back(mean_of(picture, left, top, factor, channel));
            }
        }
    }
    return result;
}

Bytes encode_png(const Pixels &picture) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(picture.width);
    image.height = static_cast<png_uint_32>(picture.height);
    image.format = picture.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    Bytes result(size);
    const int written = png_image_write_to_memory(&image, result.data(), &size, 0,
                                                  picture.bytes.data(), 0, nullptr);
    const std::string_view message = image.message;
    png_image_free(&image);
    if (written == 0) throw ContractError(fmt::format("png_data_uri: {}", message));
    result.resize(size);
    return result;
}

} // namespace

std::string base64(std::span<const std::uint8_t> bytes) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string result;
    result.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t bits = 0;
        for (std::size_t j = 0; j < 3; ++j) bits = bits << 8U | (j < count ? bytes[i + j] : 0U);
        for (std::size_t j = 0; j < 4; ++j) {
            result += j <= count ? digits[bits >> (18 - 6 * j) & 63U] : '=';
        }
    }
    return result;
}

std::string png_data_uri(const Pixels &picture, std::size_t longest_side) {
    check(picture);
    const std::size_t side = std::max(picture.width, picture.height);
    const std::size_t factor = (side + longest_side - 1) / longest_side;
    constexpr std::string_view head = "data:image/png;base64,";
    if (factor <= 1) return std::string(head) + base64(encode_png(picture));
    const Bytes small = shrunk(picture, factor);
    return std::string(head) +
           base64(encode_png({(picture.width + factor - 1) / factor,
                              (picture.height + factor - 1) / factor, picture.channels, small}));
}

} // namespace neurasp::runs
