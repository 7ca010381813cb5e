// The value of a circuit and its derivatives for one set of weights, in numbers of any magnitude. Much slower than
// BatchEvaluator, but nothing underflows.
#pragma once

#include "base/scaled_real.hpp"
#include "circuit/circuit.hpp"
#include "circuit/straight_line.hpp"

#include <span>
#include <vector>

namespace neurasp::circuit {

class ExactEvaluation {
  public:
    // `random_weights[i]` is the weight of input i + 1. The circuit is not needed afterwards.
    // Throws: ContractError if there is not one weight for each outcome of a random variable.
    ExactEvaluation(const Circuit &circuit, std::span<const base::ScaledReal> random_weights);

    // Evaluates again with other weights, in the same memory.
    void assign(std::span<const base::ScaledReal> random_weights);

    const base::ScaledReal &value() const { return values_[program_.root()]; }
    const base::ScaledReal &node_value(NodeId node) const {
        return values_[program_.slot_of(node)];
    }

    // Makes derivative() valid until the next assign().
    void differentiate();
    // The partial derivative of the value with respect to the weight of the input.
    const base::ScaledReal &derivative(InputId input) const { return derivatives_[input.index()]; }

    const StraightLine &program() const noexcept { return program_; }
    const base::ScaledReal &slot_value(Slot slot) const { return values_[slot]; }

  private:
    StraightLine program_;
    std::uint32_t random_inputs_;
    std::vector<base::ScaledReal> values_;      // by slot
    std::vector<base::ScaledReal> derivatives_; // by slot
};

} // namespace neurasp::circuit
