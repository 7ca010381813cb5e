// Reads an experiment file and its program, and looks for the files that they name.
#include "cli/experiment_check.hpp"

#include "data/experiment_file.hpp"
#include "data/network_check.hpp"
#include "runs/experiment_program.hpp"
#include "runs/old_run.hpp"
#include "runs/run_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace neurasp::cli {

namespace {

void require_file(const data::FileReference &file) {
    std::error_code unknown;
    if (file.empty() || std::filesystem::exists(file.path, unknown)) return;
    throw EnvironmentError(
        fmt::format("cannot read '{}': {}", file.path, std::strerror(unknown ? ENOTDIR : ENOENT)));
}

bool is_used(const data::ExampleSettings &example, const std::string &array) {
    const auto &inputs = example.inputs;
    const auto &labels = example.labels;
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](const auto &input) { return input.source.array == array; }) ||
           std::any_of(labels.begin(), labels.end(), [&](const auto &label) {
               return label.source && label.source->array == array;
           });
}

void require_data(const data::Experiment &experiment, const data::SplitSettings &split) {
    require_file(split.table);
    require_file(split.rows_file);
    for (const data::ArraySettings &array : split.arrays) {
        if (is_used(experiment.example, array.name)) require_file(array.file);
    }
}

// Checks the files that every command reads.
data::Experiment read(const ExperimentOptions &options) {
    data::Experiment experiment = data::read_experiment_file(options.file, options.assignments);
    data::check_networks(experiment);
    runs::program_of(experiment);
    return experiment;
}

// Checks the files of a split.
void require_files(const data::Experiment &experiment) {
    require_file(experiment.example.observation_file);
    for (const data::NetworkSettings &network : experiment.networks) {
        require_file(network.script);
        require_file(network.weights);
    }
    for (const data::ConstraintSettings &set : experiment.evaluation.constraints) {
        require_file(set.file);
    }
}

} // namespace

void check_output_folder(const data::Experiment &experiment, const TrainOptions &options) {
    if (options.resume || options.overwrite) return;
    try {
        runs::require_no_run(experiment);
    } catch (const EnvironmentError &error) {
        const runs::RunFolder not_taken(experiment.output.path); // or another run is writing to it
        throw EnvironmentError(error.what(), "--resume continues it, --overwrite replaces it, and "
                                             "--set output=DIR writes to another folder");
    }
}

void check_experiment(const TrainOptions &options) {
    const data::Experiment experiment = read(options);
    require_files(experiment);
    require_data(experiment, data::split_of(experiment, "train"));
    for (const data::SplitSettings &split : experiment.splits) require_data(experiment, split);
    check_output_folder(experiment, options);
}

void check_experiment(const EvaluateOptions &options) {
    const data::Experiment experiment = read(options);
    require_files(experiment);
    require_data(experiment, data::split_of(experiment, options.split));
}

void check_experiment(const PredictOptions &options) {
    const data::Experiment experiment = read(options);
    if (options.split.empty()) return; // the inputs are the user's own
    require_files(experiment);
    require_data(experiment, data::split_of(experiment, options.split));
}

} // namespace neurasp::cli
