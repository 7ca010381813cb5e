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

// A smaller root may have lost parts of its sum to underflow.
template <class Real> constexpr Real least_root = Real{};
template <> constexpr float least_root<float> = 1e-25F;
template <> constexpr double least_root<double> = 1e-250;

// So few examples are faster one by one than as a block.
constexpr std::size_t most_single_examples = 3;

template <class Real> bool is_in_range(Real root) {
    return root >= least_root<Real> && root <= std::numeric_limits<Real>::max();
}

} // namespace

// Examples once more in double, and room for their numbers.
template <class Real> struct BatchWorkspace<Real>::Doubles {
    BatchWorkspace<double> workspace;
    std::vector<double> weights;
    std::vector<double> log_probability;
    std::vector<double> gradient;
};

template <class Real> BatchWorkspace<Real>::BatchWorkspace() = default;
template <class Real> BatchWorkspace<Real>::~BatchWorkspace() = default;
template <class Real> BatchWorkspace<Real>::BatchWorkspace(BatchWorkspace &&) noexcept = default;

// What is neither read nor computed in every pass.
template <class Real> void BatchWorkspace<Real>::Slots::make_ready(const BatchProgram &program) {
    if (ready_for == program.number()) return;
    const std::size_t width = kernels.width;
    const std::size_t blocks = (program.stream().slot_count * width + widest - 1) / widest;
    if (values.size() < blocks) values.resize(blocks);
    if (derivatives.size() < blocks) derivatives.resize(blocks);
    for (const BatchProgram::FixedSlot &fixed : program.fixed_slots()) {
        std::fill_n(values.front().lanes + fixed.slot * width, width,
                    static_cast<Real>(fixed.value));
    }
    ready_for = program.number(); // last: whatever throws before leaves it to be done again
}

template <class Real> void BatchWorkspace<Real>::check(const Request &request) {
    if (request.weights.size() != request.rows() * request.batch)
        throw ContractError("BatchWorkspace::run: one row of weights for each outcome");
    if (request.log_probability.size() != request.batch)
        throw ContractError("BatchWorkspace::run: one log probability for each example");
    if (!request.gradient.empty() && request.gradient.size() != request.weights.size())
        throw ContractError(
            "BatchWorkspace::run: the gradient is as large as the weights, or empty");
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
        for (const Slot input : request.stream().unused_inputs) {
            std::fill_n(gradient.data() + (input - 1) * batch, batch, Real{});
        }
    }
    NEURASP_ASSERT(std::adjacent_find(again_.begin(), again_.end(), std::greater_equal<>()) ==
                       again_.end(),
                   "every example is done in one group, and at most once again");
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
void BatchWorkspace<Real>::run_group(Slots &slots, const Request &request, const Group &group) {
    const std::size_t width = slots.kernels.width;
    const TermStream &stream = request.stream();
    const Place<Real> place{group.weights, group.gradient, group.stride, slots.values.front().lanes,
                            slots.derivatives.front().lanes};
    slots.kernels.forward(stream, place);
    const Real *const root = place.values + stream.root * width;
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
        slots.kernels.backward(stream, place, seed.lanes, sums.lanes);
    }
    for (std::size_t i = 0; i < group.count; ++i) {
        if (!is_in_range(root[i]) || !std::isfinite(sums.lanes[i]))
            again_.push_back(group.first + i);
    }
}

// The end of a batch, too short for a block: by way of arrays that are long enough.
template <class Real>
void BatchWorkspace<Real>::run_padded(const Request &request, std::size_t first) {
    const std::size_t count = request.batch - first;
    padded_weights_.resize(request.rows() + 1);
    padded_gradient_.resize(padded_weights_.size());
    for (const Slot input : request.stream().used_inputs) {
        std::copy_n(request.weights.data() + (input - 1) * request.batch + first, count,
                    padded_weights_[input - 1].lanes);
    }
    Real *const gradient = request.gradient.empty() ? nullptr : padded_gradient_.front().lanes;
    run_group(wide_, request, {padded_weights_.front().lanes, gradient, widest, first, count});
    if (gradient == nullptr) return;
    for (const Slot input : request.stream().used_inputs) {
        std::copy_n(padded_gradient_[input - 1].lanes, count,
                    request.gradient.data() + (input - 1) * request.batch + first);
    }
}

template <class Real> void BatchWorkspace<Real>::run_again(const Request &request) {
    if constexpr (std::is_same_v<Real, float>) {
        constexpr std::size_t most = 32; // at once, so that their numbers stay in a near cache
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
        lane_ = std::make_unique<LaneEvaluation>(request.program.circuit(), request.stream());
    }
    std::vector<long double> &weights = lane_->weights();
    for (std::size_t row = 0; row < weights.size(); ++row) {
        weights[row] = request.weights[row * request.batch + example];
    }
    lane_->run(request.stream(), !request.gradient.empty());
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
