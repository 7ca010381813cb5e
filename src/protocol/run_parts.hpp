// What the events of a run and its end share.
#pragma once

#include "protocol/json.hpp"
#include "runs/history.hpp"

#include <vector>

namespace neurasp::protocol {

// By name.
Json metrics_json(const std::vector<runs::Metric> &metrics);
// By what they were spent on.
Json seconds_json(const runs::PhaseSeconds &seconds);

} // namespace neurasp::protocol
