// Compares a TOML tree with the table of keys: unknown and missing keys, wrong types, numbers out of
// range, keys that exclude each other. What names mean (arrays, columns) is checked by the reader.
#pragma once

#include "base/source.hpp"
#include "data/toml_document.hpp"

namespace neurasp::data {

// No more errors than these are collected; what follows is mostly the same again.
inline constexpr std::size_t most_experiment_errors = 20;

// Adds a diagnostic for each mistake.
void check_experiment_keys(const TomlDocument &document, base::DiagnosticSink &errors);

} // namespace neurasp::data
