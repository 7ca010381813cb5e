// How --help looks.
#pragma once

#include <CLI/App.hpp>

#include <memory>

namespace neurasp::cli {

// The formatter of all help texts: wraps descriptions.
std::shared_ptr<CLI::Formatter> help_formatter();
// Adds -h/--help as the last option, in the group with the others that change what is displayed.
void add_help(CLI::App &command);

} // namespace neurasp::cli
