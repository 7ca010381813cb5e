// Diagnostics as JSON, and the lines on standard error.
#include "protocol/diagnostics.hpp"

#include <nlohmann/json.hpp>

namespace neurasp::protocol {

namespace {

Json position(std::uint32_t value) { return value == 0 ? Json() : Json(value); }

} // namespace

Json to_json(const Diagnostic &diagnostic) {
    const SourceLocation &at = diagnostic.location;
    Json json = {{"severity", to_string(diagnostic.severity)},
                 {"code", diagnostic.code},
                 {"message", diagnostic.message},
                 {"file", at.file.empty() ? Json() : Json(at.file)},
                 {"line", position(at.line)},
                 {"column", position(at.column)},
                 {"end_line", position(at.end_line)},
                 {"end_column", position(at.end_column)},
                 {"hint", diagnostic.hint.empty() ? Json() : Json(diagnostic.hint)}};
    if (!diagnostic.option.empty()) json["option"] = diagnostic.option;
    if (!diagnostic.option_value.empty()) json["option_value"] = diagnostic.option_value;
    return json;
}

Json to_json(std::span<const Diagnostic> diagnostics) {
    Json list = Json::array();
    for (const Diagnostic &diagnostic : diagnostics) list.push_back(to_json(diagnostic));
    return list;
}

std::string error_line(std::string_view kind, int exit_code,
                       std::span<const Diagnostic> diagnostics) {
    const Json error = {
        {"kind", kind}, {"exit_code", exit_code}, {"diagnostics", to_json(diagnostics)}};
    return line(Json{{"error", error}});
}

std::string warnings_line(std::span<const Diagnostic> diagnostics) {
    return line(Json{{"diagnostics", to_json(diagnostics)}});
}

} // namespace neurasp::protocol
