// What can be learned from an experiment (docs/schema: check-experiment).
#pragma once

#include "protocol/json.hpp"
#include "runs/experiment_check.hpp"

namespace neurasp::protocol {

// `neurasp check X.toml`.
Json to_json(const runs::ExperimentCheck &check);

} // namespace neurasp::protocol
