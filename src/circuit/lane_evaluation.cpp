// One example in long double, or in ScaledReal if that is not enough.
#include "circuit/lane_evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace neurasp::circuit {

using base::ScaledReal;

namespace {

// The sum of a smaller root may have lost terms to underflow.
constexpr long double least_value = std::numeric_limits<long double>::min() * 1e100L;
constexpr double largest = std::numeric_limits<double>::max();

// A constant that is too large becomes infinite; so does the root, which run_long_double() checks.
long double to_long_double(const ScaledReal &x) {
    constexpr std::int64_t limit = 100'000;
    const auto exponent = static_cast<int>(std::clamp(x.exponent(), -limit, limit));
    return std::ldexp(x.mantissa(), exponent);
}

} // namespace

LaneEvaluation::LaneEvaluation(std::shared_ptr<const Circuit> circuit, const Layers &layers)
    : circuit_(std::move(circuit)), weights_(circuit_->random_input_count(), 0.0L),
      values_(layers.value_count(), 0.0L), derivatives_(layers.derivative_count(), 0.0L),
      long_gradient_(circuit_->random_input_count(), 0.0L),
      gradient_(circuit_->random_input_count(), 0.0) {
    std::fill_n(values_.begin(), circuit_->first_constant(), 1.0L);
    std::transform(circuit_->constants().begin(), circuit_->constants().end(),
                   values_.begin() + circuit_->first_constant(), to_long_double);
}

void LaneEvaluation::run(const Layers &layers, bool differentiate) {
    const auto is_weight = [](long double w) { return w >= 0.0L && std::isfinite(w); };
    if (!std::all_of(weights_.begin(), weights_.end(), is_weight)) {
        log_value_ = std::numeric_limits<double>::quiet_NaN();
        std::fill(gradient_.begin(), gradient_.end(), log_value_);
    } else if (!run_long_double(layers, differentiate)) {
        run_exactly(differentiate);
    }
}

// False if the range of long double was not enough.
bool LaneEvaluation::run_long_double(const Layers &layers, bool differentiate) {
    const Place<long double> place{weights_.data(), long_gradient_.data(), 1, values_.data(),
                                   derivatives_.data()};
    kernels_.forward(layers, place);
    const long double root = values_[layers.root()];
    if (!(root >= least_value) || !std::isfinite(root)) return false;
    log_value_ = static_cast<double>(std::log(root));
    if (!differentiate) return true;
    const long double seed = 1.0L / root;
    long double sum = 0.0L;
    kernels_.backward(layers, place, &seed, &sum);
    if (!std::isfinite(sum)) return false;
    std::transform(
        long_gradient_.begin(), long_gradient_.end(), gradient_.begin(),
        [](long double d) { return static_cast<double>(std::min<long double>(d, largest)); });
    return true;
}

void LaneEvaluation::run_exactly(bool differentiate) {
    exact_weights_.clear();
    for (const long double w : weights_) exact_weights_.emplace_back(w);
    if (exact_) {
        exact_->assign(exact_weights_);
    } else {
        exact_.emplace(*circuit_, exact_weights_);
    }
    const ScaledReal &value = exact_->value();
    log_value_ = value.log();
    std::fill(gradient_.begin(), gradient_.end(), 0.0);
    if (!differentiate || value.is_zero()) return;
    exact_->differentiate();
    for (std::size_t i = 0; i < gradient_.size(); ++i) {
        const ScaledReal d = exact_->derivative(InputId(i + 1)) / value;
        gradient_[i] = std::min(d.to_double(), largest);
    }
}

} // namespace neurasp::circuit
