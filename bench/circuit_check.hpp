// Checks of a compiled question against the known answers of its workload, and batches of examples for it.
#pragma once

#include "workloads.hpp"

#include <neurasp/circuit.hpp>

#include <optional>
#include <string>
#include <vector>

namespace neurasp::bench {

// Examples side by side, as CircuitEvaluator takes them, with room for its results.
template <class Real> struct Batch {
    std::size_t size = 0;
    std::vector<Real> weights;
    std::vector<Real> log_probability;
    std::vector<Real> gradient;

    // One example per element of `examples`, each input_count() weights.
    explicit Batch(const std::vector<std::vector<double>> &examples);
    void run(CircuitEvaluator<Real> &evaluator) {
        evaluator.run(weights, size, log_probability, gradient);
    }
};

extern template struct Batch<float>;
extern template struct Batch<double>;

// The first mistake in the circuit's answers, as one sentence; nullopt if they are right. It compares
// - log P(O) of the first examples with the workload's own computation, in double and in float;
// - the gradient at random outputs with differences of the circuit's P(O), and of the workload's.
std::optional<std::string> find_mistake(const Workload &workload, const CompiledQuestion &circuit);

// Whether two log-probabilities are equal up to the rounding of doubles.
bool same_log(double a, double b);

} // namespace neurasp::bench
