// Sums of cases: built from random sets of total choices, and read by everything that reads circuits. The reference is
// the set itself.
#include "circuit/best_assignments.hpp"
#include "circuit/circuit_builder.hpp"
#include "circuit/circuit_support.hpp"
#include "circuit/circuit_text.hpp"
#include "circuit/conditioning.hpp"
#include "circuit/exact_evaluation.hpp"
#include "circuit/model_count.hpp"
#include "circuit/sampling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace neurasp::circuit::test {
namespace {

using ChoiceSet = std::set<Outcomes>;

// Makes the circuit of a set of total choices. Branches are parts of the set, chosen at random or by a function of the
// outcomes; what all choices of a part agree on may become the input of the edge.
class CaseMaker {
  public:
    CaseMaker(base::RandomStream &random, Signature signature)
        : random_(random), signature_(signature), builder_(std::move(signature)) {}

    Circuit run(const ChoiceSet &choices) {
        std::vector<std::uint32_t> all(signature_.outcomes.size());
        for (std::uint32_t v = 0; v < all.size(); ++v) all[v] = v;
        const CircuitBuilder::Node root = make(choices, all);
        return std::move(builder_).finish(root);
    }

  private:
    using Variables = std::vector<std::uint32_t>;

    // The variable is irrelevant: the set has all of its outcomes with whatever the rest is.
    bool is_irrelevant(const ChoiceSet &choices, std::uint32_t v) const {
        return std::all_of(choices.begin(), choices.end(), [&](Outcomes choice) {
            for (choice[v] = 0; choice[v] < signature_.outcomes[v]; ++choice[v]) {
                if (!choices.contains(choice)) return false;
            }
            return true;
        });
    }
    static bool is_constant(const ChoiceSet &choices, std::uint32_t v) {
        return std::all_of(choices.begin(), choices.end(),
                           [&](const auto &c) { return c[v] == (*choices.begin())[v]; });
    }
    // Without v: its outcome is set to 0 in all choices.
    static ChoiceSet without(const ChoiceSet &choices, std::uint32_t v) {
        ChoiceSet result;
        for (Outcomes choice : choices) {
            choice[v] = 0;
            result.insert(choice);
        }
        return result;
    }

    CircuitBuilder::Node make(ChoiceSet choices, Variables variables) {
        if (choices.empty()) return std::nullopt;
        std::vector<InputId> inputs;
        for (std::size_t i = 0; i < variables.size();) {
            const std::uint32_t v = variables[i];
            const bool constant = is_constant(choices, v);
            if (!constant && !is_irrelevant(choices, v)) {
                ++i;
                continue;
            }
            if (constant) inputs.push_back(builder_.input(v, (*choices.begin())[v]));
            choices = without(choices, v);
            variables.erase(variables.begin() + static_cast<std::ptrdiff_t>(i));
        }
        std::vector<NodeId> rest;
        if (!variables.empty()) rest.push_back(*branch(choices, variables));
        return builder_.product(inputs, rest);
    }

    CircuitBuilder::Node branch(const ChoiceSet &choices, const Variables &variables) {
        std::map<std::uint64_t, ChoiceSet> parts;
        const std::uint64_t salt = random_.below(3) == 0 ? random_.below(100) : 0;
        const std::uint64_t kinds = 2 + random_.below(2);
        for (const Outcomes &choice : choices) { // salt 0: the sum of the outcomes
            std::uint64_t value = 0;
            for (const std::uint32_t v : variables) value = value * (salt + 1) + choice[v];
            parts[value % kinds].insert(choice);
        }
        if (parts.size() == 1) { // nothing was decided
            parts.clear();
            for (const Outcomes &choice : choices) parts[choice[variables[0]]].insert(choice);
        }
        std::vector<CircuitBuilder::Case> cases;
        for (const auto &[value, part] : parts) {
            CircuitBuilder::Case next;
            ChoiceSet below = part;
            Variables left = variables;
            const auto fixed = std::find_if(left.begin(), left.end(),
                                            [&](auto v) { return is_constant(part, v); });
            if (fixed != left.end() && random_.below(4) != 0) {
                next.input = builder_.input(*fixed, (*part.begin())[*fixed]);
                below = without(part, *fixed);
                left.erase(fixed);
            }
            next.child = make(below, left);
            cases.push_back(next);
        }
        std::reverse(cases.begin(), cases.end());
        return builder_.cases(cases);
    }

