// Values and gradients of a circuit for batches of examples.
//
// The idea. Training evaluates the same circuit for many examples with different weights. So the circuit is turned once
// into layers of straight-line code (straight_line.hpp, layers.hpp), and each term is computed for a block of examples side
// by side: a row holds one number for each of 32 (float) or 16 (double) examples, and the inner loops are plain vector
// arithmetic (batch_kernels.hpp). No branch depends on a number. Values are computed in one pass forward, derivatives of
// the logarithm in one pass backward, starting with 1 / root. The derivatives of a product of two factors are the factors
// themselves, so there is no division, and weights of 0 need no special case.
//
// Range. Computing with probabilities instead of logarithms is fast, but a product of many of them may underflow. An
// example whose root lies outside of [least_root, max], or whose derivatives are not finite, is repeated with a
// wider range: float in double, again side by side; double in long double, one by one, and if even that is not enough,
// with ScaledReal (lane_evaluation.hpp). least_root is far above the smallest normal number, because terms of a small
// root may have been lost to underflow. So results are right for 1e-300 and for thousands of variables, only slower.
//
// Grouping. Full blocks come first. A rest of up to three examples is evaluated one by one, a longer one as a padded
// block. All kernels compute the same bits for an example, whatever block it is in and whatever the processor: the order
// of operations is fixed, and multiplications are not fused with additions.
//
// Invariants. Every example of a batch is evaluated in exactly one group, and at most once again. Rows that no pass
// writes (the input `one`, free atoms, constants) are filled once per program (`ready_for`).
//
// Cost. Linear in the edges of the circuit. On a layered circuit made up for the purpose, with 321 nodes, 1280 edges
// and 300 inputs, values and gradients in batches of 256 take 0.75 us per example in double and 0.36 us in float (GCC 12
// -O3, AVX-512, 2.3 GHz nominal).
//
// Tried before. A prototype in the log domain took 2 to 2.5 times as long as the linear domain (batch 32, float).
// Examples below the range of float were first repeated one by one in long double, which took 20 times as long as the
// first attempt; repeating them in double, in blocks of 32 that stay in the near cache, took a Sudoku with givens
// (P(O) near 1e-90) from 11.8 to 3.1 us per example (docs/performance.md).
#include "circuit/batch_evaluator.hpp"

#include "base/assert.hpp"
#include "neurasp/diagnostic.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

