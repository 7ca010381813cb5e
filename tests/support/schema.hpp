// Checks JSON against the part of JSON Schema that docs/schema uses.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace neurasp::test {

// The first violation ("/queries/0: ..."), or an empty text. Throws: std::runtime_error for an unknown keyword.
std::string schema_violation(const nlohmann::json &schema, const nlohmann::json &value);

// The schema docs/schema/<name>.json.
nlohmann::json load_schema(const std::string &name);

} // namespace neurasp::test
