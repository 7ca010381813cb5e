// An experiment as JSON, for the log and the report of a run, and the fingerprint of what influences its
// weights: the same JSON without what does not.
#pragma once

#include "data/experiment.hpp"

#include <string>

namespace neurasp::protocol {

// Every setting, defaults included, as an object in one line.
std::string experiment_json(const data::Experiment &experiment);

// A text that changes if some setting changes that influences the learned weights. Not among
// them: output, epochs (without a cosine schedule over all of them), threads, how often something is
// written or evaluated, evaluation itself. Of files it knows the names only.
std::string fingerprint(const data::Experiment &experiment);

} // namespace neurasp::protocol
