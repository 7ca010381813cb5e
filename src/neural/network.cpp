// Checks around every network: its outputs, the weights it is given, its files. Builds networks from descriptions.
#include "neural/network.hpp"

#include "base/atomic_file.hpp"
#include "base/suggest.hpp"
#include "data/presets.hpp"
#include "neural/layered_network.hpp"
#include "neural/script_network.hpp"
#include "neural/torch_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

namespace neurasp::neural {

namespace {

using torch::Tensor;

InputError error_in(const std::string &code, std::string message, std::string hint = {}) {
    return InputError(
        Diagnostic{Severity::error, code, std::move(message), {}, {}, std::move(hint)});
}

Shape shape_of(const Tensor &tensor) { return {tensor.sizes().begin(), tensor.sizes().end()}; }

// PyTorch's count of batches, which matters only without momentum.
bool is_batch_counter(const std::string &name) { return name.ends_with("num_batches_tracked"); }

// Whether `given` has infinities or NaN where `own` has none. Some tensors, such as masks, are infinite from the
// start.
bool spoils(const Tensor &given, const Tensor &own) {
    return torch::isfinite(given)
        .logical_not()
        .logical_and(torch::isfinite(own))
        .any()
        .item<bool>();
}

// All reasons why `given` cannot be the new values of `own`.
std::vector<Diagnostic> mismatches(const NamedTensors &own, const NamedTensors &given,
                                   const std::string &network, const std::string &origin) {
    std::vector<Diagnostic> errors;
    const auto error = [&](std::string message, std::string hint = {}) {
        errors.push_back(
            {Severity::error, "network-weights", std::move(message), {}, {}, std::move(hint)});
    };
    std::map<std::string, Tensor> by_name(given.begin(), given.end());
    if (by_name.size() != given.size()) error(fmt::format("{} name a tensor twice", origin));
    std::vector<std::string> missing;
    for (const auto &[name, tensor] : own) {
        const auto found = by_name.find(name);
        if (found == by_name.end()) {
            missing.push_back(name);
        } else if (found->second.sizes() != tensor.sizes()) {
            error(fmt::format("'{}' of network '{}' has the shape {}, but in {} it has {}", name,
                              network, shape_text(shape_of(tensor)), origin,
                              shape_text(shape_of(found->second))),
                  "the weights belong to a network of other sizes");
        } else if (spoils(found->second, tensor)) {
            error(fmt::format("'{}' of network '{}' has numbers that are not finite in {}", name,
                              network, origin));
        }
        by_name.erase(name);
    }
    for (const auto &[name, tensor] : by_name) {
        if (is_batch_counter(name)) continue;
        const auto closest = base::closest_name(name, missing);
        error(fmt::format("network '{}' has no '{}', which is in {}", network, name, origin),
              closest ? fmt::format("did you mean '{}'?", *closest) : std::string());
    }
    for (const std::string &name : missing) {
        if (is_batch_counter(name)) continue;
        error(fmt::format("'{}' of network '{}' is not in {}", name, network, origin));
    }
    return errors;
}

NamedTensors joined(NamedTensors first, const NamedTensors &second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

} // namespace

Tensor Network::forward(const Tensor &batch) {
    const auto refuse = [&](const std::string &why) {
        return error_in("network-input",
                        fmt::format("network '{}' cannot take a batch of shape {}: {}", name_,
                                    shape_text(shape_of(batch)), why));
    };
    if (!batch.defined() || batch.dim() == 0) {
        throw ContractError("Network::forward: a batch has at least one dimension");
    }
    Tensor output;
    try {
        output = run(batch);
    } catch (const InputError &) {
        throw;
    } catch (const std::exception &error) {
        throw refuse(essential_line(error));
    }
    if (!output.defined() || output.layout() != torch::kStrided || output.is_complex() ||
        output.is_quantized() || !output.is_cpu()) {
        throw error_in("network-output",
                       fmt::format("network '{}' must return a plain tensor of real numbers, but "
                                   "returns {}",
                                   name_, output.defined() ? output.toString() : "nothing"));
    }
    if (output.dim() == 0 || output.size(0) != batch.size(0)) {
        throw error_in(
            "network-output",
            fmt::format("network '{}' returns an output of shape {} for a batch of size {}", name_,
                        shape_text(shape_of(output)), batch.size(0)),
            "the first dimension of inputs and outputs is the batch");
    }
    return output;
}

std::vector<Tensor> Network::parameters() const {
    std::vector<Tensor> result;
    for (const auto &[name, tensor] : tensors().parameters) result.push_back(tensor);
    return result;
}

std::int64_t Network::parameter_count() const {
    std::int64_t count = 0;
    for (const Tensor &tensor : parameters()) count += tensor.numel();
    return count;
}

NamedTensors Network::state() const {
    const Tensors live = tensors();
    NamedTensors copies = joined(live.parameters, live.buffers);
    for (auto &[name, tensor] : copies) tensor = tensor.detach().clone();
    return copies;
}

void Network::set_state(const NamedTensors &state, const std::string &origin) {
    const Tensors live = tensors();
    const NamedTensors own = joined(live.parameters, live.buffers);
    if (auto errors = mismatches(own, state, name_, origin); !errors.empty()) {
        throw InputError(std::move(errors));
    }
    const torch::NoGradGuard no_grad;
    const std::map<std::string, Tensor> by_name(state.begin(), state.end());
    for (auto &[name, tensor] : own) {
        const auto found = by_name.find(name);
        if (found != by_name.end()) tensor.copy_(found->second);
    }
}

void Network::save(const std::filesystem::path &file) const {
    std::ostringstream bytes;
    try {
        write(bytes, extra_files(note_));
    } catch (const std::exception &error) {
        throw EnvironmentError(
            fmt::format("network '{}' cannot be saved: {}", name_, essential_line(error)));
    }
    base::write_file(file, bytes.view());
}

void Network::load(const std::filesystem::path &file) {
    set_state(read_script_tensors(file), "'" + file.string() + "'");
}

std::unique_ptr<Network> make_network(const data::NetworkSpec &spec, const Shape &input) {
    const int sources =
        int{!spec.preset.empty()} + int{!spec.script.empty()} + int{!spec.layers.empty()};
    if (sources != 1) {
        throw InputError(Diagnostic{Severity::error,
                                    "network-source",
                                    fmt::format("network '{}' must have exactly one of a preset, a "
                                                "TorchScript file and layers, but "
                                                "has {}",
                                                spec.name, sources == 0 ? "none" : "several"),
                                    spec.location,
                                    {},
                                    {}});
    }
    if (!spec.script.empty()) {
        auto network = std::make_unique<ScriptNetwork>(spec.name, spec.script);
        if (!input.empty()) output_shape(*network, input);
        return network;
    }
    if (spec.preset.empty()) {
        return std::make_unique<LayeredNetwork>(spec.name, spec.layers, input);
    }
    auto layers = data::preset_layers(spec.preset, spec.numbers, spec.location);
    // The caller wants raw scores and applies softmax or sigmoid itself.
    const std::string &last = layers.back().kind;
    if (spec.logits && (last == "softmax" || last == "sigmoid")) layers.pop_back();
    return std::make_unique<LayeredNetwork>(spec.name, std::move(layers), input);
}

Shape output_shape(Network &network, const Shape &input) {
    const torch::NoGradGuard no_grad;
    const bool was_training = network.is_training();
    Shape batch = input;
    batch.insert(batch.begin(), 1);
    network.train(false);
    try {
        const Tensor output = network.forward(torch::zeros(batch));
        network.train(was_training);
        return {output.sizes().begin() + 1, output.sizes().end()};
    } catch (...) {
        network.train(was_training);
        throw;
    }
}

} // namespace neurasp::neural
