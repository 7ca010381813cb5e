// What can be learned from an experiment, or from observations (docs/schema: check-experiment, check-learning).
#pragma once

#include "protocol/json.hpp"
#include "runs/experiment_check.hpp"

namespace neurasp::protocol {

// `neurasp check X.toml`.
Json to_json(const runs::ExperimentCheck &check);
// The same for examples without a file, as Python has them.
Json to_json(const LearningCheck &check);

} // namespace neurasp::protocol
