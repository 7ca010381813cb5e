// Progress and limits of commands that run networks, while they read and ground.
#pragma once

#include "cli/learning_options.hpp"
#include "cli/limit_watch.hpp"
#include "cli/progress.hpp"

#include <optional>

namespace neurasp::cli {

// Create it before data is read and destroy it once the program is grounded. Shows progress, and ends the process
// if reading and grounding take nearly all memory or more than `seconds`, or after Ctrl-C under a SignalGuard.
class ExperimentPreparation {
  public:
    ExperimentPreparation(const ExperimentOptions &options, Console &console,
                          std::optional<double> seconds = {})
        : watch_(Watched::experiment, {seconds, {}, options.json()}, console, progress_) {
        progress_.phase("reading and grounding");
        watch_.start_clock();
    }

  private:
    ProgressLine progress_;
    LimitWatch watch_;
};

} // namespace neurasp::cli