namespace neurasp::circuit {

namespace {

// The sum of a smaller root may have lost terms to underflow.
template <class Real> constexpr Real least_root = Real{};
template <> constexpr float least_root<float> = 1e-25F;
template <> constexpr double least_root<double> = 1e-250;

// Up to this many examples are faster one by one than as a block.
constexpr std::size_t most_single_examples = 3;

template <class Real> bool is_in_range(Real root) {
    return root >= least_root<Real> && root <= std::numeric_limits<Real>::max();
}

} // namespace

// Buffers for examples that are repeated in double.
template <class Real> struct BatchWorkspace<Real>::Doubles {
    BatchWorkspace<double> workspace;
    std::vector<double> weights;
    std::vector<double> log_probability;
    std::vector<double> gradient;
};

template <class Real> BatchWorkspace<Real>::BatchWorkspace() = default;
template <class Real> BatchWorkspace<Real>::~BatchWorkspace() = default;
template <class Real> BatchWorkspace<Real>::BatchWorkspace(BatchWorkspace &&) noexcept = default;

// Fills the rows that stay the same in every pass.
template <class Real> void BatchWorkspace<Real>::Rows::make_ready(const BatchProgram &program) {
    if (ready_for == program.number()) return;
    const std::size_t width = kernels.width;
    const auto make_room = [&](std::vector<Block> &buffer, std::size_t rows) {
        const std::size_t blocks = (rows * width + widest - 1) / widest;
        if (buffer.size() < blocks) buffer.resize(blocks);
    };
    make_room(values, program.layers().value_count());
    make_room(derivatives, program.layers().derivative_count());
    for (const BatchProgram::FixedRow &fixed : program.fixed_rows()) {
        std::fill_n(values.front().lanes + fixed.row * width, width,
                    static_cast<Real>(fixed.value));
    }
    ready_for = program.number(); // last, so that an exception leaves this to be done again
}

template <class Real> void BatchWorkspace<Real>::check(const Request &request) {
    if (request.weights.size() != request.rows() * request.batch)
        throw ContractError("BatchWorkspace::run: expected one row of weights for each outcome");
    if (request.log_probability.size() != request.batch)
        throw ContractError("BatchWorkspace::run: expected one log probability for each example");
    if (!request.gradient.empty() && request.gradient.size() != request.weights.size())
        throw ContractError(
            "BatchWorkspace::run: the gradient must be as large as the weights, or empty");
}

template <class Real>
void BatchWorkspace<Real>::run(const BatchProgram &program, std::span<const Real> weights,
                               std::size_t batch, std::span<Real> log_probability,
                               std::span<Real> gradient) {
    const Request request{program, weights, batch, log_probability, gradient};
    check(request);
    again_.clear();
    run_groups(request);
    if (!gradient.empty()) {
        for (const Slot input : request.layers().unused_inputs()) {
            std::fill_n(gradient.data() + (input - 1) * batch, batch, Real{});
        }
    }
    NEURASP_ASSERT(std::adjacent_find(again_.begin(), again_.end(), std::greater_equal<>()) ==
                       again_.end(),
                   "every example is evaluated in one group, and at most once again");
    if (!again_.empty()) run_again(request);
}

template <class Real> void BatchWorkspace<Real>::run_groups(const Request &request) {
    const FlushSubnormals flush;
    const std::size_t batch = request.batch;
    const auto group = [&](std::size_t first, std::size_t count) {
        return Group{request.weights.empty() ? nullptr : request.weights.data() + first,
                     request.gradient.empty() ? nullptr : request.gradient.data() + first, batch,
                     first, count};
    };
    const std::size_t rest = batch % widest;
    if (batch >= widest || rest > most_single_examples) wide_.make_ready(request.program);
    std::size_t first = 0;
    for (; batch - first >= widest; first += widest) {
        run_group(wide_, request, group(first, widest));
    }
    if (rest > most_single_examples) return run_padded(request, first);
    if (rest > 0) narrow_.make_ready(request.program);
    for (; first < batch; ++first) run_group(narrow_, request, group(first, 1));
}

template <class Real>
void BatchWorkspace<Real>::run_group(Rows &rows, const Request &request, const Group &group) {
    const std::size_t width = rows.kernels.width;
    const Layers &layers = request.layers();
    const Place<Real> place{group.weights, group.gradient, group.stride, rows.values.front().lanes,
                            rows.derivatives.front().lanes};
    rows.kernels.forward(layers, place);
    const Real *const root = place.values + layers.root() * width;
    for (std::size_t i = 0; i < group.count; ++i) {
        request.log_probability[group.first + i] = std::log(root[i]);
    }
    Block seed{};
    Block sums{};
    if (group.gradient != nullptr) {
        // d log root / d root, so that the derivatives are those of the logarithm
        for (std::size_t i = 0; i < width; ++i) {
            seed.lanes[i] = is_in_range(root[i]) ? Real{1} / root[i] : Real{};
        }
        rows.kernels.backward(layers, place, seed.lanes, sums.lanes);
    }
    for (std::size_t i = 0; i < group.count; ++i) {
        if (!is_in_range(root[i]) || !std::isfinite(sums.lanes[i]))
            again_.push_back(group.first + i);
    }
}

// Evaluates the end of a batch, which is too short for a block, in padded arrays.
template <class Real>
void BatchWorkspace<Real>::run_padded(const Request &request, std::size_t first) {
    const std::size_t count = request.batch - first;
    padded_weights_.resize(request.rows() + 1);
    padded_gradient_.resize(padded_weights_.size());
    for (const auto [input, _] : request.layers().used_inputs()) {
        std::copy_n(request.weights.data() + (input - 1) * request.batch + first, count,
                    padded_weights_[input - 1].lanes);
    }
    Real *const gradient = request.gradient.empty() ? nullptr : padded_gradient_.front().lanes;
    run_group(wide_, request, {padded_weights_.front().lanes, gradient, widest, first, count});
    if (gradient == nullptr) return;
    for (const auto [input, _] : request.layers().used_inputs()) {
        std::copy_n(padded_gradient_[input - 1].lanes, count,
                    request.gradient.data() + (input - 1) * request.batch + first);
    }
}

template <class Real> void BatchWorkspace<Real>::run_again(const Request &request) {
    if constexpr (std::is_same_v<Real, float>) {
        constexpr std::size_t most = 32; // at once, so that their numbers stay in the near cache
        const std::span<const std::size_t> examples(again_);
        for (std::size_t first = 0; first < examples.size(); first += most) {
            run_in_double(request,
                          examples.subspan(first, std::min(most, examples.size() - first)));
        }
    } else {
        for (const std::size_t example : again_) run_lane(request, example);
    }
}

template <class Real>
void BatchWorkspace<Real>::run_in_double(const Request &request,
                                         std::span<const std::size_t> examples) {
    if (!doubles_) doubles_ = std::make_unique<Doubles>();
    const std::size_t rows = request.rows();
    const std::size_t count = examples.size();
    doubles_->weights.resize(rows * count);
    doubles_->log_probability.resize(count);
    doubles_->gradient.resize(request.gradient.empty() ? 0 : rows * count);
    double *weight = doubles_->weights.data();
    for (std::size_t row = 0; row < rows; ++row) {
        const Real *const from = request.weights.data() + row * request.batch;
        for (const std::size_t example : examples) *weight++ = from[example];
    }
    doubles_->workspace.run(request.program, doubles_->weights, count, doubles_->log_probability,
                            doubles_->gradient);
    for (std::size_t k = 0; k < count; ++k) {
        request.log_probability[examples[k]] = static_cast<Real>(doubles_->log_probability[k]);
    }
    if (request.gradient.empty()) return;
    constexpr double largest = std::numeric_limits<Real>::max();
    const double *derivative = doubles_->gradient.data();
    for (std::size_t row = 0; row < rows; ++row) {
        Real *const to = request.gradient.data() + row * request.batch;
        for (const std::size_t example : examples) {
            to[example] = static_cast<Real>(std::min(*derivative++, largest));
        }
    }
}

template <class Real>
void BatchWorkspace<Real>::run_lane(const Request &request, std::size_t example) {
    if (!lane_ || lane_->circuit() != request.program.circuit()) {
        lane_ = std::make_unique<LaneEvaluation>(request.program.circuit(), request.layers());
    }
    std::vector<long double> &weights = lane_->weights();
    for (std::size_t row = 0; row < weights.size(); ++row) {
        weights[row] = request.weights[row * request.batch + example];
    }
    lane_->run(request.layers(), !request.gradient.empty());
    request.log_probability[example] = static_cast<Real>(lane_->log_value());
    if (request.gradient.empty()) return;
    for (std::size_t row = 0; row < weights.size(); ++row) {
        const double d = std::min<double>(lane_->gradient()[row], std::numeric_limits<Real>::max());
        request.gradient[row * request.batch + example] = static_cast<Real>(d);
    }
}

template class BatchWorkspace<float>;
template class BatchWorkspace<double>;

} // namespace neurasp::circuit
