// Compares descriptions of networks with the tables of presets and layer kinds.
#include "data/network_check.hpp"

#include "base/source.hpp"
#include "data/layer_kinds.hpp"
#include "data/presets.hpp"

namespace neurasp::data {

namespace {

void check_layer(const LayerSpec &layer) {
    const LayerKind &kind = kind_of(layer);
    complete_numbers(kind.numbers, layer.numbers, "layer '" + kind.name + "'", layer.location);
}

} // namespace

void check_networks(const Experiment &experiment) {
    base::DiagnosticSink errors;
    const auto collect = [&](const auto &check) {
        try {
            check();
        } catch (const InputError &error) {
            for (const Diagnostic &diagnostic : error.diagnostics()) errors.add(diagnostic);
        }
    };
    for (const NetworkSettings &network : experiment.networks) {
        const NetworkSpec &spec = network.spec;
        if (!spec.preset.empty()) {
            collect([&] { preset_layers(spec.preset, spec.numbers, spec.location); });
        }
        for (const LayerSpec &layer : spec.layers) collect([&] { check_layer(layer); });
    }
    errors.throw_if_errors();
}

} // namespace neurasp::data
