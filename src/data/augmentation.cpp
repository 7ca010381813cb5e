// Moves pictures: for each pixel of the result, the inverse map says where in the picture its value comes from.
#include "data/augmentation.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace neurasp::data {

namespace {

double uniform_around(double centre, double reach, base::RandomStream &random) {
    return reach == 0.0 ? centre : centre + reach * (2.0 * random.uniform() - 1.0);
}

// A position between two pixels of a row or column: its neighbours, and the weight of the second.
struct Between {
    std::size_t first = 0;
    std::size_t second = 0;
    float share = 0.0F;
};

Between neighbours(double position, std::size_t count) {
    const double inside = std::clamp(position, 0.0, static_cast<double>(count - 1));
    const auto first = static_cast<std::size_t>(inside);
    return {first, std::min(first + 1, count - 1),
            static_cast<float>(inside - static_cast<double>(first))};
}

float mixed(float a, float b, float share) { return a + (b - a) * share; }

} // namespace

std::optional<PictureShape> picture_shape(std::span<const std::size_t> row, bool channels_first) {
    if (row.size() == 2) return PictureShape{1, row[0], row[1]};
    if (row.size() == 3 && channels_first) return PictureShape{row[0], row[1], row[2]};
    return std::nullopt;
}

Placement draw_placement(const AugmentationSettings &settings, base::RandomStream &random) {
    Placement placement;
    placement.shift_x = uniform_around(0.0, settings.shift, random);
    placement.shift_y = uniform_around(0.0, settings.shift, random);
    placement.angle = uniform_around(0.0, settings.rotate, random) * (std::numbers::pi / 180.0);
    placement.scale = uniform_around(1.0, settings.scale, random);
    return placement;
}

void place_picture(std::span<const float> picture, PictureShape shape, const Placement &placement,
                   std::span<float> out) {
    NEURASP_ASSERT(picture.size() == shape.size() && out.size() == shape.size(),
                   "a picture has the size of its shape");
    const double centre_x = static_cast<double>(shape.width - 1) / 2.0;
    const double centre_y = static_cast<double>(shape.height - 1) / 2.0;
    const double cosine = std::cos(placement.angle) / placement.scale;
    const double sine = std::sin(placement.angle) / placement.scale;
    const std::size_t size = shape.height * shape.width;
    for (std::size_t row = 0; row < shape.height; ++row) {
        const double y = static_cast<double>(row) - centre_y - placement.shift_y;
        for (std::size_t column = 0; column < shape.width; ++column) {
            const double x = static_cast<double>(column) - centre_x - placement.shift_x;
            const Between across = neighbours(cosine * x + sine * y + centre_x, shape.width);
            const Between down = neighbours(cosine * y - sine * x + centre_y, shape.height);
            for (std::size_t channel = 0; channel < shape.channels; ++channel) {
                const auto at = [&](std::size_t r, std::size_t c) {
                    return picture[channel * size + r * shape.width + c];
                };
                const float upper = mixed(at(down.first, across.first),
                                          at(down.first, across.second), across.share);
                const float lower = mixed(at(down.second, across.first),
                                          at(down.second, across.second), across.share);
                out[channel * size + row * shape.width + column] = mixed(upper, lower, down.share);
            }
        }
    }
}

// Two at a time, after Box and Muller.
void add_noise(std::span<float> numbers, double deviation, base::RandomStream &random) {
    if (deviation == 0.0) return;
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
        const double radius = deviation * std::sqrt(-2.0 * std::log(random.uniform()));
        const double angle = 2.0 * std::numbers::pi * random.uniform();
        numbers[i] += static_cast<float>(radius * std::cos(angle));
        if (i + 1 < numbers.size()) numbers[i + 1] += static_cast<float>(radius * std::sin(angle));
    }
}

// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014), applied after each number.
std::uint64_t mixed_seed(std::span<const std::uint64_t> numbers) {
    std::uint64_t seed = 0;
    for (const std::uint64_t number : numbers) {
        seed += number + 0x9e3779b97f4a7c15U;
        seed = (seed ^ (seed >> 30U)) * 0xbf58476d1ce4e5b9U;
        seed = (seed ^ (seed >> 27U)) * 0x94d049bb133111ebU;
        seed ^= seed >> 31U;
    }
    return seed;
}

} // namespace neurasp::data
