// Checks JSON against the part of JSON Schema that docs/schema uses.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace neurasp::test {

// What is wrong ("/queries/0: missing 'joint'"), or nothing. Throws for a keyword it does not know.
std::string schema_violation(const nlohmann::json &schema, const nlohmann::json &value);

// The schema docs/schema/<name>.json.
nlohmann::json load_schema(const std::string &name);

} // namespace neurasp::test
