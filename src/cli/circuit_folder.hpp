// What there is to tell about the folder of --circuit-cache.
#pragma once

#include "neurasp/diagnostic.hpp"

#include <string>
#include <vector>

namespace neurasp::cli {

// A warning if circuits cannot be kept there; answers are the same without it. No folder, no warning.
std::vector<Diagnostic> circuit_folder_warnings(const std::string &folder);

} // namespace neurasp::cli
