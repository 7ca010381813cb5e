// How many predictions are right: of events, and of whole outputs.
#pragma once

#include <cstddef>

namespace neurasp::runs {

inline double share(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

struct RightCounts {
    std::size_t events = 0;
    std::size_t right_events = 0;
    std::size_t outputs = 0;
    std::size_t right_outputs = 0;

    RightCounts &operator+=(const RightCounts &other) {
        events += other.events;
        right_events += other.right_events;
        outputs += other.outputs;
        right_outputs += other.right_outputs;
        return *this;
    }
    double event_share() const { return share(right_events, events); }
    double output_share() const { return share(right_outputs, outputs); }
};

} // namespace neurasp::runs
