// What a circuit must mean, by brute force, and all that reads circuits compared with it.
#pragma once

#include "circuit/circuit_support.hpp"
#include "theory_support.hpp"

#include <map>

namespace neurasp::circuit::test {

// The total choices over a theory's random variables, each with the share of its stable models that satisfy the evidence.
// Those with the share 0 are left out.
struct TotalChoices {
    std::vector<std::uint32_t> outcomes; // how many each variable has
    std::map<Outcomes, double> shares;

    double probability(const std::vector<double> &weights) const;
    // The derivative of the probability by each weight.
    std::vector<double> derivatives(const std::vector<double> &weights) const;
    double weight_of(const Outcomes &choice, const std::vector<double> &weights) const;
};

// Throws: std::logic_error if the share depends on a random variable that the theory leaves out.
TotalChoices total_choices(const Example &example, const Theory &theory,
                           const std::vector<std::string> &evidence);

// Positive weights that sum to 1 for each variable.
std::vector<double> random_rows(const TotalChoices &truth, base::RandomStream &random);

// The circuit's meaning: its value for every total choice, at the root and, for determinism, at every node.
void expect_meaning(const Circuit &circuit, const TotalChoices &truth);

// What is computed from a smooth circuit: values, derivatives, best assignments, samples, batches, the count (if shares are 0
// or 1), and the text.
void expect_answers(const Circuit &smooth, const TotalChoices &truth, base::RandomStream &random);

} // namespace neurasp::circuit::test
