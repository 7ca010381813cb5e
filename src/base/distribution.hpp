// What counts as a probability distribution: the rows of network outputs, the numbers of a rule (specification 5).
#pragma once

#include <cmath>
#include <span>

namespace neurasp::base {

// How far from 1 a row may sum: networks compute in floats.
inline constexpr double row_sum_tolerance = 1e-3;

// Whether a row with this sum may be a distribution. Not so for NaN.
inline bool sums_to_one(double sum) { return std::abs(sum - 1.0) <= row_sum_tolerance; }

// Whether the numbers are not negative, finite, and sum to 1. The sum is taken in double.
template <class Real> bool is_distribution(std::span<const Real> numbers) {
    double sum = 0.0;
    for (const Real number : numbers) {
        if (!(number >= Real(0))) return false; // NaN, too
        sum += static_cast<double>(number);
    }
    return sums_to_one(sum);
}

} // namespace neurasp::base
