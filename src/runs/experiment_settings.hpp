// Computed from an experiment's settings.
#pragma once

#include "data/experiment.hpp"

#include <cstddef>
#include <string>

namespace neurasp::runs {

// training.threads, where 0 means one per processor.
std::size_t thread_count(const data::Experiment &experiment);
// The settings of a network. Throws: InputError (missing-network).
const data::NetworkSettings &settings_of(const data::Experiment &experiment,
                                         const std::string &network);

} // namespace neurasp::runs
