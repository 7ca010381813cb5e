// The inner loops of batch evaluation, compiled for several kinds of vector registers.
#include "circuit/batch_kernels.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace neurasp::circuit {

namespace {

// A register of `Bytes` bytes, with arithmetic by lanes (an extension of GCC and Clang).
template <class Real, std::size_t Bytes> struct Register {
    using Type __attribute__((vector_size(Bytes))) = Real;
};
template <class Real> struct Register<Real, sizeof(Real)> { using Type = Real; };

// The loops for rows of `Count` registers each. They are inlined into functions that are compiled for one kind of
// processor and so use its registers.
template <class Real, class Lanes, std::size_t Count> struct Loops {
    // Copies between the caller's arrays, which may be unaligned, and ours.
    [[gnu::always_inline]] static void load(const Real *from, Lanes *to) {
        __builtin_memcpy(to, from, Count * sizeof(Lanes));
    }
    [[gnu::always_inline]] static void store(const Lanes *from, Real *to) {
        __builtin_memcpy(to, from, Count * sizeof(Lanes));
    }
    [[gnu::always_inline]] static Lanes *lanes(Real *numbers) {
        return reinterpret_cast<Lanes *>(numbers);
    }

    // target = the sum of the first `width` products. A known width unrolls the loop.
    [[gnu::always_inline]] static void sum(const SlotPair *term, std::size_t width,
                                           const Lanes *left, const Lanes *right, Lanes *target) {
        Lanes sum[Count];
        const Lanes *first = left + term->first * Count;
        const Lanes *second = right + term->second * Count;
        for (std::size_t i = 0; i < Count; ++i) sum[i] = first[i] * second[i];
        for (std::size_t k = 1; k < width; ++k) {
            first = left + term[k].first * Count;
            second = right + term[k].second * Count;
            for (std::size_t i = 0; i < Count; ++i) sum[i] += first[i] * second[i];
        }
        for (std::size_t i = 0; i < Count; ++i) target[i] = sum[i];
    }

    template <std::size_t Width>
    [[gnu::always_inline]] static void rows_of(const SlotPair *term, std::size_t rows,
                                               const Lanes *left, const Lanes *right,
                                               Lanes *target) {
        for (std::size_t row = 0; row < rows; ++row) {
            sum(term, Width, left, right, target);
            term += Width;
            target += Count;
        }
    }

    // Rows of sums, one behind the other from `target` on. The rows of `right` are not those of `target`.
    [[gnu::always_inline]] static void run(const LayeredSums &sums, const Lanes *left,
                                           const Lanes *right, Lanes *target) {
        const SlotPair *term = sums.terms.data();
        for (const auto [rows, width] : sums.runs) {
            switch (width) {
            case 1: rows_of<1>(term, rows, left, right, target); break;
            case 2: rows_of<2>(term, rows, left, right, target); break;
            case 3: rows_of<3>(term, rows, left, right, target); break;
            case 4: rows_of<4>(term, rows, left, right, target); break;
            default:
                for (std::size_t row = 0; row < rows; ++row) {
                    sum(term + row * width, width, left, right, target + row * Count);
                }
            }
            term += std::size_t{rows} * width;
            target += std::size_t{rows} * Count;
        }
    }

    [[gnu::always_inline]] static void forward(const Layers &layers, const Place<Real> &place) {
        Lanes *const values = lanes(place.values);
        for (const Layers::UsedInput used : layers.used_inputs()) {
            load(place.weights + (used.input - 1) * place.stride, values + used.input * Count);
        }
        run(layers.values(), values, values, values + layers.first_step() * Count);
    }

    [[gnu::always_inline]] static void backward(const Layers &layers, const Place<Real> &place,
                                                const Real *seed, Real *sums) {
        Lanes *const derivatives = lanes(place.derivatives);
        load(seed, derivatives);
        run(layers.derivatives(), derivatives, lanes(place.values), derivatives + Count);
        Lanes sum[Count];
        for (std::size_t i = 0; i < Count; ++i) sum[i] = Lanes{};
        for (const Layers::UsedInput used : layers.used_inputs()) {
            const Lanes *const from = derivatives + used.derivative * Count;
            store(from, place.gradient + (used.input - 1) * place.stride);
            for (std::size_t i = 0; i < Count; ++i) sum[i] += from[i];
        }
        store(sum, sums);
    }
};

template <class Real, std::size_t Bytes>
using BlockLoops = Loops<Real, typename Register<Real, Bytes>::Type, block_bytes / Bytes>;
template <class Real> using ScalarLoops = Loops<Real, Real, 1>;

// Defines the functions for one kind of processor.
#define NEURASP_KERNELS(name, attributes, ...)                                                     \
    template <class Real>                                                                          \
    attributes void forward_##name(const Layers &layers, const Place<Real> &place) {               \
        __VA_ARGS__::forward(layers, place);                                                       \
    }                                                                                              \
    template <class Real>                                                                          \
    attributes void backward_##name(const Layers &layers, const Place<Real> &place,                \
                                    const Real *seed, Real *sums) {                                \
        __VA_ARGS__::backward(layers, place, seed, sums);                                          \
    }

NEURASP_KERNELS(scalar, , ScalarLoops<Real>)
NEURASP_KERNELS(basic, , BlockLoops<Real, 16>)
#if defined(__x86_64__)
NEURASP_KERNELS(avx2, __attribute__((target("avx2"))), BlockLoops<Real, 32>)
NEURASP_KERNELS(avx512, __attribute__((target("avx512f"))), BlockLoops<Real, 64>)
#endif

#undef NEURASP_KERNELS

} // namespace

template <class Real> Kernels<Real> scalar_kernels() {
    return {1, forward_scalar<Real>, backward_scalar<Real>};
}

template <class Real> Kernels<Real> block_kernels() {
    constexpr std::size_t width = block_bytes / sizeof(Real);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return {width, forward_avx512<Real>, backward_avx512<Real>};
    if (__builtin_cpu_supports("avx2")) return {width, forward_avx2<Real>, backward_avx2<Real>};
#endif
    return {width, forward_basic<Real>, backward_basic<Real>};
}

#if defined(__x86_64__)
FlushSubnormals::FlushSubnormals() noexcept : before_(_mm_getcsr()) {
    constexpr unsigned results = 0x8000;
    constexpr unsigned operands = 0x0040;
    _mm_setcsr(before_ | results | operands);
}
FlushSubnormals::~FlushSubnormals() { _mm_setcsr(before_); }
#else
FlushSubnormals::FlushSubnormals() noexcept = default;
FlushSubnormals::~FlushSubnormals() = default;
#endif

template Kernels<float> scalar_kernels();
template Kernels<double> scalar_kernels();
template Kernels<long double> scalar_kernels();
template Kernels<float> block_kernels();
template Kernels<double> block_kernels();

} // namespace neurasp::circuit
