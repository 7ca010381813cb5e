// Predictions in several runs, as Park's Sudoku solver makes them: the blank that the network is most certain about
// is filled in, and the network runs again on the result, until no blank is left.
#pragma once

#include "data/dataset.hpp"
#include "learning/model.hpp"
#include "runs/right_counts.hpp"

#include <cstddef>
#include <string>

namespace neurasp::learning {

class OneByOne {
  public:
    // Requires: the dataset has a label for `call`. Throws: InputError (one-by-one) if the network's outcomes
    // are not integers, or if the input does not have one number for each event of the call.
    OneByOne(const std::string &call, const data::Dataset &dataset, const TrainingProgram &step);

    // Fills in the inputs of all labelled calls of the network in the batch, and counts the right ones.
    void add(Model &model, const Batch &batch);

    const std::string &network() const noexcept { return name_; }
    const runs::RightCounts &counts() const noexcept { return counts_; }

  private:
    std::string name_;
    std::size_t network_ = 0;
    float blank_ = 0.0F;        // a blank, as the network sees it
    std::vector<float> filled_; // each outcome, as the network sees it
    runs::RightCounts counts_;
};

} // namespace neurasp::learning
