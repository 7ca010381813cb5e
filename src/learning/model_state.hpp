// Everything that a model has learned, as values: the weights of its networks and the numbers of its rules.
#pragma once

#include "learning/model.hpp"

#include <torch/serialize.h>

#include <string>
#include <vector>

namespace neurasp::learning {

struct ModelState {
    std::vector<neural::NamedTensors> networks;
    torch::Tensor rule_numbers;
};

// A copy.
ModelState state_of(const Model &model);
// Throws: InputError if it does not fit the model; diagnostics call its source `origin`.
void set_state(Model &model, const ModelState &state, const std::string &origin = "these weights");

void write_state(torch::serialize::OutputArchive &archive, const ModelState &state);
// Names and sizes of networks' tensors are not compared with the model's; set_state does this.
// Throws: c10::Error, also if the rules are not those of the model.
ModelState read_state(torch::serialize::InputArchive &archive, const Model &model);

} // namespace neurasp::learning
