// Reads experiment files (TOML). docs/experiment-file.md describes them; experiment_keys.hpp holds the
// table of keys.
#pragma once

#include "data/experiment.hpp"

#include <span>
#include <string>
#include <string_view>

namespace neurasp::data {

// Reads the text of an experiment file, then applies `assignments`, each `key=value`. `name` is the file's name:
// diagnostics show it, and relative paths start at its folder. Opens no file.
// Throws: InputError with all mistakes found and their places.
Experiment read_experiment(std::string_view text, const std::string &name,
                           std::span<const std::string> assignments = {});

// Throws: EnvironmentError if the file cannot be read, otherwise as read_experiment.
Experiment read_experiment_file(const std::string &path,
                                std::span<const std::string> assignments = {});

} // namespace neurasp::data
