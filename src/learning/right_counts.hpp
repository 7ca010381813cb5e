// How many predictions are right: of events, and of whole outputs.
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <cstdint>

namespace neurasp::learning {

inline double share(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

struct RightCounts {
    std::size_t events = 0;
    std::size_t right_events = 0;
    std::size_t outputs = 0;
    std::size_t right_outputs = 0;

    // `right` (bool): outputs x events.
    void add(const torch::Tensor &right) {
        events += static_cast<std::size_t>(right.numel());
        right_events += static_cast<std::size_t>(right.sum().item<std::int64_t>());
        outputs += static_cast<std::size_t>(right.size(0));
        right_outputs += static_cast<std::size_t>(right.all(1).sum().item<std::int64_t>());
    }
    double event_share() const { return share(right_events, events); }
    double output_share() const { return share(right_outputs, outputs); }
};

} // namespace neurasp::learning
