// Counts in messages, with the noun in the right number: "1 row", "3 rows".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace neurasp::base {

// Requires: the plural of `noun` is formed by adding an s.
inline std::string counted(std::uint64_t count, std::string_view noun) {
    return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

} // namespace neurasp::base
