// Escaping, and numbers formatted for people.
#include "runs/report_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace neurasp::runs::report {

namespace {

// The number of bytes of the UTF-8 character that `text` begins with; 0 if it does not begin with a character that
// XML allows.
std::size_t character_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r';
    const std::size_t length = first >= 0xF8   ? 0
                               : first >= 0xF0 ? 4
                               : first >= 0xE0 ? 3
                               : first >= 0xC0 ? 2
                                               : 0;
    if (length == 0 || text.size() < length) return 0;
    std::uint32_t code = first & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80) return 0;
        code = code << 6U | (byte(i) & 0x3FU);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    const bool allowed =
        code >= least[length] && code <= 0x10FFFF && !surrogate && code != 0xFFFE && code != 0xFFFF;
    return allowed ? length : 0;
}

std::string_view entity(char character) {
    switch (character) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return {};
    }
}

// "-12345.6" to "-12,345.6".
std::string group_digits(std::string digits) {
    const std::size_t begin = digits.starts_with('-') ? 1 : 0;
    const std::size_t point = std::min(digits.find('.'), digits.size());
    for (std::size_t at = point; at > begin + 3;) digits.insert(at -= 3, 1, ',');
    return digits;
}

} // namespace

std::string escape(std::string_view text) {
    std::string result;
    result.reserve(text.size() + text.size() / 8);
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        const std::string_view named = entity(text.front());
        if (!named.empty()) {
            result += named;
        } else if (length == 0) {
            result += "\xEF\xBF\xBD";
        } else {
            result += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return result;
}

std::string number_text(double value) {
    if (!std::isfinite(value)) return std::string(dash);
    const double size = std::abs(value);
    if (size >= 1000 && size < 1e15) return group_digits(fmt::format("{:.0f}", value));
    return fmt::format("{:.4g}", value);
}

std::string share_text(double share) {
    if (!std::isfinite(share)) return std::string(dash);
    return fmt::format("{:.2f}%", 100 * share);
}

std::string probability_text(double value) {
    if (!std::isfinite(value)) return std::string(dash);
    if (value > 0 && value < 0.0005) return "<0.1%";
    if (value >= 0.9995 && value < 1) return ">99.9%";
    if (value == 0 || value == 1) return fmt::format("{:.0f}%", 100 * value);
    return fmt::format("{:.1f}%", 100 * value);
}

std::string seconds_text(double seconds) {
    constexpr double longest = 1e12; // so that the seconds fit an integer
    if (!std::isfinite(seconds)) return std::string(dash);
    if (seconds == 0) return "0 s";
    if (seconds < 0.9995) return fmt::format("{:.3g} ms", 1000 * seconds);
    if (seconds < 59.95 || seconds > longest) return fmt::format("{:.3g} s", seconds);
    const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    const std::uint64_t minutes = (whole + 30) / 60;
    return fmt::format("{} h {:02} min", count_text(minutes / 60), minutes % 60);
}

std::string count_text(std::uint64_t count) { return group_digits(std::to_string(count)); }

std::string counted(std::uint64_t count, std::string_view things) {
    return fmt::format("{} {}{}", count_text(count), things, count == 1 ? "" : "s");
}

} // namespace neurasp::runs::report
