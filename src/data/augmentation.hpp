// Random changes of pictures, so that a network seldom sees the same picture twice while it is trained.
#pragma once

#include "base/random_stream.hpp"
#include "data/experiment.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace neurasp::data {

// A picture: channels x height x width.
struct PictureShape {
    std::size_t channels = 1;
    std::size_t height = 0;
    std::size_t width = 0;

    std::size_t size() const noexcept { return channels * height * width; }
};

// The shape of an array's rows as pictures: height x width, or with `channels_first` also channels x height x width.
std::optional<PictureShape> picture_shape(std::span<const std::size_t> row, bool channels_first);

// How a picture is moved: turned and enlarged around its centre, then shifted. x goes right, y down; a positive angle
// turns from x to y, that is clockwise as people see it.
struct Placement {
    double shift_x = 0.0; // in pixels
    double shift_y = 0.0;
    double angle = 0.0; // in radians
    double scale = 1.0; // above 0
};

// Uniform within the settings.
Placement draw_placement(const AugmentationSettings &settings, base::RandomStream &random);

// Writes the moved picture. Between pixels, values are interpolated linearly; places outside the picture have the
// value of the nearest pixel at its edge. Requires: both spans have the shape's size.
void place_picture(std::span<const float> picture, PictureShape shape, const Placement &placement,
                   std::span<float> out);

// Adds independent normally distributed numbers with this standard deviation.
void add_noise(std::span<float> numbers, double deviation, base::RandomStream &random);

// A seed made of several numbers, each of which changes it completely.
std::uint64_t mixed_seed(std::span<const std::uint64_t> numbers);

} // namespace neurasp::data
