// Names in terms that stand for no more than themselves unless a #const gives them a value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace neurasp::language {

// The names in a term, in order, without those of functions and whatever is inside functions: n and m in
// `n..m+f(k)`.
std::vector<std::string> bare_names(std::string_view term);

} // namespace neurasp::language
