// What looks after the commands that run networks until they are ready to work.
#pragma once

#include "cli/learning_options.hpp"
#include "cli/limit_watch.hpp"
#include "cli/progress.hpp"

#include <optional>

namespace neurasp::cli {

// To live while data is read and the program is grounded: shows progress, and ends the process where that
// takes nearly all memory, or after Ctrl-C under a SignalGuard. Grounding may take `seconds`.
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
