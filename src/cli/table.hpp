// Columns of text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace neurasp::cli {

using Row = std::vector<std::string>;

// The number of characters (not bytes) of UTF-8 text.
std::size_t width(std::string_view text);
// The text with spaces to the right up to `columns` characters.
std::string pad(std::string_view text, std::size_t columns);
// One line for each row, cells left-aligned, two spaces apart, each line after `indent` spaces; no
// newline at the end.
std::string align(const std::vector<Row> &rows, std::size_t indent = 0);

} // namespace neurasp::cli
