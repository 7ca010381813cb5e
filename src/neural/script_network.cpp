// Runs a TorchScript module as a network.
#include "neural/script_network.hpp"

#include "neural/script_file.hpp"

#include <torch/script.h>

#include <fmt/format.h>

namespace neurasp::neural {

struct ScriptNetwork::Script {
    torch::jit::Module module;
};

ScriptNetwork::~ScriptNetwork() = default;

ScriptNetwork::ScriptNetwork(std::string name, const std::filesystem::path &file)
    : Network(std::move(name)), file_(file.string()) {
    std::string note;
    script_ = std::make_unique<Script>(Script{read_script(file, &note)});
    set_note(std::move(note));
    const auto method = script_->module.find_method("forward");
    const auto takes_one = [&] {
        const auto &schema = method->function().getSchema();
        std::size_t needed = 0; // without self
        for (std::size_t i = 1; i < schema.arguments().size(); ++i) {
            if (!schema.arguments()[i].default_value()) ++needed;
        }
        return needed <= 1 && schema.arguments().size() >= 2;
    };
    if (!method || !takes_one()) {
        Diagnostic diagnostic;
        diagnostic.code = "network-file";
        diagnostic.message = "the TorchScript module has no method 'forward' that takes one tensor";
        diagnostic.location.file = file_;
        throw InputError(std::move(diagnostic));
    }
    train(true);
}

// Runs without TorchScript's optimiser, which specialises the code for the first batches it sees: the result of a
// call must not depend on the calls before it.
torch::Tensor ScriptNetwork::run(const torch::Tensor &batch) {
    const torch::jit::GraphOptimizerEnabledGuard no_optimizer(false);
    const torch::jit::IValue output = script_->module.forward({batch});
    if (!output.isTensor()) {
        throw InputError(
            Diagnostic{Severity::error,
                       "network-output",
                       fmt::format("network '{}' must return one tensor, but returns {}", name(),
                                   output.tagKind()),
                       {},
                       {},
                       {}});
    }
    return output.toTensor();
}

void ScriptNetwork::train(bool on) {
    script_->module.train(on);
    training_ = on;
}

bool ScriptNetwork::is_training() const { return training_; }

Network::Tensors ScriptNetwork::tensors() const {
    return {script_parameters(script_->module), script_buffers(script_->module)};
}

void ScriptNetwork::write(std::ostream &out, const ExtraFiles &extra) const {
    script_->module.save(out, extra);
}

std::string ScriptNetwork::description() const {
    std::string text =
        fmt::format("{}: TorchScript '{}', {} parameters\n", name(), file_, parameter_count());
    for (const auto &[tensor_name, tensor] : script_parameters(script_->module)) {
        text += fmt::format("  {:<46} {}\n", tensor_name,
                            shape_text({tensor.sizes().begin(), tensor.sizes().end()}));
    }
    return text;
}

} // namespace neurasp::neural
