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
        throw ContractError("ExactEvaluation: one weight for each outcome of a random variable");
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
