// Torch's exceptions carry stack traces and listings; people need the one line that says what is wrong.
#pragma once

#include <exception>
#include <string>

namespace neurasp::neural {

// The essential line of what Torch threw: of an error in a TorchScript module the last "RuntimeError: ...",
// else the first line.
std::string essential_line(const std::exception &error);

} // namespace neurasp::neural
