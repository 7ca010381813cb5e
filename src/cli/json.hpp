// The JSON contract (docs/schema): how answers and diagnostics look as JSON.
#pragma once

#include "neurasp/answers.hpp"
#include "neurasp/diagnostic.hpp"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <string_view>

namespace neurasp::cli {

using Json = nlohmann::ordered_json;

// A number; null where JSON has none (minus infinity, not a number).
Json json_number(double value);
// The text; bytes that are no UTF-8 are replaced when it is written.
std::string json_line(const Json &value);
// A member `"key": value` of the outermost object, as `json_document` writes it. Lists of objects and
// objects take one line for each item.
std::string json_member(std::string_view key, const Json &value);
// An object, one member a line; ends with a newline.
std::string json_document(const Json &object);

Json to_json(const StableModel &model);
Json to_json(const Diagnostic &diagnostic);
Json to_json(std::span<const Diagnostic> diagnostics);
Json to_json(const ProgramSummary &summary);

// {"lower", "upper"}.
Json json_bounds(const Interval &interval);
// The lower end as `key`, and `bounds_key` beside it if the interval is not exact.
void add_interval(Json &object, const char *key, const char *bounds_key, const Interval &interval);
// "mass": null if it is not known; with "mass_bounds" if it is only known to lie in an interval.
void add_mass(Json &object, const Interval *mass);
// "exact", "engine", and "note" if there is one.
void add_info(Json &object, const AnswerInfo &info);

} // namespace neurasp::cli
