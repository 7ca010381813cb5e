// Computed from an experiment's settings: threads, measurements, the settings of a network.
#include "runs/experiment_settings.hpp"

#include "base/suggest.hpp"
#include "neurasp/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

namespace neurasp::runs {

namespace {

InputError missing_network(const data::Experiment &experiment, const std::string &network) {
    std::vector<std::string> names;
    for (const auto &settings : experiment.networks) names.push_back(settings.spec.name);
    const auto close = base::closest_name(network, names);
    Diagnostic diagnostic;
    diagnostic.code = "missing-network";
    diagnostic.message =
        fmt::format("the program calls the network '{}', but the experiment has no [networks.{}]",
                    network, network);
    diagnostic.location.file = experiment.file;
    diagnostic.hint = close           ? fmt::format("there is [networks.{}]", *close)
                      : names.empty() ? "add it, with a preset, layers or a script"
                                      : fmt::format("available: {}", fmt::join(names, ", "));
    return InputError(std::move(diagnostic));
}

} // namespace

std::size_t thread_count(const data::Experiment &experiment) {
    const std::size_t wanted = experiment.training.threads;
    return wanted > 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
}

const data::NetworkSettings &settings_of(const data::Experiment &experiment,
                                         const std::string &network) {
    const auto found = std::find_if(
        experiment.networks.begin(), experiment.networks.end(),
        [&](const data::NetworkSettings &settings) { return settings.spec.name == network; });
    if (found == experiment.networks.end()) throw missing_network(experiment, network);
    return *found;
}

} // namespace neurasp::runs
