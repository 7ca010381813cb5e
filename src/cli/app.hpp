// The command line of `neurasp`.
#pragma once

#include "cli/commands.hpp"

#include <CLI/App.hpp>

#include <memory>
#include <string>
#include <vector>

namespace neurasp::cli {

// The command line: the subcommands with their options, and the action of each.
struct CommandLine {
    std::unique_ptr<CLI::App> app;
    std::vector<std::pair<CLI::App *, Action>> actions;
};

CommandLine make_command_line();

// The subcommand of that name. Throws: UsageError that suggests a similar one.
const CLI::App &command_named(const CLI::App &app, const std::string &name);

// Parses and runs; returns the exit code. Throws nothing.
int run(int argc, const char *const *argv);

} // namespace neurasp::cli
