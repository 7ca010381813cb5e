// Compares a TOML tree with the table of keys: unknown and missing keys, wrong types, numbers out of
// range, keys that exclude each other. References to arrays, columns and networks are checked by the reader.
#pragma once

#include "base/source.hpp"
#include "data/toml_document.hpp"

namespace neurasp::data {

// Collecting stops after this many errors; further ones are mostly repetitions.
inline constexpr std::size_t most_experiment_errors = 20;

// Adds a diagnostic for each mistake.
void check_experiment_keys(const TomlDocument &document, base::DiagnosticSink &errors);

} // namespace neurasp::data
