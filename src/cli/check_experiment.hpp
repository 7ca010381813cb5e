// `neurasp check X.toml`: what can be learned from an experiment, before training.
#pragma once

#include "cli/exit_codes.hpp"
#include "neurasp/learning_check.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace neurasp::cli {

struct CheckExperimentOptions {
    std::string file;
    std::vector<std::string> assignments; // --set key=value
    std::string split = "train";
    std::uint64_t choices = LearningCheckSettings().choices;
    std::uint64_t steps = LearningCheckSettings().steps;
    std::optional<double> time_limit; // seconds
    bool json = false;
    std::string color = "auto";
};

ExitCode run_check_experiment(const CheckExperimentOptions &options);

} // namespace neurasp::cli
