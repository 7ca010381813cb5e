// --net: runs networks for the calls of a question, without an experiment file. How inputs are prepared is read from the
// file of the network, unless options say otherwise.
#include "cli/errors.hpp"
#include "cli/inputs.hpp"
#include "cli/learning_options.hpp"
#include "learning/live_outputs.hpp"
#include "learning/model.hpp"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace neurasp::cli {

namespace {

// What the options say takes precedence over what the network's file says.
void apply_options(const Options &options, data::InputForm &form) {
    if (options.input_scale) form.scale = *options.input_scale;
    if (options.input_mean) form.mean = {*options.input_mean};
    if (options.input_deviation) form.deviation = {*options.input_deviation};
}

data::ArraySettings settings_of_input(const Options &options, const std::string &file) {
    data::ArraySettings settings;
    settings.file = {file, file, {}};
    settings.scale = options.input_scale.value_or(1.0);
    settings.mean = {options.input_mean.value_or(0.0)};
    settings.deviation = {options.input_deviation.value_or(1.0)};
    settings.channels_first = data::is_picture_file(file);
    return settings;
}

// Pixels are rarely meant to be passed on as they are, so that is said.
std::optional<Diagnostic> warning_of(const Options &options, const std::string &network,
                                     const std::string &file, const learning::InputFiles &inputs) {
    const bool has_picture =
        std::any_of(inputs.files.begin(), inputs.files.end(),
                    [](const auto &input) { return input.second.channels_first; });
    if (!has_picture || options.input_scale) return std::nullopt;
    Diagnostic diagnostic;
    diagnostic.severity = Severity::warning;
    diagnostic.code = "input-form";
    diagnostic.message =
        fmt::format("this file does not say how the inputs of '{}' were prepared; it gets pixels "
                    "as they are, from 0 to 255",
                    network);
    diagnostic.location.file = file;
    diagnostic.hint = "give --input-scale, 255 or 1, as the network was trained";
    return diagnostic;
}

} // namespace

std::vector<Diagnostic> add_live_outputs(const Options &options, const Question &question,
                                         NetworkOutputs &outputs) {
    at::set_num_threads(1);
    learning::InputFiles inputs;
    for (const std::string &input : options.inputs) {
        const auto [terms, file] = split_assignment(input, "--input");
        inputs.files.insert_or_assign(terms, settings_of_input(options, file));
    }
    std::vector<Diagnostic> warnings;
    learning::LiveNetworks networks;
    for (const std::string &text : options.networks) {
        const auto [name, file] = split_assignment(text, "--net");
        data::NetworkSpec spec;
        spec.name = name;
        spec.script = file;
        const bool logits =
            std::find(options.logits.begin(), options.logits.end(), name) != options.logits.end();
        networks[name] = {neural::make_network(spec, {}), logits};
        auto form = learning::trained_form(*networks[name].network, file);
        if (form) {
            apply_options(options, *form);
        } else if (auto warning = warning_of(options, name, file, inputs)) {
            warnings.push_back(std::move(*warning));
        }
        inputs.expectations[name] = {name, std::move(form), options.convert_inputs};
    }
    const learning::LiveInputs read = learning::read_inputs(question, inputs);
    add_outputs(learning::live_outputs(question, networks, read), outputs);
    return warnings;
}

} // namespace neurasp::cli
