// Training options, input shapes and networks from an experiment's settings.
#include "learning/experiment_setup.hpp"

#include "data/metric_names.hpp"
#include "protocol/input_form.hpp"
#include "runs/experiment_inputs.hpp"
#include "runs/experiment_program.hpp"
#include "runs/experiment_settings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace neurasp::learning {

namespace {

InputError mistake(std::string code, std::string message, SourceLocation where) {
    Diagnostic diagnostic;
    diagnostic.code = std::move(code);
    diagnostic.message = std::move(message);
    diagnostic.location = std::move(where);
    return InputError(std::move(diagnostic));
}

neural::Shape shape_of(const data::DatasetArray &array) {
    neural::Shape shape;
    for (const std::size_t length : array.array().row_shape()) {
        shape.push_back(static_cast<std::int64_t>(length));
    }
    return shape;
}

} // namespace

TrainingOptions step_options(const data::Experiment &experiment, bool trains) {
    TrainingOptions options;
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
    options.threads = runs::thread_count(experiment);
    options.circuits =
        (trains && experiment.training.alpha < 1.0) || data::measures_log_probability(experiment);
    return options;
}

NetworkInputs network_inputs(const data::Experiment &experiment, TrainingProgram &step,
                             const data::Dataset &dataset) {
    NetworkInputs result;
    if (dataset.size() == 0 || dataset.inputs().empty()) return result;
    const runs::InputTable inputs(dataset);
    const auto complete = [&] {
        return std::all_of(
            experiment.networks.begin(), experiment.networks.end(),
            [&](const auto &settings) { return result.contains(settings.spec.name); });
    };
    std::vector<bool> seen(dataset.observations().texts().size());
    for (std::size_t e = 0; e < dataset.size() && (e == 0 || !complete()); ++e) {
        const std::size_t text = dataset.observations().id(e);
        if (seen[text]) continue;
        seen[text] = true;
        const ObservationId id =
            step.prepare(runs::observation_of(dataset.observations()[e], dataset.example_name(e)));
        for (const NetworkCall &call : step.at(id).calls) {
            const std::string &network = step.networks()[call.network].name;
            const std::size_t input = inputs.find(network, call.terms);
            const data::DatasetArray &array = dataset.arrays()[dataset.inputs()[input].array];
            const auto [known, is_new] =
                result.emplace(network, NetworkInput{shape_of(array), array.form()});
            if (!is_new && known->second.form != array.form()) known->second.form.reset();
        }
    }
    for (const NetworkShape &network : step.networks()) {
        const data::DatasetArray &first = dataset.arrays()[dataset.inputs()[0].array];
        result.emplace(network.name, NetworkInput{shape_of(first), std::nullopt});
    }
    return result;
}

void check_best_metric(const data::Experiment &experiment, const TrainingProgram &step) {
    const std::string &best = experiment.training.best;
    for (const NetworkShape &network : step.networks()) {
        const std::string whole = data::whole_outputs_name(network.name);
        if (network.events > 1 || (best != whole && best != data::one_by_one_name(whole))) continue;
        throw mistake("unknown-metric",
                      fmt::format("'{}' is not measured: '{}' has one event; use '{}'", best,
                                  network.name, data::accuracy_name(network.name)),
                      {experiment.file, 0, 0, 0, 0});
    }
}

std::vector<std::unique_ptr<neural::Network>> make_networks(const data::Experiment &experiment,
                                                            const TrainingProgram &step,
                                                            const NetworkInputs &inputs) {
    std::vector<std::unique_ptr<neural::Network>> networks;
    for (const NetworkShape &network : step.networks()) {
        const data::NetworkSettings &settings = runs::settings_of(experiment, network.name);
        data::NetworkSpec spec = settings.spec;
        if (!spec.script.empty()) spec.script = settings.script.path;
        const auto input = inputs.find(network.name);
        const NetworkInput made_for = input == inputs.end() ? NetworkInput{} : input->second;
        networks.push_back(neural::make_network(spec, made_for.shape));
        if (!settings.weights.empty()) networks.back()->load(settings.weights.path);
        networks.back()->set_note(made_for.form ? protocol::input_form_to_json(*made_for.form)
                                                : std::string());
    }
    for (const data::NetworkSettings &settings : experiment.networks) {
        if (step.network_index(settings.spec.name) < step.networks().size()) continue;
        throw mistake("unknown-network",
                      fmt::format("the program does not call a network '{}'", settings.spec.name),
                      settings.spec.location);
    }
    return networks;
}

} // namespace neurasp::learning
