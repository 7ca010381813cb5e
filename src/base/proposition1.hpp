// The gradient convention of the paper's Proposition 1: a change of one outcome's probability is taken from
// all other outcomes of the random variable alike.
#pragma once

#include <cstddef>

namespace neurasp::base {

// Turns the partial derivatives by the outcomes of one random variable, which stand `stride` numbers apart,
// into the derivatives of that convention: each one less the sum of the others.
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
