// Whether numbers are a probability distribution: rows of network outputs, probabilities of a rule (specification 5).
#pragma once

#include <cmath>
#include <span>

namespace neurasp::base {

// How far the sum of a row may be from 1: networks compute in float.
inline constexpr double row_sum_tolerance = 1e-3;

// Whether a row with this sum may be a distribution; false for NaN.
inline bool sums_to_one(double sum) { return std::abs(sum - 1.0) <= row_sum_tolerance; }

// Whether the numbers are finite, not negative, and sum to 1 (in double).
template <class Real> bool is_distribution(std::span<const Real> numbers) {
    double sum = 0.0;
    for (const Real number : numbers) {
        if (!(number >= Real(0))) return false; // negative or NaN
        sum += static_cast<double>(number);
    }
    return sums_to_one(sum);
}

} // namespace neurasp::base
