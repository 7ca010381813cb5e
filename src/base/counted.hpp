// Counts in messages, with the noun in the right number: "1 row", "3 rows".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neurasp::base {

inline std::string counted(std::uint64_t count, std::string_view noun, std::string_view plural) {
    return std::to_string(count) + " " + std::string(count == 1 ? noun : plural);
}

// For nouns whose plural ends with an added s.
inline std::string counted(std::uint64_t count, std::string_view noun) {
    return counted(count, noun, std::string(noun) + "s");
}

} // namespace neurasp::base
