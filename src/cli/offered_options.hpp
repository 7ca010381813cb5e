// The options of the subcommand that is running, so that hints do not suggest an option it does not have.
#pragma once

#include <string>

namespace neurasp::cli {

// Whether the running subcommand has the option with this identifier (base/option_names.hpp). True if no
// subcommand is running.
bool is_offered(const std::string &option);

} // namespace neurasp::cli
