// Names in a term that mean only themselves unless a #const gives them a value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace neurasp::language {

// The names in a term, in order, except names of functions and everything inside their parentheses: n and m
// in `n..m+f(k)`.
std::vector<std::string> bare_names(std::string_view term);

} // namespace neurasp::language
