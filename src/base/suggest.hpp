// "Did you mean ...?" for misspelt names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace neurasp::base {

// The candidate nearest to `name`, if it is near enough for `name` to be a likely typo.
std::optional<std::string> closest_name(std::string_view name,
                                        std::span<const std::string> candidates);

} // namespace neurasp::base
