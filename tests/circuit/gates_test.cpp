// Gates, cube diagrams and weight diagrams: each literal equals its function for all outcomes.
#include "circuit/cube_diagram.hpp"
#include "circuit/gates.hpp"
#include "circuit/propagator.hpp"
#include "circuit/weight_diagram.hpp"

#include "base/random_stream.hpp"
#include "theory_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace neurasp::circuit {
namespace {

using test::add_choice;
using Outcomes = std::vector<std::size_t>;

// Some random variables and gates over them.
struct GateTable {
    explicit GateTable(const std::vector<std::uint32_t> &sizes) : gates(theory) {
        for (const std::uint32_t size : sizes) choices.push_back(add_choice(theory, size));
    }

    bool holds(Lit lit, const Outcomes &outcomes) const {
        for (std::size_t c = 0; c < choices.size(); ++c) {
            for (std::size_t o = 0; o < choices[c].size(); ++o) {
                if (choices[c][o] == lit) return outcomes[c] == o;
                if (choices[c][o] == ~lit) return outcomes[c] != o;
            }
        }
        return lit == true_lit;
    }

    // Whether propagation assigns the value of the function to the gate, for all outcomes.
    void expect_function(Lit gate, const std::function<bool(const Outcomes &)> &function) {
        Propagator propagator(theory);
        Outcomes outcomes(choices.size(), 0);
        for (std::size_t c = 0; c < choices.size();) {
            for (std::size_t d = 0; d < choices.size(); ++d) {
                propagator.decide(choices[d][outcomes[d]]);
                ASSERT_TRUE(propagator.propagate());
            }
            EXPECT_EQ(propagator.is_true(gate), function(outcomes));
            EXPECT_EQ(propagator.is_false(gate), !function(outcomes));
            for (std::size_t d = 0; d < choices.size(); ++d) propagator.undo_level();
            for (c = 0; c < choices.size() && ++outcomes[c] == choices[c].size(); ++c) {
                outcomes[c] = 0;
            }
        }
    }

