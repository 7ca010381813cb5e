// Probabilities as costs: the negative logarithm of each outcome's probability relative to the best outcome of
// its variable, in units of 2^-60. Sums of integers are exact, so bounds in the search never drift.
#pragma once

#include "asp/cost_bound.hpp"
#include "inference/search_problem.hpp"
#include "inference/weights.hpp"

#include <vector>

namespace neurasp::inference {

using asp::Cost;

class CostModel {
  public:
    // The cost of an outcome of probability 0: beyond any sum of finite costs.
    static constexpr Cost forbidden = Cost{1} << 100;
    // A limit that excludes outcomes of probability 0 and nothing else.
    static constexpr Cost finite = Cost{1} << 99;

    CostModel(const SearchProblem &problem, const Weights &weights);

    std::vector<asp::CostBound::Group> groups() const { return groups_; }
    Cost of(const TotalChoice &choice) const;
    // The cost of dividing by `number`.
    static Cost of_division(std::uint64_t number);
    // The cost of a relative difference in probability.
    static Cost of_ratio(long double relative);
    // The probability of a choice of cost 0: the product of every variable's largest probability.
    const ScaledReal &best() const noexcept { return best_; }

  private:
    std::vector<asp::CostBound::Group> groups_;
    ScaledReal best_{1.0L};
};

} // namespace neurasp::inference
