// Declares train, evaluate and predict with their options.
#include "cli/learning_options.hpp"

#include "cli/errors.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace neurasp::cli {

namespace {

void add_experiment_options(CLI::App &command, ExperimentOptions &options) {
    const auto check_kind = [](const std::string &file) {
        return file.ends_with(".lp")
                   ? fmt::format("expected an experiment file (TOML), found the program '{}'", file)
                   : std::string();
    };
    command.add_option("FILE", options.file, "the experiment file (TOML)")
        ->required()
        ->check(CLI::Validator(check_kind, ""))
        ->option_text(" ");
    add_assignments_option(command, options.assignments);
    command
        .add_option("--format", options.format, "write text for people or JSON for programs (text)")
        ->check(CLI::IsMember({"text", "json"}))
        ->option_text("text|json")
        ->group("Display");
    command
        .add_option("--color", options.color,
                    "use colours; auto: on a terminal, unless NO_COLOR is set")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->option_text("auto|always|never")
        ->group("Display");
}

void add_weights_option(CLI::App &command, std::string &weights) {
    command.add_option("--weights", weights, "the folder with trained weights (the output folder)")
        ->option_text("DIR")
        ->group("Experiment");
}

Action declare_train(CLI::App &command) {
    auto options = std::make_shared<TrainOptions>();
    add_experiment_options(command, *options);
    CLI::Option *resume = command.add_flag("--resume", options->resume,
                                           "continue from the checkpoint in the output folder");
    resume->group("Experiment");
    command
        .add_flag("--overwrite", options->overwrite, "replace the run that is in the output folder")
        ->group("Experiment")
        ->excludes(resume);
    command
        .add_flag_callback(
            "--no-report", [options] { options->report = false; }, "do not write report.html")
        ->group("Experiment");
    command
        .add_flag("--stats", options->stats,
                  "report how observations were prepared and how long it took")
        ->group("Display");
    return [options] { return run_train(*options); };
}

Action declare_evaluate(CLI::App &command) {
    auto options = std::make_shared<EvaluateOptions>();
    add_experiment_options(command, *options);
    add_weights_option(command, options->weights);
    add_split_option(command, options->split, "the split to evaluate on (test)");
    return [options] { return run_evaluate(*options); };
}

Action declare_predict(CLI::App &command) {
    auto options = std::make_shared<PredictOptions>();
    add_experiment_options(command, *options);
    add_weights_option(command, options->weights);
    add_split_option(command, options->split,
                     "predict the examples of this split instead of your own inputs");
    const auto add_list = [&](const char *name, std::vector<std::string> &values,
                              const char *metavariable, const char *text) {
        command.add_option(name, values, text)
            ->allow_extra_args(false)
            ->take_all()
            ->option_text(metavariable)
            ->group("Observation and query");
    };
    add_list("--input", options->inputs, "TERMS=FILE",
             "the picture or array that these terms refer to, e.g. i1=3.png (repeatable)");
    add_convert_option(command, options->convert_inputs);
    add_list("-o,--observe", options->observations, "TEXT",
             "an observation: constraints, facts, rules (repeatable)");
    add_list("-q,--query", options->queries, "TEXT",
             "ask for the probability of a conjunction (repeatable)");
    add_count(command, "-k,--count", options->count, "K", "show the K most probable models (1)", 1);
    add_time_limit(command, options->time_limit);
    return [options] { return run_predict(*options); };
}

constexpr auto train_examples = R"(Examples:
  neurasp train addition/addition.toml
  neurasp train addition/addition.toml --set training.epochs=10 --set output=runs/long
  neurasp train addition/addition.toml --resume
  neurasp train addition/addition.toml --overwrite --set training.epochs=1

Ctrl-C finishes the batch, writes a checkpoint and exits with 130; --resume continues from there.)";

constexpr auto evaluate_examples = R"(Examples:
  neurasp evaluate addition/addition.toml
  neurasp evaluate addition/addition.toml --split train --weights addition/runs/long)";

constexpr auto predict_examples = R"(Examples:
  neurasp predict addition/addition.toml --split test
  cd addition
  neurasp predict addition.toml --input i1=three.png --input i2=five.png
  neurasp predict addition.toml --input i1=three.png --input i2=five.png -q 'addition(i1,i2,8)'
  neurasp predict addition.toml --input i1=three.png --input i2=five.png -o ':- addition(i1,i2,8).')";

} // namespace

void add_assignments_option(CLI::App &command, std::vector<std::string> &assignments) {
    command
        .add_option("--set", assignments, "change a setting, e.g. training.epochs=5 (repeatable)")
        ->allow_extra_args(false)
        ->take_all()
        ->option_text("KEY=VALUE")
        ->group("Experiment");
}

void add_split_option(CLI::App &command, std::string &split, const std::string &text) {
    command.add_option("--split", split, text)
        ->check(CLI::IsMember({"train", "validation", "test"}))
        ->option_text("train|validation|test")
        ->group("Experiment");
}

Command train_command() {
    return {"train", "Train the networks and rules of an experiment", train_examples,
            declare_train};
}

Command evaluate_command() {
    return {"evaluate", "Measure trained networks on a split of an experiment", evaluate_examples,
            declare_evaluate};
}

Command predict_command() {
    return {"predict", "Answer a question with trained networks on your own inputs",
            predict_examples, declare_predict};
}

std::pair<std::string, std::string> split_assignment(const std::string &text,
                                                     const std::string &option) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
        throw UsageError(fmt::format("{}: expected name=value, found '{}'", option, text));
    }
    return {text.substr(0, equals), text.substr(equals + 1)};
}

namespace {

std::vector<std::string> &arguments() {
    static std::vector<std::string> all;
    return all;
}

} // namespace

void remember_arguments(int argc, const char *const *argv) {
    arguments().assign(argv, argv + argc);
}

const std::vector<std::string> &remembered_arguments() { return arguments(); }

} // namespace neurasp::cli
