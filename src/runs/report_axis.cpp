// Choosing ticks: the step is the smallest of 1, 2 or 5 times a power of ten that divides the range into at most
// the wanted number of steps. Ticks are computed as multiples of the step, never by adding it up, so rounding
// errors do not accumulate; a tolerance of a millionth of a step absorbs those of the multiplication. A range that
// is empty or too narrow for doubles is widened first.
#include "runs/report_axis.hpp"

#include "runs/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace neurasp::runs::report {

namespace {

constexpr double tick_tolerance = 1e-6; // as a part of a step, for rounding errors

double round_step(double at_least, TickStyle style) {
    const double power = std::pow(10.0, std::floor(std::log10(at_least)));
    double step = 10 * power;
    for (const double digit : {5.0, 2.0, 1.0}) {
        if (digit * power >= at_least * (1 - tick_tolerance)) step = digit * power;
    }
    return style == TickStyle::whole ? std::max(step, 1.0) : step;
}

// Widens a range that is empty or so narrow that its numbers could not be told apart.
Range widened(Range range, TickStyle style) {
    const double size = std::max(std::abs(range.low), std::abs(range.high));
    if (range.high - range.low > 1e-9 * size && range.high - range.low > 1e-30) return range;
    if (style == TickStyle::whole) return {range.low - 0.5, range.high + 0.5};
    const bool is_share = style == TickStyle::percent && range.low >= 0 && range.high <= 1;
    const double margin = is_share ? 0.05 : size > 1e-20 ? 0.1 * size : 1.0;
    range = {range.low - margin, range.high + margin};
    return is_share ? Range{std::max(range.low, 0.0), std::min(range.high, 1.0)} : range;
}

int decimals_of(double step) {
    return std::clamp(static_cast<int>(-std::floor(std::log10(step) + tick_tolerance)), 0, 9);
}

} // namespace

bool is_drawable(double value) { return std::isfinite(value) && std::abs(value) < 1e100; }

std::vector<double> Axis::ticks() const {
    std::vector<double> result;
    const double first = std::ceil(low / step - tick_tolerance);
    const auto most = static_cast<std::size_t>((high - low) / step + 2 * tick_tolerance) + 1;
    for (std::size_t i = 0; i < most; ++i) {
        const double tick = (first + static_cast<double>(i)) * step;
        if (tick <= high + tick_tolerance * step) result.push_back(tick);
    }
    return result;
}

std::string Axis::tick_text(double tick, TickStyle style) const {
    if (std::abs(tick) < tick_tolerance * step) tick = 0; // no "-0"
    if (style == TickStyle::percent) {
        return fmt::format("{:.{}f}%", 100 * tick, decimals_of(100 * step));
    }
    const double size = std::max(std::abs(low), std::abs(high));
    if (size >= 1e12 || step < 1e-6) return fmt::format("{:.4g}", tick);
    for (const auto &[unit, letter] : {std::pair{1e9, 'G'}, {1e6, 'M'}, {1e4, 'k'}}) {
        if (size < unit) continue;
        if (tick == 0) return "0";
        return fmt::format("{:.{}f}{}", tick / (unit == 1e4 ? 1e3 : unit),
                           decimals_of(step / (unit == 1e4 ? 1e3 : unit)), letter);
    }
    if (size >= 1000) return number_text(tick);
    return fmt::format("{:.{}f}", tick, decimals_of(step));
}

Axis tight_axis(Range range, std::size_t ticks, TickStyle style) {
    range = widened(range, style);
    return {range.low, range.high,
            round_step((range.high - range.low) / static_cast<double>(ticks), style)};
}

Axis rounded_axis(Range range, std::size_t ticks, TickStyle style) {
    Axis axis = tight_axis(range, ticks, style);
    axis.low = std::floor(axis.low / axis.step + tick_tolerance) * axis.step;
    axis.high = std::ceil(axis.high / axis.step - tick_tolerance) * axis.step;
    return axis;
}

} // namespace neurasp::runs::report
