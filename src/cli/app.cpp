#include "cli/app.hpp"

#include "base/suggest.hpp"
#include "cli/console.hpp"
#include "cli/errors.hpp"
#include "cli/help.hpp"
#include "cli/learning_options.hpp"
#include "cli/signals.hpp"
#include "neurasp/neurasp.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace neurasp::cli {

namespace {

constexpr auto description =
    "Exact answers about programs that combine neural networks and answer set programming";

constexpr auto app_examples = R"(Examples:
  neurasp check addition.lp
  neurasp prob umbrella.lp -o ':- not wet.' -q umbrella
  neurasp map addition.lp -p addition.json -k 3

`neurasp COMMAND --help` shows the options of a command, with more examples. Their files are in the
folder examples of the sources.
Exit codes: 0 fine, 1 internal, 2 usage, 3 input, 4 environment, 5 limit reached without answer,
130 interrupted.)";

using Arguments = std::vector<std::string>;

// Whether errors are wanted as JSON, also where the command line cannot be parsed.
bool wants_json(const Arguments &arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == "--format=json") return true;
        if (arguments[i] == "--format" && i + 1 < arguments.size())
            return arguments[i + 1] == "json";
    }
    return false;
}

std::string wanted_color(const Arguments &arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].starts_with("--color=")) return arguments[i].substr(8);
        if (arguments[i] == "--color" && i + 1 < arguments.size()) return arguments[i + 1];
    }
    return "auto";
}

std::string did_you_mean(const std::string &name, const std::vector<std::string> &names) {
    const auto close = base::closest_name(name, names);
    return close ? fmt::format("; did you mean '{}'?", *close) : "";
}

std::vector<std::string> option_names(const CLI::App &command) {
    std::vector<std::string> names;
    for (const CLI::Option *option : command.get_options()) {
        for (const std::string &name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

// The first word must be a subcommand; CLI11 would only say that one is missing.
void check_command_name(const CLI::App &app, const Arguments &arguments) {
    if (arguments.empty() || arguments[0].starts_with('-')) return;
    std::vector<std::string> names;
    for (const CLI::App *command : app.get_subcommands({})) names.push_back(command->get_name());
    if (std::find(names.begin(), names.end(), arguments[0]) != names.end()) return;
    throw UsageError(
        fmt::format("unknown command '{}'{}", arguments[0], did_you_mean(arguments[0], names)),
        arguments[0].ends_with(".lp") ? fmt::format("try `neurasp check {}`", arguments[0])
                                      : "see `neurasp --help`");
}

UsageError explain(const CLI::App &app, const CLI::ParseError &error) {
    const auto chosen = app.get_subcommands();
    const CLI::App &command = chosen.empty() ? app : *chosen.front();
    const std::string hint = fmt::format(
        "see `{} --help`", chosen.empty() ? "neurasp" : "neurasp " + command.get_name());
    const Arguments extras = app.remaining(true);
    const auto extra = std::find_if(extras.begin(), extras.end(),
                                    [](const std::string &word) { return word.starts_with('-'); });
    if (extra != extras.end()) {
        const std::string name = extra->substr(0, extra->find('='));
        const std::string similar = did_you_mean(name, option_names(command));
        const bool setting = similar.empty() && command.get_option_no_throw("--set") != nullptr;
        return UsageError(
            fmt::format("unknown option '{}'{}", name, similar),
            setting ? "settings are changed with --set, e.g. --set training.epochs=5; " + hint
                    : hint);
    }
    if (chosen.empty()) return UsageError("a command is missing", hint);
    return UsageError(error.what(), hint);
}

int parse_and_run(CommandLine &line, const Arguments &arguments, Console &console) {
    check_command_name(*line.app, arguments);
    try {
        line.app->parse(Arguments(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp &) {
        console.write(line.app->help());
        console.flush();
        return static_cast<int>(ExitCode::fine);
    } catch (const CLI::CallForVersion &call) {
        console.write(fmt::format("{}\n", call.what()));
        console.flush();
        return static_cast<int>(ExitCode::fine);
    } catch (const CLI::ParseError &error) {
        throw explain(*line.app, error);
    }
    for (const auto &[command, action] : line.actions) {
        if (command->parsed()) return static_cast<int>(action());
    }
    throw UsageError("a command is missing");
}

} // namespace

CommandLine make_command_line() {
    CommandLine line;
    line.app = std::make_unique<CLI::App>(description, "neurasp");
    CLI::App &app = *line.app;
    app.formatter(help_formatter());
    app.footer(app_examples);
    app.require_subcommand(1);
    app.set_version_flag("--version", [] {
        return fmt::format("neurasp {} (clingo {})", version, clingo_version_string());
    });
    app.get_option("--version")->description("show the version")->group("Display");
    for (const Command &command :
         {check_command(), models_command(), map_command(), prob_command(), marginals_command(),
          sample_command(), gradient_command(), explain_command(), compile_command(),
          ground_command(), train_command(), evaluate_command(), predict_command(),
          completion_command()}) {
        CLI::App *declared = app.add_subcommand(command.name, command.description);
        declared->group("Commands");
        declared->footer(command.examples);
        line.actions.emplace_back(declared, command.declare(*declared));
        add_help(*declared);
    }
    add_help(app);
    return line;
}

int run(int argc, const char *const *argv) {
    let_writes_fail();
    remember_arguments(argc, argv);
    const Arguments arguments(argv + std::min(argc, 1), argv + argc);
    const bool json = wants_json(arguments);
    Console console(wanted_color(arguments));
    try {
        try {
            end_on_stack_overflow(
                message_text(json, ExitCode::no_answer, "a term nests too deep: the stack is full"),
                static_cast<int>(ExitCode::no_answer));
            CommandLine line = make_command_line();
            return parse_and_run(line, arguments, console);
        } catch (...) {
            return static_cast<int>(report_current_exception(console, json));
        }
    } catch (...) {
        // Not even the report could be written.
        return static_cast<int>(ExitCode::internal);
    }
}

} // namespace neurasp::cli
