// Identifiers of the options that diagnostics mention (Diagnostic::option). The library knows options only by
// these names; each front end (the command, Python) has its own spelling for every one of them.
#pragma once

#include <array>
#include <string_view>

namespace neurasp::base::option {

inline constexpr const char *allow_include = "allow_include";
inline constexpr const char *allow_script = "allow_script";
inline constexpr const char *assignments = "assignments"; // to keys of an experiment file
inline constexpr const char *constants = "constants";
inline constexpr const char *convert_inputs = "convert_inputs";
inline constexpr const char *ground_limit = "ground_limit";
inline constexpr const char *logits = "logits"; // its value is the name of a network
inline constexpr const char *overwrite = "overwrite";
inline constexpr const char *resume = "resume";

inline constexpr std::array<std::string_view, 9> all{allow_include, allow_script,   assignments,
                                                     constants,     convert_inputs, ground_limit,
                                                     logits,        overwrite,      resume};

} // namespace neurasp::base::option
