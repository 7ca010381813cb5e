// The gradient convention of the paper's Proposition 1: when the probability of one outcome grows, those of all
// other outcomes of the random variable shrink by the same amount.
#pragma once

#include <cstddef>

namespace neurasp::base {

// Turns the partial derivatives with respect to the outcomes of one random variable, `stride` numbers apart, into
// derivatives in that convention: each minus the sum of the others.
template <class Real>
void absorb_changes(Real *derivatives, std::size_t outcomes, std::size_t stride = 1) {
    Real sum = 0;
    for (std::size_t o = 0; o < outcomes; ++o) sum += derivatives[o * stride];
    for (std::size_t o = 0; o < outcomes; ++o) {
        Real &value = derivatives[o * stride];
        value -= sum - value;
    }
}

} // namespace neurasp::base
