// The inner loops of circuit evaluation, for one example or for a block of examples side by side.
//
// In a block, a row has 128 bytes: one number for each example. Larger rows do not pay, because the rows of a
// circuit should stay in the nearest cache. There are loops for the vector registers of the common x86 processors,
// and the right ones are chosen when the program runs. All compute the same bits, on every machine and for every batch
// size: multiplications are not fused with additions (see CMakeLists.txt).
#pragma once

#include "circuit/layers.hpp"

#include <cstddef>

namespace neurasp::circuit {

inline constexpr std::size_t block_bytes = 128;

// Pointers to the numbers of `width` examples.
template <class Real> struct Place {
    const Real *weights = nullptr; // of input i, example k: [(i - 1) * stride + k]
    Real *gradient = nullptr;      // in the same layout
    std::size_t stride = 0;
    // By row of Layers, `width` numbers each. Requires: aligned to block_bytes if width > 1.
    Real *values = nullptr;
    Real *derivatives = nullptr;
};

template <class Real> struct Kernels {
    std::size_t width;
    // Reads the weights and fills in the values of all steps.
    void (*forward)(const Layers &layers, const Place<Real> &place);
    // Propagates `seed`, the derivatives at the root, down to the inputs and into the gradient. Sets `sums` to the sum
    // of the gradient of each example. Both hold `width` numbers, with the same alignment.
    void (*backward)(const Layers &layers, const Place<Real> &place, const Real *seed, Real *sums);
};

// Real is float, double or long double.
template <class Real> Kernels<Real> scalar_kernels();
// Real is float or double.
template <class Real> Kernels<Real> block_kernels();

// While this lives, subnormal numbers count as zero, because processors are slow on them.
class FlushSubnormals {
  public:
    FlushSubnormals() noexcept;
    ~FlushSubnormals();
    FlushSubnormals(const FlushSubnormals &) = delete;
    FlushSubnormals &operator=(const FlushSubnormals &) = delete;

  private:
    unsigned before_ = 0;
};

} // namespace neurasp::circuit
