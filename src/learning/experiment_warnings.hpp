// Warnings about the program and the observations of an experiment, each reported once in a run.
#pragma once

#include "data/dataset.hpp"
#include "neurasp/training.hpp"

#include <set>
#include <string>
#include <vector>

namespace neurasp::learning {

class ExperimentWarnings {
  public:
    // `step` must outlive it.
    explicit ExperimentWarnings(TrainingProgram &step) : step_(step) {}

    // A dataset of the experiment, which must outlive it: its observations may bring facts that the program waits for.
    void add(const data::Dataset &dataset) { datasets_.push_back(&dataset); }
    // Those that were not taken before.
    std::vector<Diagnostic> take();

  private:
    TrainingProgram &step_;
    std::vector<const data::Dataset *> datasets_; // not read yet
    std::set<std::string> taken_;
};

} // namespace neurasp::learning
