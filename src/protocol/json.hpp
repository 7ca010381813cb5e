// The layout of JSON: numbers, lines, documents.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace neurasp::protocol {

using Json = nlohmann::ordered_json;

// A number; null for infinities and NaN, which JSON does not have.
Json number(double value);
// The value on one line; bytes that are not UTF-8 are replaced.
std::string line(const Json &value);
// A member `"key": value` of the outermost object, as `document` writes it. An object or a list of
// objects has one line for each item.
std::string member(std::string_view key, const Json &value);
// An object, one member per line; ends with a newline.
std::string document(const Json &object);

} // namespace neurasp::protocol
