// Writes the completion scripts for bash, zsh and fish from the declared options.
#include "cli/shell_completion_scripts.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

namespace neurasp::cli {

namespace {

using Words = std::vector<std::string>;

// The parts of an option that a completion script mentions.
struct Described {
    Words names; // "-o", "--observe"
    std::string text;
    std::string value; // the name of its value in --help; empty for a flag
    Words choices;
    bool is_file = false;
    bool is_folder = false;
    bool repeatable = false;
};

// The description up to its first detail.
std::string headline(const std::string &text) {
    std::size_t end = text.size();
    for (const char *detail : {"; ", ": ", " (", ", e.g."}) end = std::min(end, text.find(detail));
    return text.substr(0, end);
}

Described describe(const CLI::Option &option) {
    Described result;
    for (const std::string &name : option.get_snames()) result.names.push_back("-" + name);
    for (const std::string &name : option.get_lnames()) result.names.push_back("--" + name);
    result.text = headline(option.get_description());
    if (option.get_expected_max() == 0 || option.get_type_size() == 0) return result;
    result.value = option.get_option_text();
    if (result.value.find('|') != std::string::npos) {
        result.choices = CLI::detail::split(result.value, '|');
    }
    result.is_file = result.value == "FILE";
    result.is_folder = result.value == "DIR";
    result.repeatable = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    return result;
}

std::vector<Described> options_of(const CLI::App &command) {
    std::vector<Described> result;
    for (const CLI::Option *option : command.get_options()) {
        if (option->nonpositional()) result.push_back(describe(*option));
    }
    return result;
}

Words names_of(const CLI::App &command) {
    Words names;
    for (const Described &option : options_of(command)) {
        names.insert(names.end(), option.names.begin(), option.names.end());
    }
    return names;
}

std::vector<const CLI::App *> commands_of(const CLI::App &app) {
    return app.get_subcommands([](const CLI::App *) { return true; });
}

Words command_names(const CLI::App &app) {
    Words names;
    for (const CLI::App *command : commands_of(app)) names.push_back(command->get_name());
    return names;
}

// The words that a command's argument may be; empty if it takes files.
Words argument_words(const CLI::App &command) {
    if (command.get_name() == "completion") return {"bash", "zsh", "fish"};
    if (command.get_name() == "help") return command_names(*command.get_parent());
    return {};
}

// The action of bash after an option that takes a value.
std::string bash_action(const Described &option) {
    if (!option.choices.empty()) {
        return fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$current\"))",
                           fmt::join(option.choices, " "));
    }
    if (option.is_file) return "COMPREPLY=($(compgen -f -- \"$current\"))";
    if (option.is_folder) return "COMPREPLY=($(compgen -d -- \"$current\"))";
    return "COMPREPLY=()";
}

// The cases of bash's `case "$command $previous" in`. A name mostly means the same in every subcommand;
// where it does not, the subcommand is part of the case.
std::string bash_value_cases(const CLI::App &app) {
    std::map<std::string, std::map<std::string, Words>> commands; // by option, by action
    for (const CLI::App *command : commands_of(app)) {
        for (const Described &option : options_of(*command)) {
            if (option.value.empty()) continue;
            for (const std::string &name : option.names) {
                commands[name][bash_action(option)].push_back(command->get_name());
            }
        }
    }
    std::string text;
    for (const auto &[name, by_action] : commands) {
        for (const auto &[action, names] : by_action) {
            std::string pattern = "*\" " + name + "\"";
            if (by_action.size() > 1) {
                pattern.clear();
                for (const std::string &command : names) {
                    pattern +=
                        fmt::format("{}\"{} {}\"", pattern.empty() ? "" : "|", command, name);
                }
            }
            text += fmt::format("        {}) {}; return ;;\n", pattern, action);
        }
    }
    return text;
}

std::string quoted(std::string text) {
    return "'" + CLI::detail::find_and_replace(std::move(text), "'", "'\\''") + "'";
}

// An argument of zsh's _arguments.
std::string zsh_option(const Described &option) {
    std::string value;
    if (!option.choices.empty()) {
        value = fmt::format(":value:({})", fmt::join(option.choices, " "));
    } else if (option.is_file) {
        value = ":file:_files";
    } else if (option.is_folder) {
        value = ":folder:_files -/";
    } else if (!option.value.empty()) {
        value = ":" + CLI::detail::to_lower(option.value) + ": ";
    }
    const std::string text = quoted("[" + option.text + "]" + value);
    const std::string star = option.repeatable ? "'*'" : "";
    if (option.names.size() == 1) return star + option.names[0] + text;
    const std::string exclusive =
        option.repeatable ? star : fmt::format("'({})'", fmt::join(option.names, " "));
    return fmt::format("{}{{{}}}{}", exclusive, fmt::join(option.names, ","), text);
}

std::string zsh_command(const CLI::App &command) {
    std::string text =
        fmt::format("            {})\n                _arguments", command.get_name());
    for (const Described &option : options_of(command)) {
        text += " \\\n                    " + zsh_option(option);
    }
    const Words words = argument_words(command);
    text += " \\\n                    ";
    text += words.empty() ? "'*:program:_files' ;;\n"
                          : fmt::format("'1:argument:({})' ;;\n", fmt::join(words, " "));
    return text;
}

std::string fish_option(const Described &option, const std::string &condition) {
    std::string line = fmt::format("complete -c neurasp -n {}", quoted(condition));
    for (const std::string &name : option.names) {
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    if (!option.choices.empty()) {
        line += fmt::format(" -x -a {}", quoted(fmt::format("{}", fmt::join(option.choices, " "))));
    } else if (option.is_file) {
        line += " -r -F";
    } else if (option.is_folder) {
        line += " -x -a '(__fish_complete_directories)'";
    } else if (!option.value.empty()) {
        line += " -x";
    }
    return line + " -d " + quoted(option.text) + "\n";
}

} // namespace

std::string bash_completion(const CLI::App &app) {
    const Words names = command_names(app);
    std::string options, arguments;
    for (const CLI::App *command : commands_of(app)) {
        if (const Words words = argument_words(*command); !words.empty()) {
            arguments += fmt::format("    elif [[ $command == {} ]]; then\n"
                                     "        COMPREPLY=($(compgen -W \"{}\" -- \"$current\"))\n",
                                     command->get_name(), fmt::join(words, " "));
        }
        options += fmt::format("        {}) words=\"{}\" ;;\n", command->get_name(),
                               fmt::join(names_of(*command), " "));
    }
    return fmt::format(R"(# bash completion for neurasp, made by `neurasp completion bash`.
_neurasp() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
    local command= words= word
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case $word in
        {}) command=$word; break ;;
        esac
    done
    case "$command $previous" in
{}    esac
    case $command in
{}        *) words="{}" ;;
    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    elif [[ -z $command ]]; then
        COMPREPLY=($(compgen -W "{}" -- "$current"))
{}    else
        COMPREPLY=($(compgen -f -- "$current"))
    fi
}}
complete -o filenames -F _neurasp neurasp
)",
                       fmt::join(names, "|"), bash_value_cases(app), options,
                       fmt::join(names_of(app), " "), fmt::join(names, " "), arguments);
}

