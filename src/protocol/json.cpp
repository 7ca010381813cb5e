// The layout of JSON: numbers, lines, documents.
#include "protocol/json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace neurasp::protocol {

namespace {

bool spreads(const Json &value) {
    return !value.empty() && (value.is_object() || (value.is_array() && value.front().is_object()));
}

} // namespace

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

std::string line(const Json &value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string member(std::string_view key, const Json &value) {
    std::string text = fmt::format("  {}: ", line(std::string(key)));
    if (!spreads(value)) return text + line(value);
    const bool object = value.is_object();
    text += object ? "{" : "[";
    bool first = true;
    for (const auto &[item_key, item] : value.items()) {
        text += first ? "\n    " : ",\n    ";
        first = false;
        if (object) text += line(item_key) + ": ";
        text += line(item);
    }
    return text + (object ? "\n  }" : "\n  ]");
}

std::string document(const Json &object) {
    std::string text = "{";
    bool first = true;
    for (const auto &[key, value] : object.items()) {
        text += first ? "\n" : ",\n";
        first = false;
        text += member(key, value);
    }
    return text + "\n}\n";
}

} // namespace neurasp::protocol
