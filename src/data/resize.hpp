// Pictures of another size.
#pragma once

#include "data/array.hpp"

namespace neurasp::data {

// Pictures of bytes (n x height x width, or n x height x width x channels) scaled to another height and width. Each new
// pixel is the mean of those around its place, with weights that fall linearly with the distance (Pillow's BILINEAR).
// Requires: `images` holds bytes; neither height nor width is 0.
Array resized(const Array &images, std::size_t height, std::size_t width);

} // namespace neurasp::data
