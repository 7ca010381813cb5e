// The layout of --help.
#pragma once

#include <CLI/App.hpp>

#include <memory>
#include <string>

namespace neurasp::cli {

// The formatter of all help texts: wraps descriptions.
std::shared_ptr<CLI::Formatter> help_formatter();
// The help of `app` itself, or of one of its subcommands.
std::string help_text(const CLI::App &app, const CLI::App &command);
// One line for each command; shown for a bare `neurasp`.
std::string short_help(const CLI::App &app);
// Adds -h/--help as the last option, in the group of the display options.
void add_help(CLI::App &command);

} // namespace neurasp::cli
