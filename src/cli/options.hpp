// The options that several subcommands share: their names, the checks of their values, and the struct that
// holds them.
#pragma once

#include "neurasp/reasoner.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace neurasp::cli {

struct Options {
    // program
    std::vector<std::string> files;
    std::vector<std::string> constants; // "name=value"
    std::uint64_t ground_limit = 20'000'000;
    bool allow_script = false;
    bool allow_include = false;
    // question
    std::vector<std::string> observations;
    std::vector<std::string> observation_files;
    std::string observation_set; // a file; empty: none
    std::vector<std::string> queries;
    std::vector<std::string> each_queries; // asked for each instance
    // network outputs
    std::vector<std::string> output_files;
    std::vector<std::string> logits;   // networks whose outputs are raw scores
    std::vector<std::string> networks; // "name=file": networks to run
    std::vector<std::string> inputs;   // "terms=file": the inputs of these networks
    std::optional<double> input_scale; // an input is (x / scale - mean) / deviation
    std::optional<double> input_mean;
    std::optional<double> input_deviation;
    bool convert_inputs = false;
    // answer
    std::string engine = "auto";
    bool optimal = false;
    std::optional<double> time_limit;
    std::optional<std::uint64_t> model_limit;
    std::optional<std::uint64_t> memory_limit; // megabytes
    std::string circuit_cache;                 // a folder; empty: none
    std::string atoms = "shown";
    // display
    std::string format = "text";
    std::string color = "auto";
    bool stats = false;

    bool json() const { return format == "json"; }
    bool observes() const { return !observations.empty() || !observation_files.empty(); }
};

// Each adds a group of options to a subcommand.
void add_program_options(CLI::App &command, Options &options);
void add_observation_options(CLI::App &command, Options &options,
                             const std::string &name = "-o,--observe");
void add_observation_set_option(CLI::App &command, Options &options);
void add_each_option(CLI::App &command, Options &options);
void add_query_option(CLI::App &command, Options &options, const std::string &text);
void add_probs_options(CLI::App &command, Options &options);
// Those of add_probs_options, and networks to run.
void add_output_options(CLI::App &command, Options &options);
void add_answer_options(CLI::App &command, Options &options);
void add_optimal_and_time_options(CLI::App &command, Options &options);
void add_convert_option(CLI::App &command, bool &convert);
void add_time_limit(CLI::App &command, std::optional<double> &seconds);
void add_memory_limit(CLI::App &command, Options &options, const std::string &text);
void add_cache_option(CLI::App &command, Options &options);
void add_atoms_option(CLI::App &command, Options &options);
void add_display_options(CLI::App &command, Options &options);
void add_stats_option(CLI::App &command, Options &options);
// Program, observation, network outputs, answer, display.
void add_question_options(CLI::App &command, Options &options);

// Options of one subcommand, shown in the group of those that shape the answer.
void add_flag(CLI::App &command, const std::string &name, bool &value, const std::string &text);
void add_count(CLI::App &command, const std::string &name, std::uint64_t &value,
               const std::string &metavariable, const std::string &text, std::uint64_t least);
// A count in the group of options for experiments.
void add_experiment_count(CLI::App &command, const std::string &name, std::uint64_t &value,
                          const std::string &text);
void add_choice(CLI::App &command, const std::string &name, std::string &value,
                const std::vector<std::string> &choices, const std::string &text);
void add_file_option(CLI::App &command, const std::string &name, std::string &value,
                     const std::string &text);
// A required argument that is one of `choices`.
void add_argument(CLI::App &command, const std::string &name, std::string &value,
                  const std::vector<std::string> &choices, const std::string &text);

// Whether the option was given. Requires: the command line is parsed.
bool is_given(const CLI::App &command, const std::string &name);
// The options that were given, each by its long name; without arguments that have no name. Requires: as above.
std::vector<std::string> given_options(const CLI::App &command);

// Splits "name=value". Requires: it was checked by add_program_options.
std::pair<std::string, std::string> split_constant(const std::string &text);

// --memory-limit, if given.
std::optional<std::uint64_t> memory_limit_bytes(const Options &options);
ProgramOptions program_options(const Options &options);
// The stop token is that of signals.hpp.
Limits limits_of(const Options &options);
Settings settings_of(const Options &options);

} // namespace neurasp::cli