std::string zsh_completion(const CLI::App &app) {
    std::string global, described, cases;
    for (const Described &option : options_of(app)) {
        global += "        " + zsh_option(option) + " \\\n";
    }
    for (const CLI::App *command : commands_of(app)) {
        described += "                " +
                     quoted(command->get_name() + ":" + headline(command->get_description())) +
                     "\n";
        cases += zsh_command(*command);
    }
    return fmt::format(R"(#compdef neurasp
# zsh completion for neurasp, made by `neurasp completion zsh`.
_neurasp() {{
    local curcontext="$curcontext" state line
    _arguments -C \
{}        '1:command:->command' \
        '*::argument:->argument'
    case $state in
        command)
            local -a commands
            commands=(
{}            )
            _describe command commands ;;
        argument)
            case $words[1] in
{}            esac ;;
    esac
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _neurasp "$@"
else
    compdef _neurasp neurasp
fi
)",
                       global, described, cases);
}

std::string fish_completion(const CLI::App &app) {
    std::string text = "# fish completion for neurasp, made by `neurasp completion fish`.\n";
    for (const Described &option : options_of(app)) {
        text += fish_option(option, "__fish_use_subcommand");
    }
    for (const CLI::App *command : commands_of(app)) {
        text += fmt::format("complete -c neurasp -f -n __fish_use_subcommand -a {} -d {}\n",
                            command->get_name(), quoted(headline(command->get_description())));
    }
    for (const CLI::App *command : commands_of(app)) {
        const std::string seen = "__fish_seen_subcommand_from " + command->get_name();
        if (const Words words = argument_words(*command); !words.empty()) {
            text += fmt::format("complete -c neurasp -f -n {} -a '{}'\n", quoted(seen),
                                fmt::join(words, " "));
        }
        for (const Described &option : options_of(*command)) text += fish_option(option, seen);
    }
    return text;
}

} // namespace neurasp::cli
