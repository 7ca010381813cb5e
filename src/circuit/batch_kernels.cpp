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

// The loops for slots of `Count` registers each. They are inlined into functions that are compiled for one kind of
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

    [[gnu::always_inline]] static void forward(const TermStream &stream, const Place<Real> &place) {
        Lanes *const values = lanes(place.values);
        for (const Slot input : stream.used_inputs) {
            load(place.weights + (input - 1) * place.stride, values + input * Count);
        }
        const Term *term = stream.forward.data();
        const Term *const end = term + stream.forward.size();
        while (term != end) {
            Lanes sum[Count];
            Lanes *const target = values + term->target * Count;
            const Lanes *first = values + term->first * Count;
            const Lanes *second = values + term->second * Count;
            for (std::size_t i = 0; i < Count; ++i) sum[i] = first[i] * second[i];
            for (++term; term != end && term->continues != 0; ++term) {
                first = values + term->first * Count;
                second = values + term->second * Count;
                for (std::size_t i = 0; i < Count; ++i) sum[i] += first[i] * second[i];
            }
            for (std::size_t i = 0; i < Count; ++i) target[i] = sum[i];
        }
    }

    [[gnu::always_inline]] static void propagate(const TermStream &stream,
                                                 const Lanes *__restrict values,
                                                 Lanes *__restrict derivatives) {
        for (const Term &term : stream.pairs) {
            const std::size_t first = term.first * Count;
            const std::size_t second = term.second * Count;
            const std::size_t target = term.target * Count;
            for (std::size_t i = 0; i < Count; ++i) {
                const Lanes above = derivatives[target + i];
                derivatives[first + i] += above * values[second + i];
                derivatives[second + i] += above * values[first + i];
            }
        }
        for (const Term &term : stream.singles) {
            const Lanes *const above = derivatives + term.target * Count;
            Lanes *const below = derivatives + term.first * Count;
            for (std::size_t i = 0; i < Count; ++i) below[i] += above[i];
        }
    }

    [[gnu::always_inline]] static void backward(const TermStream &stream, const Place<Real> &place,
                                                const Real *seed, Real *sums) {
        Lanes *const derivatives = lanes(place.derivatives);
        for (std::size_t i = 0; i < stream.slot_count * Count; ++i) derivatives[i] = Lanes{};
        load(seed, derivatives + stream.root * Count);
        propagate(stream, lanes(place.values), derivatives);
        Lanes sum[Count];
        for (std::size_t i = 0; i < Count; ++i) sum[i] = Lanes{};
        for (const Slot input : stream.used_inputs) {
            const Lanes *const from = derivatives + input * Count;
            store(from, place.gradient + (input - 1) * place.stride);
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
    attributes void forward_##name(const TermStream &stream, const Place<Real> &place) {           \
        __VA_ARGS__::forward(stream, place);                                                       \
    }                                                                                              \
    template <class Real>                                                                          \
    attributes void backward_##name(const TermStream &stream, const Place<Real> &place,            \
                                    const Real *seed, Real *sums) {                                \
        __VA_ARGS__::backward(stream, place, seed, sums);                                          \
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
