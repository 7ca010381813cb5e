// `neurasp help`: the same as --help, where users of git and cargo look for it.
#include "cli/app.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/help.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace neurasp::cli {

namespace {

ExitCode show_help(const CLI::App &app, const std::string &name) {
    Console console("never");
    console.write(help_text(app, name.empty() ? app : command_named(app, name)));
    console.flush();
    return ExitCode::fine;
}

Action declare_help(CLI::App &command) {
    auto name = std::make_shared<std::string>();
    command.add_option("COMMAND", *name, "the command to explain; all of them if it is left out")
        ->option_text(" ");
    return [&command, name] { return show_help(*command.get_parent(), *name); };
}

constexpr auto help_examples = R"(Examples:
  neurasp help
  neurasp help map)";

} // namespace

Command help_command() {
    return {"help", "How to use a command: the same as COMMAND --help", help_examples,
            declare_help};
}

} // namespace neurasp::cli
