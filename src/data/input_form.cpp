// The form of a network's inputs: taken from the settings of an array, and applied to others.
#include "data/input_form.hpp"

#include <utility>

namespace neurasp::data {

std::optional<PictureSize> picture_size(std::span<const std::size_t> shape, bool channels_first) {
    const auto sized = [](std::size_t height, std::size_t width,
                          std::size_t channels) -> std::optional<PictureSize> {
        if (channels != 1 && channels != 3) return std::nullopt;
        return PictureSize{height, width, channels};
    };
    if (channels_first) {
        return shape.size() == 3 ? sized(shape[1], shape[2], shape[0]) : std::nullopt;
    }
    if (shape.size() == 2) return sized(shape[0], shape[1], 1);
    return shape.size() == 3 ? sized(shape[0], shape[1], shape[2]) : std::nullopt;
}

InputForm form_of(const ArraySettings &settings, const Array &array) {
    const auto shape = array.row_shape();
    return {{shape.begin(), shape.end()},
            settings.channels_first,
            settings.colors,
            settings.scale,
            settings.mean,
            settings.deviation};
}

ArraySettings with_form(ArraySettings settings, const InputForm &form) {
    settings.channels_first = form.channels_first;
    settings.colors = form.colors;
    settings.scale = form.scale;
    settings.mean = form.mean;
    settings.deviation = form.deviation;
    return settings;
}

} // namespace neurasp::data
