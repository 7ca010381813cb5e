// Checkpoints: everything that a run needs to go on as if it had never stopped.
#pragma once

#include "learning/model.hpp"
#include "runs/history.hpp"

#include <torch/optim.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace neurasp::learning {

// How far a run has come.
struct Progress {
    std::size_t epoch = 0;     // epochs that are complete
    std::size_t batch = 0;     // batches of the epoch that is not
    std::uint64_t batches = 0; // since the beginning
    runs::EpochRecord current; // sums of the incomplete epoch
    runs::LossPoint point;     // sums since the last point
    std::size_t point_batches = 0;
    std::uint64_t log_position = 0; // bytes of the log that belong to it
    runs::History history;
};

using Optimizers = std::vector<std::unique_ptr<torch::optim::Optimizer>>;

// Replaces the file as a whole or not at all. Throws: EnvironmentError.
void save_checkpoint(const std::string &file, const std::string &fingerprint, const Model &model,
                     const Optimizers &optimizers, const Progress &progress);

// Throws: InputError if the file is broken or belongs to another experiment; EnvironmentError if it cannot
// be read. What the model and the optimisers hold then is not said.
Progress load_checkpoint(const std::string &file, const std::string &fingerprint, Model &model,
                         Optimizers &optimizers);

} // namespace neurasp::learning
