// Progress of a training run on the terminal.
#pragma once

#include "cli/console.hpp"
#include "learning/trainer.hpp"

#include <chrono>
#include <string>

namespace neurasp::cli {

// On a terminal, one line on standard error that is redrawn several times a second; otherwise nothing.
class TrainingDisplay {
  public:
    explicit TrainingDisplay(Console &console);
    ~TrainingDisplay() { clear(); }
    TrainingDisplay(const TrainingDisplay &) = delete;
    TrainingDisplay &operator=(const TrainingDisplay &) = delete;

    void batch(const learning::TrainingView &view);
    void epoch(const runs::EpochRecord &record, bool json);
    void warn(const std::string &message);
    void clear();

  private:
    Console &console_;
    bool active_ = false;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point last_{};
};

// "accuracy of digit 97.41 %, mean log P(O) -0.0312".
std::string show_metrics(const runs::Evaluation &evaluation);

} // namespace neurasp::cli
