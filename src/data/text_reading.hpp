// What all readers of text files in this layer agree on.
#pragma once

#include <cstddef>
#include <string_view>

namespace neurasp::data {

// Some editors begin UTF-8 files with it; it is no part of the text.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
// After so many errors, reading on helps nobody.
inline constexpr std::size_t most_errors = 20;

} // namespace neurasp::data
