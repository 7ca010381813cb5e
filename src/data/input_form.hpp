// How the inputs of a network are prepared. Trained weights carry it, so that a picture that is given to them later is
// read as those that they were trained on.
#pragma once

#include "data/array.hpp"
#include "data/experiment.hpp"

#include <optional>
#include <string>

namespace neurasp::data {

// A network gets (x / scale - mean) / deviation, in this shape.
struct InputForm {
    Shape shape; // of one input
    bool channels_first = false;
    ColorKind colors = ColorKind::stored;
    double scale = 1.0;
    std::vector<double> mean = {0.0};
    std::vector<double> deviation = {1.0};

    bool operator==(const InputForm &) const = default;
};

// Pixels of a picture: channels 1 (grey) or 3 (colour).
struct PictureSize {
    std::size_t height = 0;
    std::size_t width = 0;
    std::size_t channels = 1;
};

// The size of pictures of this shape; nullopt if it is not that of a picture.
std::optional<PictureSize> picture_size(std::span<const std::size_t> shape, bool channels_first);

// The preparation of rows of `array` with these settings.
InputForm form_of(const ArraySettings &settings, const Array &array);
// The settings, changed so that an array is prepared in this form. What is read from a file (its member, its columns,
// its tiles) stays.
ArraySettings with_form(ArraySettings settings, const InputForm &form);

} // namespace neurasp::data
