// Declares the options that several subcommands share, checks their values and turns them into settings.
#include "cli/options.hpp"

#include "base/suggest.hpp"
#include "cli/signals.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace neurasp::cli {

namespace {

constexpr auto program_group = "Program";
constexpr auto observation_group = "Observation and query";
constexpr auto outputs_group = "Network outputs";
constexpr auto answer_group = "Answer";
constexpr auto display_group = "Display";

bool is_identifier(std::string_view text) {
    const auto first = text.find_first_not_of('_');
    if (first == std::string_view::npos || text[first] < 'a' || text[first] > 'z') return false;
    return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(first), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '\'';
    });
}

std::string check_constant(const std::string &text) {
    const auto equals = text.find('=');
    if (equals != std::string::npos && is_identifier(text.substr(0, equals)) &&
        equals + 1 < text.size()) {
        return {};
    }
    return fmt::format("expected name=value, found '{}'", text);
}

std::string check_seconds(const std::string &text) {
    double seconds = 0.0;
    if (CLI::detail::lexical_cast(text, seconds) && std::isfinite(seconds) && seconds > 0.0)
        return {};
    return fmt::format(
        "expected a positive number of seconds, found '{}'; without the option there "
        "is no limit",
        text);
}

std::string check_count(const std::string &text, std::uint64_t least) {
    const bool digits = !text.empty() && std::all_of(text.begin(), text.end(),
                                                     [](char c) { return c >= '0' && c <= '9'; });
    std::uint64_t count = 0;
    if (digits && CLI::detail::lexical_cast(text, count) && count >= least) return {};
    return fmt::format("expected a whole number of at least {}, found '{}'", least, text);
}

CLI::Validator count_from(std::uint64_t least) {
    return CLI::Validator([least](const std::string &text) { return check_count(text, least); },
                          "");
}

CLI::Option *add_repeatable(CLI::App &command, const std::string &name,
                            std::vector<std::string> &values, const std::string &text) {
    return command.add_option(name, values, text)->allow_extra_args(false)->take_all();
}

CLI::Validator one_of(const std::vector<std::string> &choices) {
    const auto check = [choices](const std::string &value) -> std::string {
        if (std::find(choices.begin(), choices.end(), value) != choices.end()) return {};
        const auto close = base::closest_name(value, choices);
        return fmt::format("'{}' is not one of {}{}", value, fmt::join(choices, ", "),
                           close ? fmt::format("; did you mean '{}'?", *close) : "");
    };
    return CLI::Validator(check, fmt::format("{}", fmt::join(choices, "|")));
}

} // namespace

void add_program_options(CLI::App &command, Options &options) {
    command
        .add_option("FILES", options.files,
                    "program files, read as one program; - is standard input")
        ->required()
        ->option_text(" ");
    add_repeatable(command, "-c,--const", options.constants, "set a #const of the program")
        ->option_text("NAME=VALUE")
        ->check(CLI::Validator(check_constant, ""))
        ->group(program_group);
    command
        .add_option("--ground-limit", options.ground_limit,
                    "give up if the program has more ground rules than this (20000000)")
        ->option_text("N")
        ->check(count_from(1))
        ->group(program_group);
    command.add_flag("--allow-script", options.allow_script, "let the program use #script")
        ->group(program_group);
    command.add_flag("--allow-include", options.allow_include, "let the program use #include")
        ->group(program_group);
}

void add_observation_options(CLI::App &command, Options &options, const std::string &name) {
    add_repeatable(command, name, options.observations,
                   "observe that constraints hold, e.g. ':- not sum(3).' (repeatable); facts and "
                   "rules extend the program")
        ->option_text("TEXT")
        ->group(observation_group);
    add_repeatable(command, "--observe-file", options.observation_files,
                   "read an observation from this file; - is standard input (repeatable)")
        ->option_text("FILE")
        ->group(observation_group);
}

void add_observation_set_option(CLI::App &command, Options &options) {
    command
        .add_option(
            "--observe-set", options.observation_set,
            "compute the probability of each of several independent observations and of all "
            "together; the file has one per line, or JSON")
        ->option_text("FILE")
        ->group(observation_group);
}

