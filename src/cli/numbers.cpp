// Numbers as text for people.
#include "cli/numbers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace neurasp::cli {

std::string show(double value) { return fmt::format("{:.8g}", value == 0.0 ? 0.0 : value); }

std::string show_value(const Probability &probability) {
    constexpr double least_normal = 1e-300;
    if (probability.value >= least_normal || std::isinf(probability.log)) {
        return show(probability.value);
    }
    const double decimal = probability.log / std::numbers::ln10;
    double exponent = std::floor(decimal);
    std::string digits = fmt::format("{:.6g}", std::pow(10.0, decimal - exponent));
    if (digits == "10") {
        digits = "1";
        exponent += 1.0;
    }
    return fmt::format("{}e{:.0f}", digits, exponent);
}

std::string show(const Probability &probability) {
    if (probability.exact) return show_value(probability);
    return fmt::format("{} .. {}", show_value(probability), show(probability.upper));
}

std::string show_float(double value) {
    constexpr double least_shown = 5e-5;
    return value == 0.0 || value >= least_shown ? fmt::format("{:.4f}", value)
                                                : fmt::format("{:.2g}", value);
}

std::string show_float(const Probability &probability) {
    constexpr double least_normal = 1e-300;
    const bool tiny = probability.value < least_normal && !std::isinf(probability.log);
    const std::string value = tiny ? show_value(probability) : show_float(probability.value);
    return probability.exact ? value
                             : fmt::format("{} .. {}", value, show_float(probability.upper));
}

std::string show_small_log(const Probability &probability) {
    constexpr double small = 1e-6;
    if (probability.value >= small || std::isinf(probability.log)) return {};
    return fmt::format("(log {})", show(probability.log));
}

std::string show_seconds(double seconds) { return fmt::format("{:.3f} s", seconds); }

std::string show_count(std::uint64_t count, const std::string &singular) {
    return fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

} // namespace neurasp::cli
