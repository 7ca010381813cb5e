// Axes of charts: a range of numbers with ticks at multiples of 1, 2 or 5 times a power of ten.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace neurasp::runs::report {

struct Range {
    double low = 0.0;
    double high = 0.0;
};

enum class TickStyle { number, percent, whole };

struct Axis {
    double low = 0.0;
    double high = 1.0; // > low
    double step = 1.0; // between ticks

    std::vector<double> ticks() const;
    std::string tick_text(double tick, TickStyle style) const;
    // The position of `value`: 0 at `low`, 1 at `high`.
    double position(double value) const { return (value - low) / (high - low); }
};

// Whether a chart can show the value: it is finite and so small that ranges of such numbers do not overflow.
bool is_drawable(double value);

// An axis with about `ticks` steps whose ends are moved outwards to ticks. Percentages stay within [0, 1] if the
// range does.
Axis rounded_axis(Range range, std::size_t ticks, TickStyle style);

// An axis with the ends of the range, and ticks between them.
Axis tight_axis(Range range, std::size_t ticks, TickStyle style);

} // namespace neurasp::runs::report
