// One input of a network from a file of the user: a picture, or an array of one row.
#pragma once

#include "data/dataset_parts.hpp"
#include "data/input_form.hpp"

#include <optional>
#include <string>

namespace neurasp::data {

// What is known about the inputs of a network.
struct ExpectedInput {
    std::string network;           // its name, for messages
    std::optional<InputForm> form; // that it was trained with; without one, the settings decide
    bool convert = false;          // pictures of another size or colour are converted
};

// Whether the file is a PNG or JPEG picture. Throws: EnvironmentError if it cannot be read.
bool is_picture_file(const std::string &file);

// The input in the file of `settings`, prepared according to them and, before them, the form that is expected.
// Throws: InputError, EnvironmentError; input-form names the file if size, colour or shape are not those that the
// network was trained on.
DatasetArray read_input_file(const ArraySettings &settings, const ExpectedInput &expected);

} // namespace neurasp::data
