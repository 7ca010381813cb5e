// Experiment files for the tests, and their errors as text.
#pragma once

#include "data/experiment_file.hpp"
#include "neurasp/diagnostic.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace neurasp::data {

// The smallest valid experiment file.
inline const std::string minimal_experiment = "program = \"p.lp\"\n";

inline std::vector<Diagnostic> experiment_errors(std::string_view text,
                                                 std::vector<std::string> assignments = {}) {
    try {
        read_experiment(text, "dir/x.toml", assignments);
    } catch (const InputError &error) {
        return error.diagnostics();
    }
    return {};
}

// "code line:column" of each error, separated by commas.
inline std::string experiment_places(std::string_view text,
                                     std::vector<std::string> assignments = {}) {
    std::string places;
    for (const Diagnostic &error : experiment_errors(text, std::move(assignments))) {
        if (!places.empty()) places += ", ";
        places += error.code + " " + std::to_string(error.location.line) + ":" +
                  std::to_string(error.location.column);
    }
    return places;
}

} // namespace neurasp::data
