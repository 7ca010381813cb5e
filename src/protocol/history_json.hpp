// A run's history as JSON text and back, for checkpoints.
#pragma once

#include "runs/history.hpp"

#include <string>
#include <string_view>

namespace neurasp::protocol {

std::string history_to_json(const runs::History &history);
// Throws: InputError (checkpoint) for anything that history_to_json did not write.
runs::History history_from_json(std::string_view json);

} // namespace neurasp::protocol
