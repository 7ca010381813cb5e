// The identifiers of options that diagnostics name (Diagnostic::option). The library knows no other names of
// options: how the command, or Python, writes them is the business of each front end, which has a spelling
// for every one of these.
#pragma once

#include <array>
#include <string_view>

namespace neurasp::base::option {

inline constexpr const char *allow_include = "allow_include";
inline constexpr const char *allow_script = "allow_script";
inline constexpr const char *assignments = "assignments"; // of keys of an experiment
inline constexpr const char *constants = "constants";
inline constexpr const char *ground_limit = "ground_limit";
inline constexpr const char *logits = "logits"; // its value is the name of a network
inline constexpr const char *resume = "resume";

inline constexpr std::array<std::string_view, 7> all{
    allow_include, allow_script, assignments, constants, ground_limit, logits, resume};

} // namespace neurasp::base::option
