// Scales pictures with a triangle filter, first along lines, then along columns. The filter is as wide as a new pixel if
// pictures shrink, so no line of the old picture is skipped, and as an old pixel if they grow.
#include "data/resize.hpp"

#include "data/byte_source.hpp"

#include <algorithm>
#include <cmath>

namespace neurasp::data {

namespace {

// The old pixels that a new one is made of: from `first` on, with these weights, whose sum is 1.
struct Blend {
    std::size_t first = 0;
    std::vector<double> weights;
};

std::vector<Blend> blends(std::size_t from, std::size_t to) {
    const double step = static_cast<double>(from) / static_cast<double>(to);
    const double radius = std::max(step, 1.0);
    std::vector<Blend> all(to);
    for (std::size_t i = 0; i < to; ++i) {
        const double center = (static_cast<double>(i) + 0.5) * step;
        const auto end = static_cast<std::size_t>(
            std::min(std::ceil(center + radius), static_cast<double>(from)));
        all[i].first = static_cast<std::size_t>(std::max(center - radius, 0.0));
        double sum = 0.0;
        for (std::size_t place = all[i].first; place < end; ++place) {
            const double distance = std::abs(static_cast<double>(place) + 0.5 - center) / radius;
            all[i].weights.push_back(std::max(1.0 - distance, 0.0));
            sum += all[i].weights.back();
        }
        for (double &weight : all[i].weights) weight /= sum;
    }
    return all;
}

// Numbers as count x length x inner become count x blends.size() x inner.
std::vector<double> blended(const std::vector<double> &values, std::size_t length,
                            std::size_t inner, const std::vector<Blend> &blends) {
    const std::size_t count = values.size() / (length * inner);
    std::vector<double> result(count * blends.size() * inner);
    double *out = result.data();
    for (std::size_t c = 0; c < count; ++c) {
        for (const Blend &blend : blends) {
            const double *in = &values[(c * length + blend.first) * inner];
            for (const double weight : blend.weights) {
                for (std::size_t i = 0; i < inner; ++i) out[i] += weight * *in++;
            }
            out += inner;
        }
    }
    return result;
}

} // namespace

Array resized(const Array &images, std::size_t height, std::size_t width) {
    Shape shape = images.shape();
    const auto *pixels = std::get_if<Bytes>(&images.elements());
    if (pixels == nullptr || shape.size() < 3 || shape.size() > 4 || height == 0 || width == 0) {
        throw ContractError("resized: expected pictures of bytes and a size above 0");
    }
    const std::size_t channels = shape.size() == 4 ? shape[3] : 1;
    std::vector<double> values(pixels->begin(), pixels->end());
    values = blended(values, shape[2], channels, blends(shape[2], width));
    values = blended(values, shape[1], width * channels, blends(shape[1], height));
    Bytes bytes(values.size());
    std::transform(values.begin(), values.end(), bytes.begin(), [](double value) {
        return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
    });
    shape[1] = height;
    shape[2] = width;
    return {std::move(shape), std::move(bytes), images.name()};
}

} // namespace neurasp::data
