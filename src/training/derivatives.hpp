// Arithmetic on derivatives of log P(O): estimates from total choices, and finite values.
#pragma once

#include "neurasp/circuit.hpp"
#include "training/prepared.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>

namespace neurasp::training {

// Limits a derivative to a finite range: with respect to a probability of 0 it is unbounded, and infinity would become
// NaN behind a saturated sigmoid or softmax.
template <class Real> Real finite(double derivative) {
    // near the largest number, but with room for a factor of the layer above
    constexpr double greatest = std::is_same_v<Real, float> ? 1e37 : 1e300;
    if (std::isnan(derivative)) return Real{};
    return static_cast<Real>(std::clamp(derivative, -greatest, greatest));
}

// Estimates the derivatives of log P(O) from total choices that represent the distribution given O (algorithms 2 to 4 of
// the paper's appendix D, with each choice counted once): for an outcome of probability p, the share of the choices that
// have it, divided by p. With `weigh`, choices count in proportion to their probabilities. `inputs` and `gradient` have
// one number per input.
void gradient_from_choices(std::span<const NumberSource> sources,
                           std::span<const WeightedChoice> choices, bool weigh,
                           std::span<const double> inputs, std::span<double> gradient);

} // namespace neurasp::training
