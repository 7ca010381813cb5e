// The probabilities of all outcomes for one set of network outputs.
#pragma once

#include "base/scaled_real.hpp"
#include "inference/grounding.hpp"
#include "neurasp/network_outputs.hpp"

#include <span>
#include <vector>

namespace neurasp::inference {

using base::ScaledReal;

// Probabilities by variable and outcome, as doubles and scaled.
class Weights {
  public:
    void add_variable(std::vector<double> probabilities);

    std::size_t size() const noexcept { return probabilities_.size(); }
    std::span<const double> probabilities(std::size_t variable) const {
        return probabilities_[variable];
    }
    const ScaledReal &scaled(std::size_t variable, std::uint32_t outcome) const {
        return scaled_[variable][outcome];
    }
    // The sum of a variable's probabilities: 1, within the tolerance for network outputs.
    const ScaledReal &row_sum(std::size_t variable) const { return row_sums_[variable]; }
    ScaledReal total() const;    // the product of all row sums
    ScaledReal greatest() const; // the product of every variable's greatest probability
    bool has_zero() const noexcept { return has_zero_; } // some outcome has probability 0

  private:
    std::vector<std::vector<double>> probabilities_;
    std::vector<std::vector<ScaledReal>> scaled_;
    std::vector<ScaledReal> row_sums_;
    bool has_zero_ = false;
};

// Matches outputs with the grounding's random variables. Throws: InputError for outputs that are missing, not
// asked for, of the wrong size, or not distributions.
Weights make_weights(const Grounding &grounding, const NetworkOutputs &outputs);

} // namespace neurasp::inference
