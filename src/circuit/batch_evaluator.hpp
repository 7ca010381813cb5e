// Evaluates a circuit for many examples at once: log P and d log P / d weight.
//
// Plain floating point, linear domain, blocks of examples side by side (batch_kernels.hpp);
// products are differentiated without division, so zero weights need no care. Examples whose root
// value comes near the end of the range of Real, or above it, are done again with a wider range: of
// float in double, of double one by one (lane_evaluation.hpp). The answer is right for 1e-300 and for
// thousands of variables, only slower.
//
// Invariant: every example of a batch is done in exactly one group, and at most once
// again.
//
// Cost: on a made-up layered circuit of 321 nodes, 1280 edges and 300 inputs, values and gradients,
// batch 256: 0.75 us per example in double, 0.36 us in float (GCC 12 -O3, AVX-512, 2.3 GHz nominal).
#pragma once

#include "circuit/batch_kernels.hpp"
#include "circuit/batch_program.hpp"
#include "circuit/lane_evaluation.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace neurasp::circuit {

// The numbers of evaluations. Real is float or double. For one thread at a time, and for any number of circuits
// one after the other: buffers grow to what the largest one needs.
template <class Real> class BatchWorkspace {
  public:
    BatchWorkspace();
    ~BatchWorkspace();
    BatchWorkspace(BatchWorkspace &&) noexcept;

    // `weights` and `gradient` hold random_input_count() rows of `batch` numbers; row i is about
    // input i + 1. `log_probability` is minus infinity where the value is 0, and the gradient is 0
    // there. `gradient` may be empty. An example with a weight that is negative or not finite may
    // get NaN; a gradient beyond the range of Real becomes its largest number. The numbers of an
    // example do not depend on the batch that it is in, nor on what was evaluated before.
    // Throws: ContractError if a size does not fit.
    void run(const BatchProgram &program, std::span<const Real> weights, std::size_t batch,
             std::span<Real> log_probability, std::span<Real> gradient);

  private:
    static constexpr std::size_t widest = block_bytes / sizeof(Real);
    struct alignas(block_bytes) Block {
        Real lanes[widest];
    };
    // Slots for `kernels.width` examples.
    struct Slots {
        Kernels<Real> kernels;
        std::vector<Block> values = {};
        std::vector<Block> derivatives = {};
        std::uint64_t ready_for = 0; // number of a program

        void make_ready(const BatchProgram &program);
    };
    // Some examples that lie side by side, `first` and the following; only the first `count` are
    // real.
    struct Group {
        const Real *weights;
        Real *gradient; // or null
        std::size_t stride;
        std::size_t first;
        std::size_t count;
    };
    // What a call is about.
    struct Request {
        const BatchProgram &program;
        std::span<const Real> weights;
        std::size_t batch;
        std::span<Real> log_probability;
        std::span<Real> gradient;

        std::size_t rows() const { return program.circuit()->random_input_count(); }
        const TermStream &stream() const { return program.stream(); }
    };

    struct Doubles;

    static void check(const Request &request);
    void run_groups(const Request &request);
    void run_group(Slots &slots, const Request &request, const Group &group);
    void run_padded(const Request &request, std::size_t first);
    void run_again(const Request &request);
    void run_in_double(const Request &request, std::span<const std::size_t> examples);
    void run_lane(const Request &request, std::size_t example);

    Slots wide_{block_kernels<Real>()};
    Slots narrow_{scalar_kernels<Real>()};
    std::vector<Block> padded_weights_; // by random input, for the end of a batch
    std::vector<Block> padded_gradient_;
    std::unique_ptr<LaneEvaluation> lane_; // for double
    std::unique_ptr<Doubles> doubles_;     // for float
    std::vector<std::size_t> again_;       // examples of this call that need it
};

// One circuit with buffers of its own.
template <class Real> class BatchEvaluator {
  public:
    explicit BatchEvaluator(std::shared_ptr<const Circuit> circuit)
        : program_(std::move(circuit)) {}

    const Circuit &circuit() const noexcept { return *program_.circuit(); }
    void run(std::span<const Real> weights, std::size_t batch, std::span<Real> log_probability,
             std::span<Real> gradient) {
        workspace_.run(program_, weights, batch, log_probability, gradient);
    }

  private:
    BatchProgram program_;
    BatchWorkspace<Real> workspace_;
};

extern template class BatchWorkspace<float>;
extern template class BatchWorkspace<double>;

} // namespace neurasp::circuit
