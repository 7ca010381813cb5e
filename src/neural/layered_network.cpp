// Runs layers one after the other, and writes them as a TorchScript module.
#include "neural/layered_network.hpp"

#include <torch/script.h>

#include <fmt/format.h>

namespace neurasp::neural {

namespace {

// A module of Torch with the attribute that Module::train sets.
torch::jit::Module make_module(const std::string &name,
                               std::shared_ptr<torch::jit::CompilationUnit> unit, bool training) {
    torch::jit::Module module(c10::QualifiedName("__torch__." + name), std::move(unit));
    module.register_attribute("training", c10::BoolType::get(), training);
    return module;
}

std::int64_t count_parameters(const Layer &layer) {
    std::int64_t count = 0;
    for (const auto &[name, tensor] : layer.parameters) count += tensor.numel();
    return count;
}

} // namespace

LayeredNetwork::LayeredNetwork(std::string name, const std::vector<data::LayerSpec> &layers,
                               Shape input)
    : Network(std::move(name)), layers_(make_layers(layers, input)), input_(std::move(input)) {}

torch::Tensor LayeredNetwork::run(const torch::Tensor &batch) {
    if (batch.sizes().slice(1) != torch::IntArrayRef(input_)) {
        throw std::runtime_error("it was made for inputs of shape " + shape_text(input_));
    }
    torch::Tensor values = batch;
    for (const Layer &layer : layers_) values = layer.apply(values, training_);
    return values;
}

Network::Tensors LayeredNetwork::tensors() const {
    Tensors all;
    for (const Layer &layer : layers_) {
        const auto add = [&](const NamedTensors &own, NamedTensors &to) {
            for (const auto &[name, tensor] : own) to.emplace_back(layer.name + "." + name, tensor);
        };
        add(layer.parameters, all.parameters);
        add(layer.buffers, all.buffers);
    }
    return all;
}

// Writes one submodule for each layer with weights, so that names are those of tensors(), and a forward method
// made of the layers' expressions.
void LayeredNetwork::write(std::ostream &out, const ExtraFiles &extra) const {
    const auto unit = std::make_shared<torch::jit::CompilationUnit>();
    torch::jit::Module network = make_module("Network", unit, training_);
    std::string forward = "def forward(self, x: Tensor) -> Tensor:\n";
    for (const Layer &layer : layers_) {
        forward += "    x = " + layer.script + "\n";
        if (layer.parameters.empty()) continue;
        torch::jit::Module module = make_module("layer_" + layer.name, unit, training_);
        for (const auto &[name, tensor] : layer.parameters) {
            module.register_parameter(name, tensor, false);
        }
        for (const auto &[name, tensor] : layer.buffers) module.register_buffer(name, tensor);
        network.register_module(layer.name, module);
    }
    network.define(forward + "    return x\n");
    network.save(out, extra);
}

std::string LayeredNetwork::description() const {
    const Shape &output = layers_.empty() ? input_ : layers_.back().output;
    std::string text = fmt::format("{}: {} -> {}, {} parameters\n", name(), shape_text(input_),
                                   shape_text(output), parameter_count());
    for (const Layer &layer : layers_) {
        text += fmt::format("  {:<46} {:<18}", layer.text, shape_text(layer.output));
        if (const auto count = count_parameters(layer); count > 0)
            text += fmt::format(" {:>10}", count);
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text;
}

} // namespace neurasp::neural