void add_each_option(CLI::App &command, Options &options) {
    add_repeatable(command, "--each", options.each_queries,
                   "ask for the probability of every instance of a query that can hold, e.g. "
                   "'smokes(X)' (repeatable)")
        ->option_text("QUERY")
        ->group(observation_group);
}

void add_query_option(CLI::App &command, Options &options, const std::string &text) {
    add_repeatable(command, "-q,--query", options.queries, text)
        ->option_text("QUERY")
        ->group(observation_group);
}

void add_probs_options(CLI::App &command, Options &options) {
    add_repeatable(
        command, "-p,--probs", options.output_files,
        "network outputs as JSON, e.g. {\"digit\": {\"i1\": [[0.1, 0.9]]}}; - is standard "
        "input (repeatable; later files take precedence)")
        ->option_text("FILE")
        ->group(outputs_group);
    add_repeatable(command, "--logits", options.logits,
                   "apply softmax to the outputs of this network; they are raw scores (repeatable)")
        ->option_text("NETWORK")
        ->group(outputs_group);
}

void add_output_options(CLI::App &command, Options &options) {
    add_probs_options(command, options);
    add_repeatable(command, "--net", options.networks,
                   "run this TorchScript network, e.g. digit=digit.pt (repeatable)")
        ->option_text("NAME=FILE")
        ->group(outputs_group);
    add_repeatable(command, "--input", options.inputs,
                   "the picture or array that these terms refer to, e.g. i1=3.png (repeatable)")
        ->option_text("TERMS=FILE")
        ->group(outputs_group);
    const auto add_number = [&](const char *name, std::optional<double> &value, const char *text) {
        command.add_option(name, value, text)->option_text("X")->group(outputs_group);
    };
    add_number("--input-scale", options.input_scale,
               "inputs become (x / scale - mean) / deviation (as the network was trained; if its "
               "file does not say how, 1)");
    add_number("--input-mean", options.input_mean, "see --input-scale (as trained, or 0)");
    add_number("--input-deviation", options.input_deviation,
               "see --input-scale (as trained, or 1)");
    add_convert_option(command, options.convert_inputs);
}

void add_convert_option(CLI::App &command, bool &convert) {
    command
        .add_flag("--convert-inputs", convert,
                  "convert pictures to the size and colour that the network was trained on")
        ->group(outputs_group);
}

void add_answer_options(CLI::App &command, Options &options) {
    add_choice(command, "--engine", options.engine, engine_names(), "how to compute the answer");
    add_optimal_and_time_options(command, options);
    command.add_option("--model-limit", options.model_limit, "stop after this many stable models")
        ->option_text("N")
        ->check(count_from(1))
        ->group(answer_group);
    add_memory_limit(command, options, "stop when stored models take more memory than this");
    add_cache_option(command, options);
}

void add_optimal_and_time_options(CLI::App &command, Options &options) {
    add_flag(command, "--optimal", options.optimal,
             "count only models of least cost (weak constraints) among those that satisfy the "
             "observation");
    add_time_limit(command, options.time_limit);
}

void add_time_limit(CLI::App &command, std::optional<double> &seconds) {
    command
        .add_option("--time-limit", seconds, "stop after this time and print what is known by then")
        ->option_text("SECONDS")
        ->check(CLI::Validator(check_seconds, ""))
        ->group(answer_group);
}

void add_memory_limit(CLI::App &command, Options &options, const std::string &text) {
    command.add_option("--memory-limit", options.memory_limit, text)
        ->option_text("MB")
        ->check(count_from(1))
        ->group(answer_group);
}

void add_cache_option(CLI::App &command, Options &options) {
    command
        .add_option("--circuit-cache", options.circuit_cache,
                    "keep compiled circuits in this folder and reuse them")
        ->option_text("DIR")
        ->group(answer_group);
}

void add_file_option(CLI::App &command, const std::string &name, std::string &value,
                     const std::string &text) {
    command.add_option(name, value, text)->option_text("FILE")->group(answer_group);
}

