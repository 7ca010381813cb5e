// The subcommands; each has a file of its own.
#pragma once

#include "cli/exit_codes.hpp"

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace neurasp::cli {

using Action = std::function<ExitCode()>;

struct Command {
    std::string name;
    std::string description;
    std::string examples; // for --help
    // Declares the options on the subcommand and returns the action to run once they are parsed.
    Action (*declare)(CLI::App &command);
};

Command check_command();
Command models_command();
Command map_command();
Command prob_command();
Command marginals_command();
Command sample_command();
Command gradient_command();
Command explain_command();
Command compile_command();
Command ground_command();
Command train_command();
Command evaluate_command();
Command predict_command();
Command completion_command();
Command help_command();

} // namespace neurasp::cli
