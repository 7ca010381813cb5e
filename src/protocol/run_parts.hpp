// Members that the events of a run and its result share.
#pragma once

#include "protocol/json.hpp"
#include "runs/history.hpp"

#include <vector>

namespace neurasp::protocol {

// An object with the metrics by name.
Json metrics_json(const std::vector<runs::Metric> &metrics);
// An object with the seconds of each phase.
Json seconds_json(const runs::PhaseSeconds &seconds);

} // namespace neurasp::protocol
