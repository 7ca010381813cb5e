#include "circuit/batch_evaluator.hpp"

#include "neurasp/diagnostic.hpp"

#include <algorithm>
#include <cmath>
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

template <class Real>
BatchEvaluator<Real>::Workspace::Workspace(const Circuit &circuit, const TermStream &stream,
                                           Kernels<Real> loops)
    : kernels(loops), values((stream.slot_count * loops.width + widest - 1) / widest),
      derivatives(values.size()) {
    // Steps without terms stay 0 for ever, as do `one`, free atoms and constants what they are.
    Real *next = values.front().lanes;
    next = std::fill_n(next, circuit.first_constant() * kernels.width, Real{1});
    for (const base::ScaledReal &constant : circuit.constants()) {
        next = std::fill_n(next, kernels.width, static_cast<Real>(constant.to_double()));
    }
}

template <class Real>
BatchEvaluator<Real>::BatchEvaluator(std::shared_ptr<const Circuit> circuit)
    : circuit_(std::move(circuit)), stream_(StraightLine(*circuit_)) {}

// Examples once more in double, and room for their numbers.
template <class Real> struct BatchEvaluator<Real>::Doubles {
    explicit Doubles(const std::shared_ptr<const Circuit> &circuit) : evaluator(circuit) {}

    BatchEvaluator<double> evaluator;
    std::vector<double> weights;
    std::vector<double> log_probability;
    std::vector<double> gradient;
};

template <class Real> BatchEvaluator<Real>::~BatchEvaluator() = default;
template <class Real> BatchEvaluator<Real>::BatchEvaluator(BatchEvaluator &&) noexcept = default;

template <class Real> typename BatchEvaluator<Real>::Workspace &BatchEvaluator<Real>::wide() {
    if (!wide_) wide_.emplace(*circuit_, stream_, block_kernels<Real>());
    return *wide_;
}

template <class Real> typename BatchEvaluator<Real>::Workspace &BatchEvaluator<Real>::narrow() {
    if (!narrow_) narrow_.emplace(*circuit_, stream_, scalar_kernels<Real>());
    return *narrow_;
}

template <class Real> void BatchEvaluator<Real>::check(const Request &request) const {
    const std::size_t rows = circuit_->random_input_count();
    if (request.weights.size() != rows * request.batch)
        throw ContractError("BatchEvaluator::run: one row of weights for each outcome");
    if (request.log_probability.size() != request.batch)
        throw ContractError("BatchEvaluator::run: one log probability for each example");
    if (!request.gradient.empty() && request.gradient.size() != request.weights.size())
        throw ContractError(
            "BatchEvaluator::run: the gradient is as large as the weights, or empty");
}

template <class Real>
void BatchEvaluator<Real>::run(std::span<const Real> weights, std::size_t batch,
                               std::span<Real> log_probability, std::span<Real> gradient) {
    const Request request{weights, batch, log_probability, gradient};
    check(request);
    again_.clear();
    {
        const FlushSubnormals flush;
        const auto group = [&](std::size_t first, std::size_t count) {
            return Group{weights.empty() ? nullptr : weights.data() + first,
                         gradient.empty() ? nullptr : gradient.data() + first, batch, first, count};
        };
        std::size_t first = 0;
        for (; batch - first >= widest; first += widest) {
            run_group(wide(), request, group(first, widest));
        }
        if (batch - first > most_single_examples) {
            run_padded(request, first);
        } else {
            for (; first < batch; ++first) run_group(narrow(), request, group(first, 1));
        }
    }
    if (!gradient.empty()) {
        for (const Slot input : stream_.unused_inputs) {
            std::fill_n(gradient.data() + (input - 1) * batch, batch, Real{});
        }
    }
    if (!again_.empty()) run_again(request);
}

template <class Real>
void BatchEvaluator<Real>::run_group(Workspace &space, const Request &request, const Group &group) {
    const std::size_t width = space.kernels.width;
    const Place<Real> place{group.weights, group.gradient, group.stride, space.values.front().lanes,
                            space.derivatives.front().lanes};
    space.kernels.forward(stream_, place);
    const Real *const root = place.values + stream_.root * width;
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
        space.kernels.backward(stream_, place, seed.lanes, sums.lanes);
    }
    for (std::size_t i = 0; i < group.count; ++i) {
        if (!is_in_range(root[i]) || !std::isfinite(sums.lanes[i]))
            again_.push_back(group.first + i);
    }
}

// The end of a batch, too short for a block: by way of arrays that are long enough.
template <class Real>
void BatchEvaluator<Real>::run_padded(const Request &request, std::size_t first) {
    const std::size_t count = request.batch - first;
    padded_weights_.resize(circuit_->random_input_count() + 1);
    padded_gradient_.resize(padded_weights_.size());
    for (const Slot input : stream_.used_inputs) {
        std::copy_n(request.weights.data() + (input - 1) * request.batch + first, count,
                    padded_weights_[input - 1].lanes);
    }
    Real *const gradient = request.gradient.empty() ? nullptr : padded_gradient_.front().lanes;
    run_group(wide(), request, {padded_weights_.front().lanes, gradient, widest, first, count});
    if (gradient == nullptr) return;
    for (const Slot input : stream_.used_inputs) {
        std::copy_n(padded_gradient_[input - 1].lanes, count,
                    request.gradient.data() + (input - 1) * request.batch + first);
    }
}

template <class Real> void BatchEvaluator<Real>::run_again(const Request &request) {
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
void BatchEvaluator<Real>::run_in_double(const Request &request,
                                         std::span<const std::size_t> examples) {
    if (!doubles_) doubles_ = std::make_unique<Doubles>(circuit_);
    const std::size_t rows = circuit_->random_input_count();
    const std::size_t count = examples.size();
    doubles_->weights.resize(rows * count);
    doubles_->log_probability.resize(count);
    doubles_->gradient.resize(request.gradient.empty() ? 0 : rows * count);
    double *weight = doubles_->weights.data();
    for (std::size_t row = 0; row < rows; ++row) {
        const Real *const from = request.weights.data() + row * request.batch;
        for (const std::size_t example : examples) *weight++ = from[example];
    }
    doubles_->evaluator.run(doubles_->weights, count, doubles_->log_probability,
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
void BatchEvaluator<Real>::run_lane(const Request &request, std::size_t example) {
    if (!lane_) lane_ = std::make_unique<LaneEvaluation>(circuit_, stream_);
    std::vector<long double> &weights = lane_->weights();
    for (std::size_t row = 0; row < weights.size(); ++row) {
        weights[row] = request.weights[row * request.batch + example];
    }
    lane_->run(stream_, !request.gradient.empty());
    request.log_probability[example] = static_cast<Real>(lane_->log_value());
    if (request.gradient.empty()) return;
    for (std::size_t row = 0; row < weights.size(); ++row) {
        const double d = std::min<double>(lane_->gradient()[row], std::numeric_limits<Real>::max());
        request.gradient[row * request.batch + example] = static_cast<Real>(d);
    }
}

template class BatchEvaluator<float>;
template class BatchEvaluator<double>;

} // namespace neurasp::circuit
