// The check of an experiment as people read it.
#pragma once

#include "runs/experiment_check.hpp"

#include <string>

namespace neurasp::cli {

// Ends with a newline.
std::string learning_check_text(const runs::ExperimentCheck &check);

} // namespace neurasp::cli
