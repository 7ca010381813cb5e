// Evaluates a circuit for many examples at once: log P and d log P / d weight.
//
// Plain floating point, linear domain, blocks of examples side by side (batch_kernels.hpp);
// products are differentiated without division, so zero weights need no care. Examples whose root
// value comes near the end of the range of Real, or above it, are done again with a wider range: of
// float in double, of double one by one (lane_evaluation.hpp). The answer is right for 1e-300 and for
// thousands of variables, only slower.
//
// Cost: on a made-up layered circuit of 321 nodes, 1280 edges and 300 inputs, values and gradients,
// batch 256: 0.75 us per example in double, 0.36 us in float (GCC 12 -O3, AVX-512, 2.3 GHz nominal).
#pragma once

#include "circuit/batch_kernels.hpp"
#include "circuit/circuit.hpp"
#include "circuit/lane_evaluation.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace neurasp::circuit {

// Real is float or double. Not for several threads at once: the buffers belong to the object.
template <class Real> class BatchEvaluator {
  public:
    explicit BatchEvaluator(std::shared_ptr<const Circuit> circuit);
    ~BatchEvaluator();
    BatchEvaluator(BatchEvaluator &&) noexcept;

    const Circuit &circuit() const noexcept { return *circuit_; }

    // `weights` and `gradient` hold circuit().random_input_count() rows of `batch` numbers; row i
    // is about input i + 1. `log_probability` is minus infinity where the value is 0, and the
    // gradient is 0 there. `gradient` may be empty. An example with a weight that is negative or
    // not finite may get NaN; a gradient beyond the range of Real becomes its largest number. The
    // numbers of an example do not depend on the batch that it is in. Throws: ContractError if a
    // size does not fit.
    void run(std::span<const Real> weights, std::size_t batch, std::span<Real> log_probability,
             std::span<Real> gradient);

  private:
    static constexpr std::size_t widest = block_bytes / sizeof(Real);
    struct alignas(block_bytes) Block {
        Real lanes[widest];
    };
    // Buffers for `kernels.width` examples.
    struct Workspace {
        Workspace(const Circuit &circuit, const TermStream &stream, Kernels<Real> loops);

        Kernels<Real> kernels;
        std::vector<Block> values;
        std::vector<Block> derivatives;
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
        std::span<const Real> weights;
        std::size_t batch;
        std::span<Real> log_probability;
        std::span<Real> gradient;
    };

    struct Doubles;

    void check(const Request &request) const;
    Workspace &wide();
    Workspace &narrow();
    void run_group(Workspace &space, const Request &request, const Group &group);
    void run_padded(const Request &request, std::size_t first);
    void run_again(const Request &request);
    void run_in_double(const Request &request, std::span<const std::size_t> examples);
    void run_lane(const Request &request, std::size_t example);

    std::shared_ptr<const Circuit> circuit_;
    TermStream stream_;
    // Made when they are needed: there may be many evaluators that see one example at a time.
    std::optional<Workspace> wide_;
    std::optional<Workspace> narrow_;
    std::vector<Block> padded_weights_; // by random input, for the end of a batch
    std::vector<Block> padded_gradient_;
    std::unique_ptr<LaneEvaluation> lane_; // for double
    std::unique_ptr<Doubles> doubles_;     // for float
    std::vector<std::size_t> again_;       // examples of this call that need it
};

extern template class BatchEvaluator<float>;
extern template class BatchEvaluator<double>;

} // namespace neurasp::circuit
