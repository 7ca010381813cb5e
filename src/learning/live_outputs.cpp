// Runs networks for the calls of one question.
#include "learning/live_outputs.hpp"

#include "neural/probabilities.hpp"
#include "neural/tensors.hpp"

#include <fmt/format.h>
#include <torch/utils.h>

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

} // namespace

torch::Tensor read_input(const data::ArraySettings &settings, const std::string &file) {
    data::ArraySettings own = settings;
    own.file.path = file;
    own.file.written = file;
    data::ArrayStore store;
    const data::DatasetArray array(own, store.get(own));
    if (array.array().rows() != 1) {
        throw missing("input-file",
                      fmt::format("'{}' holds {} inputs, expected one", file, array.array().rows()),
                      "give a picture, or an array with one row");
    }
    std::vector<std::int64_t> shape;
    for (const std::size_t length : array.array().row_shape()) {
        shape.push_back(static_cast<std::int64_t>(length));
    }
    torch::Tensor input = torch::empty(shape, torch::kFloat);
    array.copy_input(0, {input.data_ptr<float>(), static_cast<std::size_t>(input.numel())});
    return input;
}

NetworkOutputs live_outputs(const Question &question, const LiveNetworks &networks,
                            const LiveInputs &inputs) {
    const torch::NoGradGuard guard;
    NetworkOutputs outputs;
    std::set<std::string> done;
    for (const RandomVariableInfo &variable : question.variables()) {
        const VariableSource &source = variable.source;
        if (source.network.empty() || !done.insert(source.network + "(" + source.terms).second) {
            continue;
        }
        const auto network = networks.find(source.network);
        if (network == networks.end()) {
            throw missing("missing-network",
                          fmt::format("the program calls the network '{}'", source.network),
                          "available: " + names(networks));
        }
        const auto input = inputs.find(source.terms);
        if (input == inputs.end()) {
            throw missing("missing-input",
                          fmt::format("the program calls {}({}), but there is no input for '{}'",
                                      source.network, source.terms, source.terms),
                          "available: " + names(inputs));
        }
        network->second.network->train(false);
        const neural::OutputContract contract{source.network, source.events,
                                              variable.outcomes.size(), network->second.logits};
        const torch::Tensor rows = neural::probabilities(
            network->second.network->forward(input->second.unsqueeze(0)), contract);
        neural::check_distributions(rows, source.network,
                                    [&](std::size_t) { return source.terms; });
        outputs.set(source.network, source.terms, neural::values_of(rows));
    }
    return outputs;
}

} // namespace neurasp::learning
