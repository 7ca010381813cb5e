// One spelling for terms that people write with or without blanks: "g, h" becomes "g,h".
#pragma once

#include <string>
#include <string_view>

namespace neurasp::base {

// The text without blanks, tabs and line ends, except in strings between double quotes. In a string, a backslash
// escapes the next character.
std::string without_blanks(std::string_view text);

} // namespace neurasp::base