    Theory theory;
    Gates gates;
    std::vector<std::vector<Lit>> choices;
};

TEST(Gates, conjunctions_and_disjunctions_hold_when_they_should) {
    GateTable table({2, 3, 2});
    const std::vector<Lit> literals{table.choices[0][1], ~table.choices[1][2], table.choices[2][0]};
    table.expect_function(table.gates.conjunction(literals), [&](const Outcomes &outcomes) {
        return outcomes[0] == 1 && outcomes[1] != 2 && outcomes[2] == 0;
    });
    table.expect_function(table.gates.disjunction(literals), [&](const Outcomes &outcomes) {
        return outcomes[0] == 1 || outcomes[1] != 2 || outcomes[2] == 0;
    });
}

TEST(Gates, constants_vanish) {
    GateTable table({2});
    const Lit x = table.choices[0][0];
    EXPECT_EQ(table.gates.conjunction({x, true_lit}), x);
    EXPECT_EQ(table.gates.conjunction({x, false_lit}), false_lit);
    EXPECT_EQ(table.gates.conjunction({x, ~x}), false_lit);
    EXPECT_EQ(table.gates.disjunction({}), false_lit);
    EXPECT_EQ(table.gates.disjunction({x, ~x}), true_lit);
    EXPECT_EQ(table.theory.clause_count(), 0U);
}

TEST(Gates, equal_functions_share_a_variable) {
    GateTable table({2, 2, 3});
    const Lit x = table.choices[0][0];
    const Lit y = table.choices[1][0];
    EXPECT_EQ(table.gates.conjunction({x, y}), table.gates.conjunction({y, x, x}));
    EXPECT_EQ(table.gates.conjunction({x, y}), ~table.gates.disjunction({~x, ~y}));
    EXPECT_EQ(table.gates.multiplexer(2, {x, y, y}), ~table.gates.multiplexer(2, {~x, ~y, ~y}));
}

TEST(Gates, a_multiplexer_follows_its_choice) {
    GateTable table({3, 2, 2});
    const Lit x = table.choices[1][0];
    const Lit y = table.choices[2][0];
    const std::vector<std::vector<Lit>> tables{{x, y, ~x},
                                               {x, true_lit, false_lit},
                                               {x, x, false_lit},
                                               {x, true_lit, x},
                                               {true_lit, ~y, ~y},
                                               {false_lit, ~y, y},
                                               {true_lit, false_lit, y},
                                               {x, x, x},
                                               {x, false_lit, ~y},
                                               {true_lit, false_lit, false_lit},
                                               {false_lit, true_lit, true_lit}};
    for (const auto &inputs : tables) {
        table.expect_function(table.gates.multiplexer(0, inputs), [&](const Outcomes &outcomes) {
            return table.holds(inputs[outcomes[0]], outcomes);
        });
    }
}

TEST(Gates, a_multiplexer_propagates_what_its_inputs_agree_on) {
    GateTable table({3, 2});
    const Lit x = table.choices[1][0];
    const Lit gate = table.gates.multiplexer(0, {x, false_lit, x});
    Propagator propagator(table.theory);
    propagator.decide(gate);
    ASSERT_TRUE(propagator.propagate());
    EXPECT_TRUE(propagator.is_true(x));
    EXPECT_TRUE(propagator.is_false(table.choices[0][1]));
}

TEST(Gates, a_monotone_switch_chooses_between_two) {
    GateTable table({2, 3});
    const Lit test = table.choices[0][0];
    const Lit stronger = table.choices[1][0];
    const Lit weaker = ~table.choices[1][2]; // implied by it
    const Lit gate = table.gates.monotone_switch(test, weaker, stronger);
    table.expect_function(gate, [&](const Outcomes &outcomes) {
        return table.holds(outcomes[0] == 0 ? weaker : stronger, outcomes);
    });
}

TEST(WeightDiagram, a_weight_body_holds_when_it_should) {
    base::RandomStream random(1);
    for (int round = 0; round < 60; ++round) {
        GateTable table({2, 3, 4, 2});
        std::vector<WeightedLit> literals;
        for (const auto &choice : table.choices) {
            for (const Lit outcome : choice) {
                const auto weight = static_cast<std::int64_t>(random.below(9)) - 3;
                if (random.below(4) > 0) literals.emplace_back(outcome, weight);
                if (random.below(5) == 0) literals.emplace_back(~outcome, weight);
            }
        }
        const auto bound = static_cast<std::int64_t>(random.below(12)) - 3;
        const auto gate = at_least(table.gates, literals, bound);
        ASSERT_TRUE(gate);
        table.expect_function(*gate, [&](const Outcomes &outcomes) {
            std::int64_t sum = 0;
            for (const auto &[lit, weight] : literals) {
                if (table.holds(lit, outcomes)) sum += weight;
            }
            return sum >= bound;
        });
    }
}

TEST(WeightDiagram, literals_outside_of_choices_count) {
    GateTable table({3});
    const Lit x(table.theory.add_variable(VarKind::open));
    const Lit y(table.theory.add_variable(VarKind::open));
    const auto gate = at_least(table.gates, {{x, 2}, {~y, -1}, {table.choices[0][1], 1}}, 2);
    ASSERT_TRUE(gate);
    for (int code = 0; code < 12; ++code) {
        Propagator propagator(table.theory);
        const bool has_x = code % 2 == 1;
        const bool has_y = code / 2 % 2 == 1;
        for (const Lit lit : {has_x ? x : ~x, has_y ? y : ~y, table.choices[0][code / 4 % 3]}) {
            propagator.decide(lit);
            ASSERT_TRUE(propagator.propagate());
        }
        const int sum = (has_x ? 2 : 0) - (has_y ? 0 : 1) + (code / 4 % 3 == 1 ? 1 : 0);
        EXPECT_EQ(propagator.is_true(*gate), sum >= 2);
        EXPECT_EQ(propagator.is_false(*gate), sum < 2);
    }
}

TEST(WeightDiagram, choosing_ten_of_fifty_takes_few_nodes) {
    GateTable table(std::vector<std::uint32_t>(50, 2));
    std::vector<WeightedLit> literals;
    for (const auto &choice : table.choices) literals.emplace_back(choice[0], 1);
    ASSERT_TRUE(at_least(table.gates, literals, 10));
    EXPECT_LE(table.theory.variable_limit(), 50U + 10 * 50);
}

Cube random_cube(const GateTable &table, base::RandomStream &random) {
    Cube cube;
    for (const auto &choice : table.choices) {
        if (random.below(4) == 0) continue;
        cube.push_back(choice[random.below(choice.size())]);
        if (choice.size() > 2 && random.below(3) == 0) cube.back() = ~cube.back();
    }
    return cube;
}

TEST(CubeDiagram, a_merged_set_of_cubes_is_their_disjunction) {
    base::RandomStream random(2);
    std::size_t merged = 0;
    for (int round = 0; round < 60; ++round) {
        GateTable table({2, 3, 4, 2});
        std::vector<Cube> cubes;
        for (std::uint64_t i = 0; i < 2 + random.below(30); ++i) {
            cubes.push_back(random_cube(table, random));
        }
        const auto gate = merge_cubes(table.gates, cubes);
        if (!gate) continue;
        ++merged;
        table.expect_function(*gate, [&](const Outcomes &outcomes) {
            return std::any_of(cubes.begin(), cubes.end(), [&](const Cube &cube) {
                return std::all_of(cube.begin(), cube.end(),
                                   [&](Lit lit) { return table.holds(lit, outcomes); });
            });
        });
    }
    EXPECT_GT(merged, 20U);
}

TEST(CubeDiagram, ten_thousand_rules_of_a_digit_sum_become_few_clauses) {
    GateTable table({10, 10, 10, 10, 10});
    std::vector<Cube> cubes;
    for (std::size_t number = 0; number < 100'000; ++number) {
        Cube cube;
        std::size_t sum = 0;
        for (std::size_t d = 0, rest = number; d < 5; ++d, rest /= 10) {
            cube.push_back(table.choices[d][rest % 10]);
            sum += rest % 10;
        }
        if (sum % 10 == 3) cubes.push_back(std::move(cube));
    }
    ASSERT_EQ(cubes.size(), 10'000U);
    ASSERT_TRUE(merge_cubes(table.gates, cubes));
    EXPECT_LT(table.theory.clause_count(), 1000U);
}

TEST(CubeDiagram, cubes_that_do_not_merge_are_left_alone) {
    GateTable table(std::vector<std::uint32_t>(8, 2));
    std::vector<Cube> cubes;
    for (std::size_t i = 0; i < 8; i += 2) {
        cubes.push_back({table.choices[i][0], table.choices[i + 1][0]});
    }
    EXPECT_FALSE(merge_cubes(table.gates, cubes));
    EXPECT_EQ(table.theory.clause_count(), 0U);
}

} // namespace
} // namespace neurasp::circuit
