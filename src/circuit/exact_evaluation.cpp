// Values and derivatives of a circuit in ScaledReal.
//
// The idea. The value of a circuit is a polynomial in its weights, linear in each of them. One pass over the straight-line
// code computes it; one pass backwards computes the derivatives with respect to all weights at once (Darwiche, "A
// differential approach to inference in Bayesian networks", 2003). In a smooth circuit, they give the marginals:
// P(outcome and O) = weight * derivative. A pair contributes first * second, so its derivatives are second and first:
// there is no division, and weights of 0 need no special case.
//
// Why ScaledReal. Answers to single questions must be right for thousands of variables, and ratios of tiny
// numbers must keep their digits. One example costs little either way. Batches use plain floating point instead
// (batch_evaluator.cpp) and come here only for examples that no built-in type can represent.
//
// Invariants. Slots of inputs that are not random (`one`, free atoms, constants) are set once, in the constructor. The
// derivatives are valid until the next assign(). The circuit itself is not needed after construction.
//
// Cost. Linear in the edges of the circuit, for each pass; assign() reuses the memory.
#include "circuit/exact_evaluation.hpp"

#include "neurasp/diagnostic.hpp"

#include <algorithm>

namespace neurasp::circuit {

using base::ScaledReal;

ExactEvaluation::ExactEvaluation(const Circuit &circuit, std::span<const ScaledReal> random_weights)
    : program_(circuit), random_inputs_(circuit.random_input_count()),
      values_(program_.slot_count(), ScaledReal(1.0L)) {
    std::copy(circuit.constants().begin(), circuit.constants().end(),
              values_.begin() + circuit.first_constant());
    assign(random_weights);
}

void ExactEvaluation::assign(std::span<const ScaledReal> random_weights) {
    if (random_weights.size() != random_inputs_)
        throw ContractError(
            "ExactEvaluation: expected one weight for each outcome of a random variable");
    std::copy(random_weights.begin(), random_weights.end(), values_.begin() + 1);
    derivatives_.clear();
    for (std::size_t step = 0; step < program_.step_count(); ++step) {
        ScaledReal sum;
        for (const Slot slot : program_.singles(step)) sum += values_[slot];
        for (const auto [first, second] : program_.pairs(step)) {
            sum += values_[first] * values_[second];
        }
        values_[program_.slot_of_step(step)] = sum;
    }
}

void ExactEvaluation::differentiate() {
    derivatives_.assign(program_.slot_count(), ScaledReal());
    derivatives_[program_.root()] = ScaledReal(1.0L);
    for (std::size_t step = program_.step_count(); step-- > 0;) {
        const ScaledReal above = derivatives_[program_.slot_of_step(step)];
        if (above.is_zero()) continue;
        for (const Slot slot : program_.singles(step)) derivatives_[slot] += above;
        for (const auto [first, second] : program_.pairs(step)) {
            derivatives_[first] += above * values_[second];
            derivatives_[second] += above * values_[first];
        }
    }
}

} // namespace neurasp::circuit
