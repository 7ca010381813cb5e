// Two digits below five and their sum, small enough for the answers to be known.
#pragma once

#include "support/pulled_models.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace neurasp::test {

// Tolerance for sums of 25 products in any order.
inline constexpr double probability_tolerance = 1e-14;

inline const std::string digits_program = "img(i1). img(i2). nn(digit(1,X),[0,1,2,3,4]) :- img(X). "
                                          "sum(A+B) :- digit(0,i1,A), digit(0,i2,B).";

using Row = std::vector<double>;

inline NetworkOutputs digits(const Row &first, const Row &second) {
    NetworkOutputs outputs;
    outputs.set("digit", "i1", first).set("digit", "i2", second);
    return outputs;
}

// P(the sum is `sum`): the convolution of the rows.
inline double sum_probability(const Row &first, const Row &second, std::size_t sum) {
    double p = 0.0;
    for (std::size_t a = 0; a < 5; ++a) {
        if (sum >= a && sum - a < 5) p += first[a] * second[sum - a];
    }
    return p;
}

inline std::string observe_sum(std::size_t sum) {
    return ":- not sum(" + std::to_string(sum) + ").";
}

inline bool holds(const StableModel &model, const std::string &atom) {
    return std::find(model.atoms.begin(), model.atoms.end(), atom) != model.atoms.end();
}

} // namespace neurasp::test
