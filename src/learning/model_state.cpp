// Copies the state of a model, and stores it in archives.
#include "learning/model_state.hpp"

#include <fmt/format.h>
#include <torch/utils.h>

namespace neurasp::learning {

namespace {

std::string network_place(std::size_t index) { return fmt::format("network{}", index); }
std::string tensor_place(std::size_t index) { return fmt::format("tensor{}", index); }

} // namespace

ModelState state_of(const Model &model) {
    ModelState state;
    for (const auto &network : model.networks()) state.networks.push_back(network->state());
    const auto rules = model.rule_values();
    state.rule_numbers =
        torch::tensor(std::vector<double>(rules.begin(), rules.end()), torch::kDouble);
    return state;
}

void set_state(Model &model, const ModelState &state, const std::string &origin) {
    for (std::size_t m = 0; m < state.networks.size(); ++m) {
        model.networks()[m]->set_state(state.networks[m], origin);
    }
    const torch::NoGradGuard guard;
    model.rule_numbers().copy_(state.rule_numbers);
}

void write_state(torch::serialize::OutputArchive &archive, const ModelState &state) {
    archive.write("rules", state.rule_numbers);
    for (std::size_t m = 0; m < state.networks.size(); ++m) {
        torch::serialize::OutputArchive part;
        for (std::size_t t = 0; t < state.networks[m].size(); ++t) {
            part.write(tensor_place(t), state.networks[m][t].second);
        }
        archive.write(network_place(m), part);
    }
}

ModelState read_state(torch::serialize::InputArchive &archive, const Model &model) {
    ModelState state;
    archive.read("rules", state.rule_numbers);
    const auto rules = static_cast<std::int64_t>(model.rule_values().size());
    TORCH_CHECK(state.rule_numbers.dim() == 1 && state.rule_numbers.size(0) == rules,
                "it has other learnable rules");
    for (std::size_t m = 0; m < model.networks().size(); ++m) {
        torch::serialize::InputArchive part;
        archive.read(network_place(m), part);
        neural::NamedTensors tensors = model.networks()[m]->state();
        for (std::size_t t = 0; t < tensors.size(); ++t) {
            part.read(tensor_place(t), tensors[t].second);
        }
        state.networks.push_back(std::move(tensors));
    }
    return state;
}

} // namespace neurasp::learning
