// Reads the files and texts that options name.
#pragma once

#include "cli/options.hpp"
#include "neurasp/network_outputs.hpp"
#include "neurasp/reasoner.hpp"

#include <string>
#include <vector>

namespace neurasp::cli {

// Throws: UsageError if a program file is obviously something else.
void check_program_files(const Options &options);
// Throws: UsageError if there are inputs, but no network to look at them.
void check_networks(const Options &options);
// Throws: UsageError if standard input is to be read twice.
void check_standard_input(const Options &options);

// The text of a file; "-" is standard input. Throws: EnvironmentError.
std::string read_text(const std::string &path);
// The name of a file in diagnostics.
std::string display_name(const std::string &path);

// --observe and --observe-file. Throws: EnvironmentError.
std::vector<Observation> read_observations(const Options &options);

// Adds `more`; its outputs replace those of the same call.
void add_outputs(const NetworkOutputs &more, NetworkOutputs &outputs);
// --probs, merged (later files take precedence), and --logits. Throws: InputError, EnvironmentError; UsageError
// for --logits of a network that has no outputs.
NetworkOutputs read_outputs(const Options &options);

} // namespace neurasp::cli
