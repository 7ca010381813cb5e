// Copies rows of arrays into tensors, and tensors into numbers.
#include "neural/tensors.hpp"

#include "neural/shapes.hpp"

#include <array>
#include <cstdint>
#include <variant>

namespace neurasp::neural {

namespace {

// The normalised value of each byte, so that a pixel costs one look-up.
std::array<float, 256> byte_values(Normalisation normalisation) {
    std::array<float, 256> values{};
    for (std::size_t byte = 0; byte < values.size(); ++byte) {
        values[byte] = static_cast<float>((static_cast<double>(byte) / 255.0 - normalisation.mean) /
                                          normalisation.deviation);
    }
    return values;
}

void copy_bytes(const data::Array &array, const std::vector<std::uint8_t> &bytes,
                std::span<const std::size_t> rows, Normalisation normalisation, float *out) {
    const auto values = byte_values(normalisation);
    for (const std::size_t row : rows) {
        const std::uint8_t *from = bytes.data() + row * array.row_size();
        for (std::size_t i = 0; i < array.row_size(); ++i) *out++ = values[from[i]];
    }
}

void copy_numbers(const data::Array &array, std::span<const std::size_t> rows,
                  Normalisation normalisation, float *out) {
    const auto mean = static_cast<float>(normalisation.mean);
    const auto deviation = static_cast<float>(normalisation.deviation);
    for (const std::size_t row : rows) {
        const std::span<float> numbers(out, array.row_size());
        array.copy_row(row, numbers);
        for (float &x : numbers) x = (x - mean) / deviation;
        out += array.row_size();
    }
}

} // namespace

torch::Tensor batch_of(const data::Array &array, std::span<const std::size_t> rows,
                       Normalisation normalisation) {
    if (!(normalisation.deviation > 0.0)) {
        throw ContractError("batch_of: the deviation must be positive");
    }
    for (const std::size_t row : rows) {
        if (row >= array.rows()) throw array.no_such_row(static_cast<std::int64_t>(row));
    }
    Shape shape = {static_cast<std::int64_t>(rows.size())};
    for (const std::size_t length : array.row_shape())
        shape.push_back(static_cast<std::int64_t>(length));
    torch::Tensor batch = torch::empty(shape, torch::kFloat);
    float *out = batch.data_ptr<float>();
    if (const auto *bytes = std::get_if<std::vector<std::uint8_t>>(&array.elements())) {
        copy_bytes(array, *bytes, rows, normalisation, out);
    } else {
        copy_numbers(array, rows, normalisation, out);
    }
    return batch;
}

std::vector<double> values_of(const torch::Tensor &tensor) {
    const torch::Tensor numbers = tensor.detach().to(torch::kCPU, torch::kDouble).contiguous();
    const double *begin = numbers.data_ptr<double>();
    return {begin, begin + numbers.numel()};
}

} // namespace neurasp::neural
