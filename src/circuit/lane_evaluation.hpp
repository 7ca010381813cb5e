// Evaluates one example whose probability is too small (or too large) for the batch: in long double, which reaches down
// to 1e-4900, or in numbers of any magnitude if that is not enough.
#pragma once

#include "circuit/batch_kernels.hpp"
#include "circuit/exact_evaluation.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace neurasp::circuit {

class LaneEvaluation {
  public:
    LaneEvaluation(std::shared_ptr<const Circuit> circuit, const Layers &layers);

    const std::shared_ptr<const Circuit> &circuit() const noexcept { return circuit_; }
    // The weights of the random inputs; fill them in before run().
    std::vector<long double> &weights() noexcept { return weights_; }
    // With `differentiate`, gradient() is valid afterwards. If a weight is negative or not finite, all results are
    // NaN.
    void run(const Layers &layers, bool differentiate);

    double log_value() const noexcept { return log_value_; }
    // d log value / d weight; 0 if the value is 0; never infinite.
    const std::vector<double> &gradient() const noexcept { return gradient_; }

  private:
    bool run_long_double(const Layers &layers, bool differentiate);
    void run_exactly(bool differentiate);

    std::shared_ptr<const Circuit> circuit_;
    Kernels<long double> kernels_ = scalar_kernels<long double>();
    std::vector<long double> weights_;
    std::vector<long double> values_;
    std::vector<long double> derivatives_;
    std::vector<long double> long_gradient_;
    std::vector<base::ScaledReal> exact_weights_;
    std::optional<ExactEvaluation> exact_; // made when it is needed
    double log_value_ = 0.0;
    std::vector<double> gradient_;
};

} // namespace neurasp::circuit
