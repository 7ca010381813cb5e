// Small pieces of arithmetic on derivatives of log P(O).
#pragma once

#include "neurasp/circuit.hpp"
#include "training/prepared.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>

namespace neurasp::training {

// A derivative that is finite, also once it is multiplied by what stands above it: beside a probability of 0 it
// has no bound, and infinity would become NaN behind a saturated sigmoid or softmax.
template <class Real> Real finite(double derivative) {
    // smaller ones would cut derivatives that a Real can hold
    constexpr double greatest = std::is_same_v<Real, float> ? 1e37 : 1e300;
    if (std::isnan(derivative)) return Real{};
    return static_cast<Real>(std::clamp(derivative, -greatest, greatest));
}

// The derivatives of log P(O) from total choices that stand for the distribution given O (algorithms 2 to 4
// of the paper's appendix D, each choice weighed once): for an outcome of probability p, the share of the
// choices that have it, divided by p. `inputs` and `gradient` have one number per input.
void gradient_from_choices(std::span<const NumberSource> sources,
                           std::span<const WeightedChoice> choices, bool weigh,
                           std::span<const double> inputs, std::span<double> gradient);

} // namespace neurasp::training
