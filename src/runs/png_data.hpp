// Pictures for a page: PNG as a data: URI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace neurasp::runs {

// Rows from the top, 1 (grey) or 3 (red, green, blue) bytes per pixel.
struct Pixels {
    std::size_t width = 0;
    std::size_t height = 0;
    std::size_t channels = 1;
    std::span<const std::uint8_t> bytes;
};

std::string base64(std::span<const std::uint8_t> bytes);

// "data:image/png;base64,..." A picture longer than `longest_side` is shrunk by an integer factor.
// Throws: ContractError if the number of bytes does not fit the size.
std::string png_data_uri(const Pixels &picture, std::size_t longest_side = 480);

} // namespace neurasp::runs