void add_atoms_option(CLI::App &command, Options &options) {
    add_choice(command, "--atoms", options.atoms, {"shown", "all"},
               "list the atoms that #show selects, or all true atoms");
}

void add_display_options(CLI::App &command, Options &options) {
    command.add_option("--format", options.format, "write text for people or JSON for programs")
        ->option_text("text|json")
        ->check(one_of({"text", "json"}))
        ->group(display_group);
    command
        .add_option("--color", options.color,
                    "use colours; auto: on a terminal, unless NO_COLOR is set")
        ->option_text("auto|always|never")
        ->check(one_of({"auto", "always", "never"}))
        ->group(display_group);
}

void add_stats_option(CLI::App &command, Options &options) {
    command
        .add_flag("--stats", options.stats, "report how the answer was found and how long it took")
        ->group(display_group);
}

void add_question_options(CLI::App &command, Options &options) {
    add_program_options(command, options);
    add_observation_options(command, options);
    add_output_options(command, options);
    add_answer_options(command, options);
    add_display_options(command, options);
    add_stats_option(command, options);
}

void add_flag(CLI::App &command, const std::string &name, bool &value, const std::string &text) {
    command.add_flag(name, value, text)->group(answer_group);
}

void add_count(CLI::App &command, const std::string &name, std::uint64_t &value,
               const std::string &metavariable, const std::string &text, std::uint64_t least) {
    command.add_option(name, value, text)
        ->option_text(metavariable)
        ->check(count_from(least))
        ->group(answer_group);
}

void add_experiment_count(CLI::App &command, const std::string &name, std::uint64_t &value,
                          const std::string &text) {
    command.add_option(name, value, text)
        ->option_text("N")
        ->check(count_from(1))
        ->group("Experiment");
}

void add_choice(CLI::App &command, const std::string &name, std::string &value,
                const std::vector<std::string> &choices, const std::string &text) {
    command.add_option(name, value, text)
        ->option_text(fmt::format("{}", fmt::join(choices, "|")))
        ->check(one_of(choices))
        ->group(answer_group);
}

void add_argument(CLI::App &command, const std::string &name, std::string &value,
                  const std::vector<std::string> &choices, const std::string &text) {
    command.add_option(name, value, text)->required()->option_text(" ")->check(one_of(choices));
}

bool is_given(const CLI::App &command, const std::string &name) { return command.count(name) > 0; }

std::vector<std::string> given_options(const CLI::App &command) {
    std::vector<std::string> names;
    for (const CLI::Option *option : command.get_options()) {
        if (option->count() > 0 && option->nonpositional()) names.push_back(option->get_name());
    }
    return names;
}

std::pair<std::string, std::string> split_constant(const std::string &text) {
    const auto equals = text.find('=');
    return {text.substr(0, equals), text.substr(equals + 1)};
}

ProgramOptions program_options(const Options &options) {
    ProgramOptions result;
    result.allow_script = options.allow_script;
    result.allow_include = options.allow_include;
    for (const std::string &constant : options.constants) {
        result.constants.push_back(split_constant(constant));
    }
    return result;
}

std::optional<std::uint64_t> memory_limit_bytes(const Options &options) {
    constexpr std::uint64_t megabyte = 1'000'000;
    if (!options.memory_limit) return std::nullopt;
    return std::min(*options.memory_limit, UINT64_MAX / megabyte) * megabyte;
}

Limits limits_of(const Options &options) {
    Limits limits;
    limits.seconds = options.time_limit;
    limits.models = options.model_limit;
    limits.bytes = memory_limit_bytes(options);
    limits.ground_rules = options.ground_limit;
    limits.stop = stop_token();
    return limits;
}

Settings settings_of(const Options &options) {
    Settings result;
    result.engine = options.engine;
    result.circuit_folder = options.circuit_cache;
    result.optimal = options.optimal;
    // enough for small programs; costs large ones a few hundredths of a second
    result.mass_models = 1000;
    result.look_further = true;
    result.all_atoms = options.atoms == "all";
    return result;
}

} // namespace neurasp::cli
