// One spelling for terms that people write in different ways: "g, h" is "g,h".
#pragma once

#include <string>
#include <string_view>

namespace neurasp::base {

// The text without the blanks, tabs and line ends that are outside of strings in double quotes, where a
// backslash protects the next character.
std::string without_blanks(std::string_view text);

} // namespace neurasp::base
