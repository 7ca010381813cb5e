// The command as a whole.
#pragma once

#include "cli/commands.hpp"

#include <CLI/App.hpp>

#include <memory>
#include <vector>

namespace neurasp::cli {

// The command line: the subcommands with their options, and what each of them does.
struct CommandLine {
    std::unique_ptr<CLI::App> app;
    std::vector<std::pair<CLI::App *, Action>> actions;
};

CommandLine make_command_line();

// Parses and runs; returns the exit code. Throws nothing.
int run(int argc, const char *const *argv);

} // namespace neurasp::cli
