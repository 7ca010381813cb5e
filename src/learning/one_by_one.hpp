// Predictions in many looks, as Park's Sudoku solver makes them: the blank that the network is surest of is filled
// in, and the network looks at the result, until no blank is left.
#pragma once

#include "data/dataset.hpp"
#include "learning/model.hpp"
#include "runs/right_counts.hpp"

#include <cstddef>
#include <string>

namespace neurasp::learning {

class OneByOne {
  public:
    // `call` is that of a label of the dataset. Throws: InputError (one-by-one) if the network's outcomes are not
    // whole numbers, or if the input has another number of places than the call has events.
    OneByOne(const std::string &call, const data::Dataset &dataset, const TrainingProgram &step);

    // Fills in the inputs of all labelled calls of the batch's network, and counts what is right.
    void add(Model &model, const Batch &batch);

    const std::string &network() const noexcept { return name_; }
    const runs::RightCounts &counts() const noexcept { return counts_; }

  private:
    std::string name_;
    std::size_t network_ = 0;
    float blank_ = 0.0F;        // what a blank is for the network
    std::vector<float> filled_; // what each outcome is
    runs::RightCounts counts_;
};

} // namespace neurasp::learning
