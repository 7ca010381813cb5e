// Warnings about the folder of --circuit-cache.
#pragma once

#include "neurasp/diagnostic.hpp"

#include <string>
#include <vector>

namespace neurasp::cli {

// A warning if circuits cannot be kept in the folder; answers do not change. Nothing if `folder` is empty.
std::vector<Diagnostic> circuit_folder_warnings(const std::string &folder);

} // namespace neurasp::cli