    base::RandomStream &random_;
    Signature signature_;
    CircuitBuilder builder_;
};

struct Sample {
    Circuit circuit;
    ChoiceSet choices;
};

Sample random_cases(base::RandomStream &random) {
    Signature signature;
    signature.random_variables = static_cast<std::uint32_t>(2 + random.below(4));
    for (std::uint32_t v = 0; v < signature.random_variables; ++v) {
        signature.outcomes.push_back(static_cast<std::uint32_t>(2 + random.below(2)));
    }
    ChoiceSet choices;
    const std::uint64_t density = 1 + random.below(4);
    for_each_assignment(Circuit(signature), [&](const Outcomes &outcomes) {
        if (random.below(4) < density) choices.insert(outcomes);
    });
    return {CaseMaker(random, signature).run(choices), choices};
}

bool has_cases(const Circuit &circuit) {
    for (std::size_t i = 0; i < circuit.node_count(); ++i) {
        if (circuit.node(NodeId(i)).kind == NodeKind::cases) return true;
    }
    return false;
}

double weight_of(const Circuit &circuit, const std::vector<double> &weights,
                 const Outcomes &choice) {
    double product = 1.0;
    for (std::uint32_t v = 0; v < choice.size(); ++v) {
        product *= weights[circuit.input(v, choice[v]).index() - 1];
    }
    return product;
}

constexpr int rounds = 300;

// Determinism cannot be seen in the edges: each node is tried with every total choice.
TEST(Cases, OfRandomSetsAreDeterministic) {
    base::RandomStream random(701);
    int with_cases = 0;
    for (int i = 0; i < rounds; ++i) {
        Sample sample = random_cases(random);
        EXPECT_NO_THROW(sample.circuit.verify()) << i;
        with_cases += has_cases(sample.circuit) ? 1 : 0;
        const NodeId root = sample.circuit.root();
        for_each_assignment(sample.circuit, [&](const Outcomes &outcomes) {
            EXPECT_EQ(coefficient(sample.circuit, outcomes).value,
                      sample.choices.contains(outcomes) ? 1.0 : 0.0);
            for (std::size_t n = 0; n < sample.circuit.node_count(); ++n) {
                sample.circuit.set_root(NodeId(n));
                EXPECT_LE(coefficient(sample.circuit, outcomes).value, 1.0);
            }
            sample.circuit.set_root(root);
        });
    }
    EXPECT_GT(with_cases, rounds / 2);
}

TEST(Cases, HaveValuesAndDerivativesOfTheirSet) {
    base::RandomStream random(702);
    for (int i = 0; i < rounds; ++i) {
        const auto [circuit, choices] = random_cases(random);
        const Circuit smooth = smoothed(circuit);
        EXPECT_NO_THROW(smooth.verify()) << i;
        const auto weights = normalised(circuit, random_weights(circuit, random));
        double value = 0.0;
        std::vector<double> mass(circuit.random_input_count(), 0.0); // of each outcome
        for (const Outcomes &choice : choices) {
            const double weight = weight_of(circuit, weights, choice);
            value += weight;
            for (std::uint32_t v = 0; v < choice.size(); ++v) {
                mass[circuit.input(v, choice[v]).index() - 1] += weight;
            }
        }
        const ExactEvaluation plain(circuit, scaled(weights));
        EXPECT_NEAR(plain.value().to_double(), value, rounding);
        ExactEvaluation exact(smooth, scaled(weights));
        EXPECT_NEAR(exact.value().to_double(), value, rounding);
        exact.differentiate();
        for (std::uint32_t input = 1; input <= circuit.random_input_count(); ++input) {
            const double derivative = exact.derivative(InputId(input)).to_double();
            EXPECT_NEAR(derivative * weights[input - 1], mass[input - 1], rounding) << i;
        }
    }
}

TEST(Cases, HaveTheBestAssignmentsAndTheCountOfTheirSet) {
    base::RandomStream random(703);
    for (int i = 0; i < rounds; ++i) {
        const auto [circuit, choices] = random_cases(random);
        const auto smooth = std::make_shared<const Circuit>(smoothed(circuit));
        EXPECT_EQ(count_assignments(*smooth).to_string(), std::to_string(choices.size()));
        const auto weights = random_weights(circuit, random);
        BestAssignments best(smooth, scaled(weights));
        ChoiceSet seen;
        double last = 2.0;
        while (const auto next = best.next()) {
            EXPECT_TRUE(seen.insert(next->outcomes).second);
            const double value = next->value.to_double();
            EXPECT_NEAR(value, weight_of(circuit, weights, next->outcomes), rounding);
            EXPECT_LE(value, last * (1.0 + rounding));
            last = value;
        }
        EXPECT_EQ(seen, choices);
    }
}

TEST(Cases, AreReadAsTheyWereWritten) {
    base::RandomStream random(704);
    for (int i = 0; i < rounds; ++i) {
        const auto [circuit, choices] = random_cases(random);
        EXPECT_EQ(read_circuit(write_circuit(circuit)), circuit);
        const Circuit smooth = smoothed(circuit);
        EXPECT_EQ(read_circuit(write_circuit(smooth)), smooth);
    }
}

// The last variable is dropped; of the others some outcomes are impossible.
TEST(Cases, AreConditioned) {
    base::RandomStream random(705);
    for (int i = 0; i < rounds; ++i) {
        const auto [circuit, choices] = random_cases(random);
        const auto kept = static_cast<std::uint32_t>(circuit.variable_count() - 1);
        std::vector<std::uint8_t> possible(circuit.input_count(), 0);
        for (std::uint8_t &input : possible) input = random.below(4) != 0 ? 1 : 0;
        const auto given = static_cast<std::uint32_t>(random.below(2));
        for (std::uint32_t o = 0; o < circuit.signature().outcomes[kept]; ++o) {
            possible[circuit.input(kept, o).index()] = o == given ? 1 : 0;
        }
        std::vector<std::int64_t> costs(circuit.input_count(), 0);
        for (std::int64_t &cost : costs) cost = static_cast<std::int64_t>(random.below(3));
        std::map<std::int64_t, ChoiceSet> expected; // by cost
        for (const Outcomes &choice : choices) {
            std::int64_t cost = 0;
            bool allowed = true;
            for (std::uint32_t v = 0; v < choice.size(); ++v) {
                const std::size_t input = circuit.input(v, choice[v]).index();
                cost += costs[input];
                allowed = allowed && possible[input] != 0;
            }
            if (allowed) expected[cost].insert(Outcomes(choice.begin(), choice.end() - 1));
        }
        Conditioner conditioner(std::make_shared<const Circuit>(smoothed(circuit)), kept);
        const Circuit result = conditioner.run({possible, costs, 1});
        for_each_assignment(result, [&](const Outcomes &outcomes) {
            const bool least = !expected.empty() && expected.begin()->second.contains(outcomes);
            EXPECT_EQ(coefficient(result, outcomes).value, least ? 1.0 : 0.0) << i;
        });
    }
}

TEST(Cases, BecomeSimplerNodesWhereTheyMeanTheSame) {
    CircuitBuilder builder({{2, 3}, 2});
    const InputId a = builder.input(0, 0);
    const NodeId leaf = *builder.cases(std::vector<CircuitBuilder::Case>{{a, true_node}});
    const InputId b[] = {builder.input(1, 0), builder.input(1, 1), builder.input(1, 2)};
    using List = std::vector<CircuitBuilder::Case>;
    EXPECT_EQ(builder.cases(List{}), std::nullopt);
    EXPECT_EQ(builder.cases(List{{one_input, std::nullopt}}), std::nullopt);
    EXPECT_EQ(builder.cases(List{{one_input, leaf}, {b[0], std::nullopt}}), leaf);
    const Edge edges[] = {{b[0], leaf}, {b[1], true_node}};
    EXPECT_EQ(builder.cases(List{{b[1], true_node}, {b[0], leaf}}), builder.decision(1, edges));
    EXPECT_EQ(builder.cases(List{{b[0], leaf}, {b[1], leaf}, {b[2], leaf}}), leaf);
    const NodeId other = *builder.cases(List{{builder.input(0, 1), true_node}});
    const auto both = builder.cases(List{{b[0], leaf}, {one_input, other}});
    EXPECT_EQ(builder.cases(List{{one_input, other}, {b[0], leaf}}), both);
    EXPECT_NE(both, other);
}

} // namespace
} // namespace neurasp::circuit::test
