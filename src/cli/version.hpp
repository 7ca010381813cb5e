// `neurasp --version`.
#pragma once

#include <string>

namespace neurasp::cli {

// The version of this command and of all that it is made of; the first line is "neurasp 0.1.0".
std::string version_text(bool json);

} // namespace neurasp::cli
