// The best assignments compared with brute force.
#include "circuit/best_assignments.hpp"

#include "circuit/circuit_support.hpp"
#include "neurasp/diagnostic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace neurasp::circuit::test {
namespace {

using base::ScaledReal;

std::vector<Assignment> all_of(const std::shared_ptr<const Circuit> &circuit,
                               const std::vector<double> &weights) {
    std::vector<Assignment> result;
    BestAssignments best(circuit, scaled(weights));
    while (auto next = best.next()) result.push_back(*next);
    EXPECT_FALSE(best.next().has_value()); // and stays at the end
    return result;
}

// Compares with all assignments by brute force: each once, with its value, in order.
void expect_all(const std::shared_ptr<const Circuit> &circuit, const std::vector<double> &weights) {
    std::map<Outcomes, double> expected;
    for_each_assignment(*circuit, [&](const Outcomes &outcomes) {
        if (coefficient(*circuit, outcomes).allowed)
            expected[outcomes] = assignment_value(*circuit, weights, outcomes);
    });
    const std::vector<Assignment> found = all_of(circuit, weights);
    EXPECT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_LE(found[i].value, found[i == 0 ? 0 : i - 1].value);
        const auto place = expected.find(found[i].outcomes);
        ASSERT_NE(place, expected.end()) << "not allowed, or twice";
        EXPECT_NEAR(found[i].value.to_double(), place->second, rounding * place->second);
        expected.erase(place);
    }
}

TEST(BestAssignments, ProducesEachOnceInOrder) {
    base::RandomStream random(20);
    for (int i = 0; i < 300; ++i) {
        const auto circuit = random_smooth_circuit(random);
        expect_all(circuit, random_weights(*circuit, random));
    }
}

TEST(BestAssignments, ProducesThoseOfValueZeroLast) {
    base::RandomStream random(21);
    for (int i = 0; i < 200; ++i) {
        const auto circuit = random_smooth_circuit(random);
        std::vector<double> weights = random_weights(*circuit, random);
        for (double &weight : weights) weight = random.below(3) == 0 ? 0.0 : weight;
        expect_all(circuit, weights);
    }
}

TEST(BestAssignments, BreaksTiesTheSameWayEachTime) {
    base::RandomStream random(22);
    for (int i = 0; i < 50; ++i) {
        const auto circuit = random_smooth_circuit(random);
        const std::vector<double> weights(circuit->random_input_count(), 0.5);
        expect_all(circuit, weights);
        const auto first = all_of(circuit, weights);
        const auto second = all_of(circuit, weights);
        ASSERT_EQ(first.size(), second.size());
        for (std::size_t k = 0; k < first.size(); ++k) {
            EXPECT_EQ(first[k].outcomes, second[k].outcomes);
        }
    }
}

// 10^4 steps deep; the k-th best differs from the best in few variables.
TEST(BestAssignments, WorksOnDeepCircuits) {
    constexpr std::uint32_t variables = 10'000;
    const auto circuit = std::make_shared<const Circuit>(chain(variables));
    std::vector<double> weights(2 * variables, 0.75);
    for (std::size_t i = 1; i < weights.size(); i += 2) weights[i] = 0.25;
    weights[1] = 0.5; // the second best changes variable 0
    BestAssignments best(circuit, scaled(weights));
    const auto first = best.next();
    const auto second = best.next();
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->outcomes, Outcomes(variables, 0));
    EXPECT_NEAR(first->value.log(), variables * std::log(0.75), 1e-6);
    EXPECT_EQ(second->outcomes[0], 1U);
    EXPECT_EQ(std::count(second->outcomes.begin(), second->outcomes.end(), 1U), 1);
    for (int i = 0; i < 50; ++i) EXPECT_TRUE(best.next().has_value());
}

TEST(BestAssignments, HasOneForTrueAndNoneForFalse) {
    Circuit circuit({{}, 0});
    circuit.set_smooth(true);
    EXPECT_EQ(all_of(std::make_shared<const Circuit>(circuit), {}).size(), 1U);
    circuit.set_root(circuit.add_sum(0, {}));
    EXPECT_TRUE(all_of(std::make_shared<const Circuit>(circuit), {}).empty());
}

TEST(BestAssignments, RequiresASmoothCircuitAndAllWeights) {
    auto circuit = std::make_shared<Circuit>(chain(1));
    EXPECT_THROW(BestAssignments(circuit, scaled({0.5})), ContractError);
    circuit->set_smooth(false);
    EXPECT_THROW(BestAssignments(circuit, scaled({0.5, 0.5})), ContractError);
}

} // namespace
} // namespace neurasp::circuit::test
