// Keeps a run from replacing the results of an earlier one in the same folder.
#pragma once

#include "data/experiment.hpp"

namespace neurasp::runs {

inline constexpr const char *checkpoint_name = "checkpoint.pt";

// Throws: EnvironmentError if the experiment's output folder holds the checkpoint or the weights of a run.
void require_no_run(const data::Experiment &experiment);

} // namespace neurasp::runs
