// An experiment as JSON, for the log and the report of a run; and a fingerprint of the settings that influence the
// learned weights.
#pragma once

#include "data/experiment.hpp"

#include <string>

namespace neurasp::protocol {

// Every setting, defaults included, as an object in one line.
std::string experiment_json(const data::Experiment &experiment);

// A text that changes if a setting that influences the learned weights changes. These do not influence them: output,
// epochs (unless a cosine schedule runs over all of them), threads, how often something is written or evaluated, and
// evaluation itself. Files count by their names, not their contents.
std::string fingerprint(const data::Experiment &experiment);

} // namespace neurasp::protocol
