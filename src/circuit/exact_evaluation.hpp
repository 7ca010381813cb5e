// The value of a circuit and its derivatives in numbers of any scale, for one set of weights.
// Slower than BatchEvaluator by far, but nothing underflows: products over thousands of variables
// stay right to the last digits.
#pragma once

#include "base/scaled_real.hpp"
#include "circuit/circuit.hpp"
#include "circuit/straight_line.hpp"

#include <span>
#include <vector>

namespace neurasp::circuit {

class ExactEvaluation {
  public:
    // `random_weights[i]` is the weight of input i + 1. The circuit is not needed later on.
    // Throws: ContractError if there is not one weight for each outcome of a random variable.
    ExactEvaluation(const Circuit &circuit, std::span<const base::ScaledReal> random_weights);

    // Once more with other weights, in the same memory.
    void assign(std::span<const base::ScaledReal> random_weights);

    const base::ScaledReal &value() const { return values_[program_.root()]; }
    const base::ScaledReal &node_value(NodeId node) const {
        return values_[program_.slot_of(node)];
    }

    // Makes derivative() valid until the next assign().
    void differentiate();
    // d value / d weight of the input, with all other weights fixed.
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
