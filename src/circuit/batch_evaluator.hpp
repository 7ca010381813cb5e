// Evaluates a circuit for many examples at once: log P and d log P / d weight.
//
// Computes in plain floating point, in blocks of examples side by side; examples that leave the range of Real
// are repeated with a wider range. batch_evaluator.cpp explains how.
//
// Invariant: every example of a batch is evaluated in exactly one group, and at most once again.
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

// The buffers of evaluations. Real is float or double. For one thread at a time, but for any number of circuits in
// turn: buffers grow to the size that the largest circuit needs.
template <class Real> class BatchWorkspace {
  public:
    BatchWorkspace();
    ~BatchWorkspace();
    BatchWorkspace(BatchWorkspace &&) noexcept;

    // `weights` and `gradient` hold random_input_count() rows of `batch` numbers; row i belongs to input i + 1. If a
    // value is 0, `log_probability` is minus infinity and the gradient is 0. `gradient` may be empty. If a weight is
    // negative or not finite, results of that example may be NaN. A gradient beyond the range of Real becomes the
    // largest number of Real. Results of an example depend neither on the other examples of the batch nor on
    // earlier evaluations.
    // Throws: ContractError if a size does not fit.
    void run(const BatchProgram &program, std::span<const Real> weights, std::size_t batch,
             std::span<Real> log_probability, std::span<Real> gradient);

  private:
    static constexpr std::size_t widest = block_bytes / sizeof(Real);
    struct alignas(block_bytes) Block {
        Real lanes[widest];
    };
    // Rows for `kernels.width` examples.
    struct Rows {
        Kernels<Real> kernels;
        std::vector<Block> values = {};
        std::vector<Block> derivatives = {};
        std::uint64_t ready_for = 0; // number of the program whose fixed rows are filled in

        void make_ready(const BatchProgram &program);
    };
    // A block of examples, from `first` on; only the first `count` are examples, the others are padding.
    struct Group {
        const Real *weights;
        Real *gradient; // or null
        std::size_t stride;
        std::size_t first;
        std::size_t count;
    };
    // The arguments of run().
    struct Request {
        const BatchProgram &program;
        std::span<const Real> weights;
        std::size_t batch;
        std::span<Real> log_probability;
        std::span<Real> gradient;

        std::size_t rows() const { return program.circuit()->random_input_count(); }
        const Layers &layers() const { return program.layers(); }
    };

    struct Doubles;

    static void check(const Request &request);
    void run_groups(const Request &request);
    void run_group(Rows &rows, const Request &request, const Group &group);
    void run_padded(const Request &request, std::size_t first);
    void run_again(const Request &request);
    void run_in_double(const Request &request, std::span<const std::size_t> examples);
    void run_lane(const Request &request, std::size_t example);

    Rows wide_{block_kernels<Real>()};
    Rows narrow_{scalar_kernels<Real>()};
    std::vector<Block> padded_weights_; // by random input, for the end of a batch
    std::vector<Block> padded_gradient_;
    std::unique_ptr<LaneEvaluation> lane_; // for double
    std::unique_ptr<Doubles> doubles_;     // for float
    std::vector<std::size_t> again_;       // examples of this call that must be repeated
};

// A circuit with its own buffers.
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
