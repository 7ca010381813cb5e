// Texts and numbers as the report shows them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neurasp::runs::report {

// Shown in place of a number that does not exist or is not finite.
inline constexpr std::string_view dash = "–";

// Text for the content of an element or a quoted attribute. Bytes that are not UTF-8, and characters that XML does
// not allow, become U+FFFD.
std::string escape(std::string_view text);

// Each of these returns the dash for numbers that are not finite.
std::string number_text(double value);      // four digits: 0.1234, 12,345
std::string share_text(double share);       // 97.50%
std::string probability_text(double value); // 97.5%, >99.9%
std::string seconds_text(double seconds);   // 842 ms, 12.3 s, 3 min 05 s, 1 h 02 min

std::string count_text(std::uint64_t count);                       // 12,345
std::string counted(std::uint64_t count, std::string_view things); // 1 epoch, 2 epochs

} // namespace neurasp::runs::report
