// How a network's inputs are prepared, as a text that travels with its weights.
#pragma once

#include "data/input_form.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace neurasp::protocol {

std::string input_form_to_json(const data::InputForm &form);
// nullopt for an empty text, which weights from elsewhere have.
// Throws: InputError (network-file) if it is not such a text; `file` holds the weights.
std::optional<data::InputForm> input_form_from_json(std::string_view json, const std::string &file);

} // namespace neurasp::protocol
