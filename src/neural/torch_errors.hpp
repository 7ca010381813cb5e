// Torch's exceptions carry stack traces and listings; people need the single line that says what is wrong.
#pragma once

#include <exception>
#include <string>

namespace neurasp::neural {

// The essential line of an exception from Torch: the last "RuntimeError: ..." of an error in a TorchScript module,
// otherwise the first line.
std::string essential_line(const std::exception &error);

} // namespace neurasp::neural
