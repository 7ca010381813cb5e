// Completion scripts for shells, made by walking over the subcommands and options of a CLI::App.
#pragma once

#include <CLI/App.hpp>

#include <string>

namespace neurasp::cli {

std::string bash_completion(const CLI::App &app);
std::string zsh_completion(const CLI::App &app);
std::string fish_completion(const CLI::App &app);

} // namespace neurasp::cli
