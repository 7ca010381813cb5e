// The options of the commands that run networks, and the functions that run them. Every build of the command
// declares the options. `neurasp-torch`, which is linked with LibTorch, runs the commands; `neurasp` starts without
// LibTorch and hands over (hand_over.cpp).
#pragma once

#include "cli/commands.hpp"
#include "cli/options.hpp"

#include <optional>
#include <string>
#include <vector>

namespace neurasp::cli {

struct ExperimentOptions {
    std::string file;
    std::vector<std::string> assignments; // --set key=value
    std::string format = "text";
    std::string color = "auto";

    bool json() const { return format == "json"; }
};

struct TrainOptions : ExperimentOptions {
    bool resume = false;
    bool overwrite = false;
    bool report = true;
    bool stats = false; // how observations were prepared
};

struct EvaluateOptions : ExperimentOptions {
    std::string weights; // a folder; empty: the experiment's output
    std::string split = "test";
};

struct PredictOptions : ExperimentOptions {
    std::string weights;
    std::string split;               // predict its examples; empty: the user's own inputs
    std::vector<std::string> inputs; // "terms=file"
    bool convert_inputs = false;
    std::vector<std::string> observations;
    std::vector<std::string> queries;
    std::uint64_t count = 1;
    std::optional<double> time_limit; // seconds
};

// --set and --split.
void add_assignments_option(CLI::App &command, std::vector<std::string> &assignments);
void add_split_option(CLI::App &command, std::string &split, const std::string &text);

ExitCode run_train(const TrainOptions &options);
ExitCode run_evaluate(const EvaluateOptions &options);
ExitCode run_predict(const PredictOptions &options);
ExitCode run_predict_split(const PredictOptions &options);
// Replaces this process by `neurasp-torch` with the same arguments; returns only if this process is
// `neurasp-torch`. To be called before anything is read from standard input, which cannot be read twice.
// Throws: EnvironmentError if there is no such build.
void hand_over_to_torch_build();
// Whether there is such a build. Cheap, because LibTorch is not loaded.
bool has_torch_build();
// Adds the outputs of the networks that --net names, for the question's calls. Returns warnings.
std::vector<Diagnostic> add_live_outputs(const Options &options, const Question &question,
                                         NetworkOutputs &outputs);

// Ends the process in the quickest way, or returns the exit code for a normal end.
int leave(int exit_code);

// Splits "name=value" at the first '='. Throws: UsageError that names `option`.
std::pair<std::string, std::string> split_assignment(const std::string &text,
                                                     const std::string &option);

// Remembers the command line, for handing over.
void remember_arguments(int argc, const char *const *argv);
const std::vector<std::string> &remembered_arguments();

} // namespace neurasp::cli
