// Random circuits, and the simplest way to evaluate them, as a reference for other tests.
#pragma once

#include "base/random_stream.hpp"
#include "circuit/circuit.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace neurasp::circuit::test {

// An upper bound on the relative error of sums and products of a few hundred doubles.
inline constexpr double rounding = 1e-12;

using Outcomes = std::vector<std::uint32_t>;

// A deterministic, decomposable circuit over up to four random variables and two free atoms, with decisions, cases,
// constants, shared nodes, dropped variables and dead ends.
Circuit random_circuit(base::RandomStream &random);
std::shared_ptr<const Circuit> random_smooth_circuit(base::RandomStream &random);

// Numbers in (0, 1], one for each outcome of a random variable.
std::vector<double> random_weights(const Circuit &circuit, base::RandomStream &random);
// The same for each example, row by row.
std::vector<double> random_rows(const Circuit &circuit, std::size_t batch,
                                base::RandomStream &random);
// Normalised so that the weights of each variable sum to 1.
std::vector<double> normalised(const Circuit &circuit, std::vector<double> weights);
std::vector<base::ScaledReal> scaled(const std::vector<double> &weights);

// The value, computed recursively from the root.
double plain_value(const Circuit &circuit, const std::vector<double> &random_weights);
// d value / d weight of a random input: values are linear in each weight.
double plain_derivative(const Circuit &circuit, const std::vector<double> &random_weights,
                        std::size_t input);

void for_each_assignment(const Circuit &circuit,
                         const std::function<void(const Outcomes &)> &visit);
// Whether the circuit allows the assignment and, if so, the product of the constants.
struct Coefficient {
    bool allowed = false;
    double value = 0.0;
};
Coefficient coefficient(const Circuit &circuit, const Outcomes &outcomes);
// coefficient * the weights of the outcomes.
double assignment_value(const Circuit &circuit, const std::vector<double> &random_weights,
                        const Outcomes &outcomes);

// A chain of n variables with two outcomes; both outcomes lead to the next variable. All assignments are
// allowed.
Circuit chain(std::uint32_t variables);

} // namespace neurasp::circuit::test
