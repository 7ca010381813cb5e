// `neurasp prob --observe-set`: the probability of independent observations.
#pragma once

#include "cli/exit_codes.hpp"
#include "cli/options.hpp"

namespace neurasp::cli {

// Answers for each observation of the options' set, and for all of them. The time limit is for all; what is
// left of it is shared equally by those that are still to come.
ExitCode run_observation_set(const Options &options);

} // namespace neurasp::cli
