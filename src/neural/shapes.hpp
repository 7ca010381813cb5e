// Shapes of tensors as people write them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace neurasp::neural {

// The lengths of the dimensions. The shape of a single input or output does not include the batch.
using Shape = std::vector<std::int64_t>;

// "1 x 28 x 28"; "a single number" without dimensions.
inline std::string shape_text(const Shape &shape) {
    if (shape.empty()) return "a single number";
    std::string text;
    for (const std::int64_t length : shape) {
        if (!text.empty()) text += " x ";
        text += std::to_string(length);
    }
    return text;
}

} // namespace neurasp::neural
