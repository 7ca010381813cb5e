// Probabilities as costs: -log of each outcome's probability relative to its variable's best one, in
// units of 2^-60. Fixed point makes sums exact, so bounds in the search never drift; the resolution is
// finer than what can tell two products of doubles apart.
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
    // A difference of `relative` in probability, as a cost.
    static Cost of_ratio(long double relative);
    // The product of every variable's largest probability: what cost 0 stands for.
    const ScaledReal &best() const noexcept { return best_; }

  private:
    std::vector<asp::CostBound::Group> groups_;
    ScaledReal best_{1.0L};
};

} // namespace neurasp::inference
