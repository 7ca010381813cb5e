// `neurasp prob --observe-set`: the probability of independent observations.
#pragma once

#include "cli/exit_codes.hpp"
#include "cli/options.hpp"

namespace neurasp::cli {

// Answers for each observation of the set that the options name, and for all of them together. The time limit is
// for all of them: the observations that are still to come share equally what is left.
ExitCode run_observation_set(const Options &options);

} // namespace neurasp::cli
