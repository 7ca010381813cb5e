// Looks in the declared command line, so that there is no second list of options to keep up to date.
#include "cli/offered_options.hpp"

#include "cli/app.hpp"
#include "cli/learning_options.hpp"
#include "cli/option_spelling.hpp"

namespace neurasp::cli {

bool is_offered(const std::string &option) {
    const std::vector<std::string> &arguments = remembered_arguments();
    if (arguments.size() < 2) return true;
    const CommandLine line = make_command_line();
    for (const auto &[command, action] : line.actions) {
        if (command->get_name() != arguments[1]) continue;
        return command->get_option_no_throw(spell_option(option, "")) != nullptr;
    }
    return true;
}

} // namespace neurasp::cli
