// `neurasp --version`.
#pragma once

#include <string>

namespace neurasp::cli {

// The versions of this command and of the libraries it is built with; the first line is "neurasp 0.1.0".
std::string version_text(bool json);

} // namespace neurasp::cli
