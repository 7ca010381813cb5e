// How JSON looks on the outside: numbers, lines, documents.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace neurasp::protocol {

using Json = nlohmann::ordered_json;

// A number; null where JSON has none (infinities, not a number).
Json number(double value);
// The value in one line; bytes that are not UTF-8 are replaced.
std::string line(const Json &value);
// A member `"key": value` of the outermost object, as `document` writes it. Lists of objects and objects
// take one line for each item.
std::string member(std::string_view key, const Json &value);
// An object, one member a line; ends with a newline.
std::string document(const Json &object);

} // namespace neurasp::protocol
