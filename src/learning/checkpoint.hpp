// Checkpoints: everything that a run needs to continue as if it had never stopped.
#pragma once

#include "learning/model_state.hpp"
#include "learning/optimizers.hpp"
#include "runs/history.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace neurasp::learning {

// The progress of a run.
struct Progress {
    std::size_t epoch = 0;     // complete epochs
    std::size_t batch = 0;     // batches done in the incomplete epoch
    std::uint64_t batches = 0; // since the beginning of the run
    runs::EpochRecord current; // sums of the incomplete epoch
    runs::LossPoint point;     // sums since the last point
    std::size_t point_batches = 0;
    std::uint64_t log_position = 0; // size of the log at this point, in bytes
    double seconds = 0.0;           // of the run so far, resumed or not
    runs::History history;
    std::optional<ModelState> best_weights; // those of `history.best`
};

// Replaces the file completely or not at all. Throws: EnvironmentError.
void save_checkpoint(const std::string &file, const std::string &fingerprint, const Model &model,
                     const Optimizers &optimizers, const Progress &progress);

// Throws: InputError if the file is broken or belongs to another experiment; EnvironmentError if it cannot
// be read. The state of the model and the optimisers is then unspecified.
Progress load_checkpoint(const std::string &file, const std::string &fingerprint, Model &model,
                         Optimizers &optimizers);

} // namespace neurasp::learning
