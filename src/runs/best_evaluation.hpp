// Which evaluation of a run was the best, and for how long there has been no better one.
#pragma once

#include "runs/history.hpp"

#include <cstdint>
#include <string>

namespace neurasp::runs {

// When an evaluation took place.
struct EvaluationTime {
    std::uint64_t batch = 0; // since the beginning of the run
    double epoch = 0.0;      // the same in epochs
};

// Compares an evaluation with the best one in the history and records the result there. Returns whether it is better;
// an equal value is not, and neither is one that was not measured or is not finite. An evaluation that was recorded
// before is ignored.
bool note_evaluation(History &history, const std::string &metric, const Evaluation &evaluation,
                     EvaluationTime time);

// Whether there were `patience` evaluations (0: any number) without improvement.
bool is_patience_exhausted(const History &history, std::size_t patience);

// "epoch 7", or "epoch 6.5" for an evaluation within an epoch.
std::string epoch_name(double epoch);

} // namespace neurasp::runs
