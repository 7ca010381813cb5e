// The command line: declares all subcommands, parses, runs the chosen one, and explains usage errors.
#include "cli/app.hpp"

#include "base/suggest.hpp"
#include "cli/clingo_habits.hpp"
#include "cli/console.hpp"
#include "cli/errors.hpp"
#include "cli/help.hpp"
#include "cli/learning_options.hpp"
#include "cli/signals.hpp"
#include "cli/version.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace neurasp::cli {

namespace {

constexpr auto description =
    "Exact answers about programs that combine neural networks and answer set programming";

constexpr auto app_examples = R"(Examples:
  neurasp check addition.lp
  neurasp prob umbrella.lp -o ':- not wet.' -q umbrella
  neurasp map addition.lp -p addition.json -k 3

`neurasp COMMAND --help` shows the options of a command and more examples. The files that the
examples use are in the folder `examples` of the sources.
Exit codes: 0 success, 1 internal error, 2 usage error, 3 mistake in the input, 4 files or libraries
that are missing or unusable, 5 limit reached before there was an answer, 130 interrupted.)";

using Arguments = std::vector<std::string>;

// Looks at the words without parsing them: errors of the parser are written as JSON as well.
bool wants_json(const Arguments &arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == "--format=json" || arguments[i] == "--outf=2") return true;
        if (i + 1 == arguments.size()) break;
        if (arguments[i] == "--format") return arguments[i + 1] == "json";
        if (arguments[i] == "--outf") return arguments[i + 1] == "2";
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

// The word as one would type it in a shell: quoted only if necessary.
std::string shell_word(const std::string &word) {
    constexpr auto plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+,:@%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    return "'" + CLI::detail::find_and_replace(word, "'", "'\\''") + "'";
}

// Users of clingo start with files and options, without a command.
[[noreturn]] void report_missing_command(const Arguments &arguments) {
    std::string words;
    for (const std::string &word : arguments) words += " " + shell_word(word);
    throw UsageError(
        "a command is missing",
        fmt::format("`neurasp models{}` lists stable models as clingo does; `neurasp help` "
                    "lists the other commands",
                    words));
}

// The first word must be a subcommand; CLI11 would only say that one is missing.
void check_command_name(const CLI::App &app, const Arguments &arguments) {
    if (arguments.empty()) return;
    const std::string &first = arguments[0];
    const auto is_program = [](const std::string &word) {
        return word == "-" || word.ends_with(".lp");
    };
    const bool has_program = std::any_of(arguments.begin(), arguments.end(), is_program);
    if (first.starts_with('-') || is_number_of_models(first)) {
        if (has_program) report_missing_command(arguments);
        if (first.starts_with('-')) return;
    }
    if (is_program(first) || std::filesystem::is_regular_file(first)) {
        report_missing_command(arguments);
    }
    command_named(app, first);
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
        if (const std::string habit = clingo_hint(*extra); !habit.empty()) {
            return UsageError(fmt::format("unknown option '{}'", name), habit);
        }
        const std::string similar = did_you_mean(name, option_names(command));
        const bool setting = similar.empty() && command.get_option_no_throw("--set") != nullptr;
        return UsageError(
            fmt::format("unknown option '{}'{}", name, similar),
            setting ? "settings are changed with --set, e.g. --set training.epochs=5; " + hint
                    : hint);
    }
    if (chosen.empty()) return UsageError("a command is missing", hint);
    const std::string message = error.what();
    if (message != "FILES is required") return UsageError(message, hint);
    const CLI::Option *query = command.get_option_no_throw("--query");
    if (query != nullptr && !query->empty() && query->results().front().ends_with(".lp")) {
        return UsageError(message, clingo_hint("-q"));
    }
    return UsageError(message, "name the files of the program; - is standard input; " + hint);
}

int parse_and_run(CommandLine &line, const Arguments &arguments, Console &console) {
    if (arguments.empty()) {
        console.write(short_help(*line.app));
        console.flush();
        return static_cast<int>(ExitCode::usage);
    }
    check_command_name(*line.app, arguments);
    try {
        line.app->parse(Arguments(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp &) {
        console.write(line.app->help());
        console.flush();
        return static_cast<int>(ExitCode::fine);
    } catch (const CLI::CallForVersion &) {
        console.write(version_text(wants_json(arguments)));
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

const CLI::App &command_named(const CLI::App &app, const std::string &name) {
    std::vector<std::string> names;
    for (const CLI::App *command : app.get_subcommands({})) {
        if (command->get_name() == name) return *command;
        names.push_back(command->get_name());
    }
    throw UsageError(fmt::format("unknown command '{}'{}", name, did_you_mean(name, names)),
                     "see `neurasp help`");
}

CommandLine make_command_line() {
    CommandLine line;
    line.app = std::make_unique<CLI::App>(description, "neurasp");
    CLI::App &app = *line.app;
    app.formatter(help_formatter());
    app.footer(app_examples);
    app.require_subcommand(1);
    app.set_version_flag("-v,--version", "");
    app.get_option("--version")
        ->description("show the versions of neurasp and its libraries, the commit and the build")
        ->group("Display");
    for (const Command &command :
         {check_command(), models_command(), map_command(), prob_command(), marginals_command(),
          sample_command(), gradient_command(), explain_command(), compile_command(),
          ground_command(), train_command(), evaluate_command(), predict_command(),
          completion_command(), help_command()}) {
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
            end_on_stack_overflow(message_text(json, ExitCode::no_answer,
                                               "a term is nested too deeply: the stack is full"),
                                  static_cast<int>(ExitCode::no_answer));
            CommandLine line = make_command_line();
            return parse_and_run(line, in_our_words(arguments), console);
        } catch (...) {
            return static_cast<int>(report_current_exception(console, json));
        }
    } catch (...) {
        // The report itself could not be written.
        return static_cast<int>(ExitCode::internal);
    }
}

} // namespace neurasp::cli
