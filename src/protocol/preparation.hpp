// How the observations of a training run were prepared: the member "stats" of docs/schema/train.json.
#pragma once

#include "neurasp/training.hpp"
#include "protocol/json.hpp"

namespace neurasp::protocol {

Json to_json(const TrainingStatistics &statistics);

} // namespace neurasp::protocol
