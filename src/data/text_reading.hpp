// Constants shared by the readers of text files in this layer.
#pragma once

#include <cstddef>
#include <string_view>

namespace neurasp::data {

// Some editors write it at the beginning of UTF-8 files; it is not part of the text.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
// Readers stop after this many errors.
inline constexpr std::size_t most_errors = 20;

} // namespace neurasp::data
