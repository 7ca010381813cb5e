// Conditioning compared with brute force over assignments.
#include "circuit/circuit_builder.hpp"
#include "circuit/conditioning.hpp"
#include "circuit/exact_evaluation.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <random>

namespace neurasp::circuit {
namespace {

using Assignment = std::vector<std::uint32_t>;

// A circuit that stands for a random set of assignments, and that set.
struct RandomCircuit {
    Signature signature;
    std::vector<Assignment> models;
    std::shared_ptr<const Circuit> circuit;
};

CircuitBuilder::Node add(CircuitBuilder &builder, const Signature &signature,
                         const std::vector<Assignment> &models, std::uint32_t variable) {
    if (models.empty()) return std::nullopt;
    if (variable == signature.outcomes.size()) return true_node;
    std::vector<Edge> edges;
    for (std::uint32_t o = 0; o < signature.outcomes[variable]; ++o) {
        std::vector<Assignment> part;
        for (const Assignment &model : models) {
            if (model[variable] == o) part.push_back(model);
        }
        const auto child = add(builder, signature, part, variable + 1);
        if (child) edges.push_back({builder.input(variable, o), *child});
    }
    return builder.decision(variable, edges);
}

RandomCircuit random_circuit(std::mt19937_64 &random) {
    RandomCircuit result;
    for (int v = 0; v < 5; ++v) {
        result.signature.outcomes.push_back(static_cast<std::uint32_t>(1 + random() % 3));
    }
    result.signature.random_variables = 5;
    Assignment assignment(5, 0);
    const auto go_on = [&](const auto &self, std::size_t v) -> void {
        if (v == 5) {
            if (random() % 3 != 0) result.models.push_back(assignment);
            return;
        }
        for (assignment[v] = 0; assignment[v] < result.signature.outcomes[v]; ++assignment[v]) {
            self(self, v + 1);
        }
    };
    go_on(go_on, 0);
    CircuitBuilder builder(result.signature);
    const auto root = add(builder, result.signature, result.models, 0);
    result.circuit = std::make_shared<const Circuit>(smoothed(std::move(builder).finish(root)));
    return result;
}

struct RandomEvidence {
    std::vector<std::uint8_t> possible;
    std::vector<std::int64_t> costs;
};

RandomEvidence random_evidence(const RandomCircuit &made, std::uint32_t kept, std::size_t levels,
                               std::mt19937_64 &random) {
    RandomEvidence evidence;
    evidence.possible.assign(made.circuit->first_constant(), 0);
    for (std::uint32_t v = 0; v < 5; ++v) {
        const std::uint32_t outcomes = made.signature.outcomes[v];
        const auto given = static_cast<std::uint32_t>(random() % outcomes);
        for (std::uint32_t o = 0; o < outcomes; ++o) {
            evidence.possible[made.circuit->input(v, o).index()] =
                v < kept ? random() % 5 != 0 : o == given;
        }
    }
    for (std::size_t i = 0; i < evidence.possible.size() * levels; ++i) {
        evidence.costs.push_back(static_cast<std::int64_t>(random() % 5) - 2);
    }
    return evidence;
}

// The sum of the products of weights, over the possible models of least cost.
double brute_force(const RandomCircuit &made, std::uint32_t kept, const RandomEvidence &evidence,
                   std::size_t levels, const std::vector<base::ScaledReal> &weights) {
    std::optional<std::vector<std::int64_t>> least;
    double sum = 0.0;
    for (const Assignment &model : made.models) {
        bool possible = true;
        double product = 1.0;
        std::vector<std::int64_t> cost(levels, 0);
        for (std::uint32_t v = 0; v < 5; ++v) {
            const std::size_t input = made.circuit->input(v, model[v]).index();
            possible = possible && evidence.possible[input] != 0;
            if (v < kept) product *= weights[input - 1].to_double();
            for (std::size_t l = 0; l < levels; ++l) cost[l] += evidence.costs[input * levels + l];
        }
        if (!possible || (least && cost > *least)) continue;
        if (least && cost < *least) sum = 0.0;
        least = cost;
        sum += product;
    }
    return sum;
}

TEST(Conditioning, KeepsWhatIsPossibleAndCostsLeast) {
    constexpr double rounding = 1e-12; // a few dozen terms
    std::size_t possible = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const RandomCircuit made = random_circuit(random);
        const auto kept = static_cast<std::uint32_t>(1 + random() % 5);
        const std::size_t levels = random() % 3;
        Conditioner conditioner(made.circuit, kept);
        for (int round = 0; round < 3; ++round) { // scratch memory must not carry over
            const RandomEvidence evidence = random_evidence(made, kept, levels, random);
            const Circuit circuit = conditioner.run({evidence.possible, evidence.costs, levels});
            circuit.verify();
            EXPECT_TRUE(circuit.smooth());
            EXPECT_EQ(circuit.variable_count(), kept);
            std::vector<base::ScaledReal> weights;
            for (std::uint32_t i = 0; i < circuit.random_input_count(); ++i) {
                weights.emplace_back(static_cast<long double>(1 + random() % 9) / 10.0L);
            }
            const double expected = brute_force(made, kept, evidence, levels, weights);
            possible += expected > 0.0 ? 1 : 0;
            EXPECT_NEAR(ExactEvaluation(circuit, weights).value().to_double(), expected, rounding);
        }
    }
    EXPECT_GT(possible, 400U) << "most evidence was impossible";
}

} // namespace
} // namespace neurasp::circuit
