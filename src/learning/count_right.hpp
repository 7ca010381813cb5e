// Counts of right predictions from a tensor of truth values.
#pragma once

#include "runs/right_counts.hpp"

#include <torch/types.h>

#include <cstdint>

namespace neurasp::learning {

// `right` (bool): outputs x events.
inline runs::RightCounts count_right(const torch::Tensor &right) {
    const auto count = [](const torch::Tensor &which) {
        return static_cast<std::size_t>(which.sum().item<std::int64_t>());
    };
    return {static_cast<std::size_t>(right.numel()), count(right),
            static_cast<std::size_t>(right.size(0)), count(right.all(1))};
}

} // namespace neurasp::learning
