// The events of a run, each one line of JSON (docs/schema/run-event.json). They make up log.jsonl, for scripts that
// follow or compare runs. The member "event" names the kind of a line. Numbers that are not finite are null.
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
// Without its evaluations, which have lines of their own.
std::string epoch_event(const runs::EpochRecord &record);
// After `epoch` complete epochs and `batch` batches in all, which may be in the middle of the next epoch.
std::string evaluation_event(std::size_t epoch, std::uint64_t batch,
                             const runs::Evaluation &evaluation);
std::string warning_event(std::string_view code, std::string_view message);
std::string end_event(const runs::RunSummary &run, std::string_view time);

} // namespace neurasp::protocol
