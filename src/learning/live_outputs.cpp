// Runs networks for the calls of one question.
#include "learning/live_outputs.hpp"

#include "neural/probabilities.hpp"
#include "neural/tensors.hpp"
#include "protocol/input_form.hpp"

#include <fmt/format.h>
#include <torch/utils.h>

#include <filesystem>
#include <set>

namespace neurasp::learning {

namespace {

InputError missing(const char *code, const std::string &message, const std::string &hint) {
    Diagnostic diagnostic;
    diagnostic.code = code;
    diagnostic.message = message;
    diagnostic.hint = hint;
    return InputError(std::move(diagnostic));
}

template <class Map> std::string names(const Map &map) {
    std::string text;
    for (const auto &[name, value] : map) text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "none" : text;
}

// Calls `visit` once for each call of a network, with a random variable that belongs to it.
template <class Visit> void for_each_call(const Question &question, const Visit &visit) {
    std::set<std::pair<std::string, std::string>> done;
    for (const RandomVariableInfo &variable : question.variables()) {
        const VariableSource &source = variable.source;
        if (source.network.empty()) continue;
        if (done.emplace(source.network, source.terms).second) visit(variable);
    }
}

torch::Tensor tensor_of(const data::DatasetArray &row) {
    std::vector<std::int64_t> shape;
    for (const std::size_t length : row.array().row_shape()) {
        shape.push_back(static_cast<std::int64_t>(length));
    }
    torch::Tensor input = torch::empty(shape, torch::kFloat);
    row.copy_input(0, {input.data_ptr<float>(), static_cast<std::size_t>(input.numel())});
    return input;
}

} // namespace

std::optional<data::InputForm> trained_form(const neural::Network &network,
                                            const std::string &file) {
    return protocol::input_form_from_json(network.note(), file);
}

std::optional<data::InputForm> trained_form(const std::string &file) {
    if (!std::filesystem::exists(file)) return std::nullopt;
    return protocol::input_form_from_json(neural::read_note(file), file);
}

LiveInputs read_inputs(const Question &question, const InputFiles &files) {
    LiveInputs inputs;
    for_each_call(question, [&](const RandomVariableInfo &variable) {
        const VariableSource &source = variable.source;
        const auto expected = files.expectations.find(source.network);
        if (expected == files.expectations.end()) {
            throw missing("missing-network",
                          fmt::format("the program calls the network '{}'", source.network),
                          "available: " + names(files.expectations));
        }
        const auto file = files.files.find(source.terms);
        if (file == files.files.end()) {
            throw missing("missing-input",
                          fmt::format("the program calls {}({}), but there is no input for '{}'",
                                      source.network, source.terms, source.terms),
                          "available: " + names(files.files));
        }
        inputs[{source.network, source.terms}] =
            tensor_of(data::read_input_file(file->second, expected->second));
    });
    return inputs;
}

NetworkOutputs live_outputs(const Question &question, const LiveNetworks &networks,
                            const LiveInputs &inputs) {
    const torch::NoGradGuard guard;
    NetworkOutputs outputs;
    for_each_call(question, [&](const RandomVariableInfo &variable) {
        const VariableSource &source = variable.source;
        const LiveNetwork &live = networks.at(source.network);
        live.network->train(false);
        const neural::OutputContract contract{source.network, source.events,
                                              variable.outcomes.size(), live.logits};
        const torch::Tensor rows = neural::probabilities(
            live.network->forward(inputs.at({source.network, source.terms}).unsqueeze(0)),
            contract);
        neural::check_distributions(rows, source.network,
                                    [&](std::size_t) { return source.terms; });
        outputs.set(source.network, source.terms, neural::values_of(rows));
    });
    return outputs;
}

} // namespace neurasp::learning
