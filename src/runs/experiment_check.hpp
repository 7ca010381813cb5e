// What can be learned from a split of an experiment, before its networks are trained.
#pragma once

#include "data/experiment.hpp"
#include "neurasp/learning_check.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::runs {

// Examples that have something in common: how many, and the names of the first ones.
struct ExampleGroup {
    std::size_t examples = 0;
    std::size_t observations = 0; // different ones
    std::vector<std::string> names;
};

struct ExperimentCheck {
    std::string split;
    std::size_t examples = 0;
    std::size_t observations = 0; // different ones
    std::size_t labelled = 0;     // examples with at least one label
    ExampleGroup impossible;
    ExampleGroup idle;                          // those that teach nothing
    ExampleGroup contradictory;                 // labels violate the observation
    ExampleGroup unknown;                       // a limit was reached before
    std::vector<std::string> uncalled_networks; // of the experiment file
    LearningCheck learning;
    // Warnings about the program, and one for each kind of finding, with names of examples.
    std::vector<Diagnostic> diagnostics;
};

// Reads the split and checks it. Throws: InputError, EnvironmentError, LimitError.
ExperimentCheck check_experiment(const data::Experiment &experiment, std::string_view split,
                                 const LearningCheckSettings &settings = {},
                                 const Limits &limits = {});
// The same for an experiment file, with `assignments` as read_experiment_file takes them.
ExperimentCheck check_experiment_file(const std::string &file,
                                      const std::vector<std::string> &assignments,
                                      std::string_view split,
                                      const LearningCheckSettings &settings = {},
                                      const Limits &limits = {});

} // namespace neurasp::runs
