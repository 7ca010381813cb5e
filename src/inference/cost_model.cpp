// Costs of outcomes in fixed point.
//
// Branch and bound adds the costs of thousands of outcomes and compares the sum with a limit. In floating point,
// the sum would depend on the order of additions, and clasp's search adds and removes outcomes in any order; a
// bound that drifts could prune the best model. So a cost is an integer of 128 bits, in units of 2^-60, and sums
// are exact.
//
// An outcome costs log(largest / p), where `largest` is the greatest probability of its variable. So costs are
// never negative, the cheapest choice costs 0, and a variable adds nothing until its best outcome is excluded.
// The least positive double costs about 744 (1074 ln 2), or 2^70 units, so even millions of variables stay below
// `finite` (2^99). An outcome of probability 0 costs `forbidden` (2^100), more than any sum of finite costs.
//
// Each cost is rounded once, by at most half a unit, and dividing by Num(C) adds log Num(C). Costs only prune;
// the ranking itself compares products as ScaledReal (docs/adr/0011-scaled-real.md).
#include "inference/cost_model.hpp"

#include <algorithm>
#include <cmath>

namespace neurasp::inference {

namespace {

constexpr long double unit = 1152921504606846976.0L; // 2^60

// Requires: nats is not negative.
Cost to_cost(long double nats) { return static_cast<Cost>(nats * unit + 0.5L); }

} // namespace

CostModel::CostModel(const SearchProblem &problem, const Weights &weights) {
    for (std::size_t g = 0; g < problem.groups().size(); ++g) {
        const std::size_t variable = problem.variables()[g];
        const auto row = weights.probabilities(variable);
        const double largest = *std::max_element(row.begin(), row.end());
        asp::CostBound::Group group{problem.groups()[g], {}};
        for (const double p : row) {
            group.costs.push_back(p > 0.0 ? to_cost(std::log(static_cast<long double>(largest) / p))
                                          : forbidden);
        }
        best_ *= ScaledReal(static_cast<long double>(largest));
        groups_.push_back(std::move(group));
    }
}

Cost CostModel::of(const TotalChoice &choice) const {
    Cost sum = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) sum += groups_[g].costs[choice[g]];
    return sum;
}

Cost CostModel::of_division(std::uint64_t number) {
    return to_cost(std::log(static_cast<long double>(number)));
}

Cost CostModel::of_ratio(long double relative) { return to_cost(relative); }

} // namespace neurasp::inference
