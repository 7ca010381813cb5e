// How --help looks.
#pragma once

#include <CLI/App.hpp>

#include <memory>
#include <string>

namespace neurasp::cli {

// The formatter of all help texts: wraps descriptions.
std::shared_ptr<CLI::Formatter> help_formatter();
// The help of the command as a whole, or of one of its subcommands.
std::string help_text(const CLI::App &app, const CLI::App &command);
// The commands in a line each, for a command line without any word.
std::string short_help(const CLI::App &app);
// Adds -h/--help as the last option, in the group with the others that change what is displayed.
void add_help(CLI::App &command);

} // namespace neurasp::cli
