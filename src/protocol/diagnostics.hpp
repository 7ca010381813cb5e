// Diagnostics, and the lines on standard error that carry them (docs/schema: error, warnings).
#pragma once

#include "neurasp/diagnostic.hpp"
#include "protocol/json.hpp"

#include <span>
#include <string>
#include <string_view>

namespace neurasp::protocol {

Json to_json(const Diagnostic &diagnostic);
Json to_json(std::span<const Diagnostic> diagnostics);

// The line for an error, which ends the command: {"error": {"kind", "exit_code", "diagnostics"}}. The schema lists the kinds.
std::string error_line(std::string_view kind, int exit_code,
                       std::span<const Diagnostic> diagnostics);
// The line for warnings, after which the command continues: {"diagnostics": [...]}.
std::string warnings_line(std::span<const Diagnostic> diagnostics);

} // namespace neurasp::protocol
