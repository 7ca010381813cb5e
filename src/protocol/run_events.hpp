// The events of a run, each one line of JSON (docs/schema/run-event.json): what log.jsonl consists of, for
// scripts that follow or compare runs. The key "event" says what a line holds. Numbers that are not finite
// are null.
#pragma once

#include "runs/history.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace neurasp::protocol {

// `time` is written as given (ISO 8601). A run that is resumed starts with the epochs of its history.
std::string start_event(const runs::RunSummary &run, std::string_view time);
std::string batch_event(const runs::LossPoint &point);
// Without its evaluations: each has a line of its own.
std::string epoch_event(const runs::EpochRecord &record);
// After `epoch` epochs, or after `batch` batches in all, within the epoch that is the next.
std::string evaluation_event(std::size_t epoch, std::uint64_t batch,
                             const runs::Evaluation &evaluation);
std::string warning_event(std::string_view code, std::string_view message);
std::string end_event(const runs::RunSummary &run, std::string_view time);

} // namespace neurasp::protocol
