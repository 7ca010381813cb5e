// `neurasp completion`: the completion scripts, made from the declared options.
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/options.hpp"
#include "cli/shell_completion_scripts.hpp"

#include <CLI/App.hpp>

#include <memory>

namespace neurasp::cli {

namespace {

ExitCode run(const CLI::App &app, const std::string &shell) {
    Console console("never");
    console.write(shell == "bash"  ? bash_completion(app)
                  : shell == "zsh" ? zsh_completion(app)
                                   : fish_completion(app));
    console.flush();
    return ExitCode::fine;
}

Action declare_completion(CLI::App &command) {
    auto shell = std::make_shared<std::string>();
    add_argument(command, "SHELL", *shell, {"bash", "zsh", "fish"}, "bash, zsh or fish");
    return [&command, shell] { return run(*command.get_parent(), *shell); };
}

constexpr auto completion_examples = R"(Examples:
  source <(neurasp completion bash)
  neurasp completion zsh > ~/.zfunc/_neurasp
  neurasp completion fish > ~/.config/fish/completions/neurasp.fish)";

} // namespace

Command completion_command() {
    return {"completion", "Completion script for bash, zsh or fish", completion_examples,
            declare_completion};
}

} // namespace neurasp::cli
