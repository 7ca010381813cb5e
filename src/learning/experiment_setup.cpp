#include "learning/experiment_setup.hpp"

#include "base/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

namespace neurasp::learning {

namespace {

std::string without_blanks(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\n'; });
    return text;
}

InputError mistake(std::string code, std::string message, SourceLocation where,
                   std::string hint = {}) {
    Diagnostic diagnostic;
    diagnostic.code = std::move(code);
    diagnostic.message = std::move(message);
    diagnostic.location = std::move(where);
    diagnostic.hint = std::move(hint);
    return InputError(std::move(diagnostic));
}

std::string read_text(const data::FileReference &file) {
    std::ifstream in(file.path, std::ios::binary);
    if (!in) {
        throw EnvironmentError(
            fmt::format("cannot read '{}': {}", file.path, std::strerror(errno)));
    }
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<NamedText> texts_of(const data::Experiment &experiment) {
    std::vector<NamedText> texts;
    for (const data::FileReference &file : experiment.programs) {
        texts.push_back({file.path, read_text(file)});
    }
    if (!experiment.program_text.text.empty()) {
        texts.push_back({experiment.file + " (program_text)", experiment.program_text.text});
    }
    return texts;
}

neural::Shape shape_of(const data::DatasetArray &array) {
    neural::Shape shape;
    for (const std::size_t length : array.array().row_shape()) {
        shape.push_back(static_cast<std::int64_t>(length));
    }
    return shape;
}

} // namespace

Program program_of(const data::Experiment &experiment, std::vector<NamedText> extra) {
    std::vector<NamedText> texts = texts_of(experiment);
    texts.insert(texts.end(), std::make_move_iterator(extra.begin()),
                 std::make_move_iterator(extra.end()));
    return Program(std::move(texts));
}

std::string program_text(const data::Experiment &experiment) {
    std::string all;
    for (const NamedText &text : texts_of(experiment)) all += text.text + "\n";
    return all;
}

StepOptions step_options(const data::Experiment &experiment, bool trains) {
    StepOptions options;
    switch (experiment.training.method) {
    case data::TrainingMethod::exact: options.method = GradientMethod::exact; break;
    case data::TrainingMethod::sampling: options.method = GradientMethod::sampling; break;
    case data::TrainingMethod::top_k: options.method = GradientMethod::top_k; break;
    }
    options.samples = experiment.training.samples;
    options.k = experiment.training.k;
    options.convention = experiment.training.gradient == data::GradientKind::plain
                             ? GradientConvention::plain
                             : GradientConvention::proposition1;
    options.optimal = experiment.training.optimal;
    options.compile_seconds = experiment.training.compile_seconds;
    options.circuit_folder = experiment.training.circuits.path;
    options.threads = thread_count(experiment);
    options.circuits =
        (trains && experiment.training.alpha < 1.0) || measures_log_probability(experiment);
    return options;
}

bool measures_log_probability(const data::Experiment &experiment) {
    const data::ExampleSettings &example = experiment.example;
    return experiment.evaluation.log_probability &&
           !(example.observation.text.empty() && example.observation_file.empty());
}

std::size_t thread_count(const data::Experiment &experiment) {
    const std::size_t wanted = experiment.training.threads;
    return wanted > 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
}

InputTable::InputTable(const data::Dataset &dataset) {
    for (std::size_t i = 0; i < dataset.inputs().size(); ++i) {
        places_.emplace(without_blanks(dataset.inputs()[i].terms), i);
    }
}

std::size_t InputTable::find(const std::string &network, const std::string &terms) const {
    const auto found = places_.find(without_blanks(terms));
    if (found != places_.end()) return found->second;
    std::string known;
    for (const auto &[name, place] : places_) known += (known.empty() ? "" : ", ") + name;
    throw mistake("missing-input",
                  fmt::format("the program calls {}({}), but [example.inputs] has nothing for '{}'",
                              network, terms, terms),
                  {}, known.empty() ? "add it there" : "there is: " + known);
}

const data::NetworkSettings &settings_of(const data::Experiment &experiment,
                                         const std::string &network) {
    const auto found = std::find_if(
        experiment.networks.begin(), experiment.networks.end(),
        [&](const data::NetworkSettings &settings) { return settings.spec.name == network; });
    if (found != experiment.networks.end()) return *found;
    std::vector<std::string> names;
    for (const auto &settings : experiment.networks) names.push_back(settings.spec.name);
    const auto close = base::closest_name(network, names);
    throw mistake("missing-network",
                  fmt::format("the program calls the network '{}', but the experiment has no "
                              "[networks.{}]",
                              network, network),
                  {experiment.file, 0, 0, 0, 0},
                  close           ? fmt::format("there is [networks.{}]", *close)
                  : names.empty() ? "add it, with a preset, layers or a script"
                                  : fmt::format("there is: {}", fmt::join(names, ", ")));
}

InputShapes input_shapes(const data::Experiment &experiment, SymbolicStep &step,
                         const data::Dataset &dataset) {
    InputShapes shapes;
    if (dataset.size() == 0 || dataset.inputs().empty()) return shapes;
    const InputTable inputs(dataset);
    const auto complete = [&] {
        return std::all_of(
            experiment.networks.begin(), experiment.networks.end(),
            [&](const auto &settings) { return shapes.contains(settings.spec.name); });
    };
    std::vector<bool> seen(dataset.observations().texts().size());
    for (std::size_t e = 0; e < dataset.size() && (e == 0 || !complete()); ++e) {
        const std::size_t text = dataset.observations().id(e);
        if (seen[text]) continue;
        seen[text] = true;
        const Plan &plan = step.plan(dataset.observations()[e], dataset.example_name(e));
        for (const NetworkCall &call : step.calls(plan)) {
            const std::string &network = step.networks()[call.network].name;
            const std::size_t input = inputs.find(network, call.terms);
            shapes.emplace(network, shape_of(dataset.arrays()[dataset.inputs()[input].array]));
        }
    }
    for (const NetworkShape &network : step.networks()) {
        shapes.emplace(network.name, shape_of(dataset.arrays()[dataset.inputs()[0].array]));
    }
    return shapes;
}

std::vector<std::unique_ptr<neural::Network>> make_networks(const data::Experiment &experiment,
                                                            const SymbolicStep &step,
                                                            const InputShapes &shapes) {
    std::vector<std::unique_ptr<neural::Network>> networks;
    for (const NetworkShape &network : step.networks()) {
        const data::NetworkSettings &settings = settings_of(experiment, network.name);
        data::NetworkSpec spec = settings.spec;
        if (!spec.script.empty()) spec.script = settings.script.path;
        const auto shape = shapes.find(network.name);
        networks.push_back(
            neural::make_network(spec, shape == shapes.end() ? neural::Shape{} : shape->second));
        if (!settings.weights.empty()) networks.back()->load(settings.weights.path);
    }
    for (const data::NetworkSettings &settings : experiment.networks) {
        if (step.network_index(settings.spec.name) < step.networks().size()) continue;
        throw mistake("unknown-network",
                      fmt::format("the program calls no network '{}'", settings.spec.name),
                      settings.spec.location);
    }
    return networks;
}

} // namespace neurasp::learning
