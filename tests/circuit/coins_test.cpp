// Free choices as fair coins: where they are used, and that they give the same probabilities as the models of each total choice.
#include "circuit/coins.hpp"

#include "circuit/circuit_support.hpp"
#include "circuit/compiler.hpp"
#include "theory_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::circuit::test {
namespace {

const std::vector<std::vector<std::string>> random_atoms{
    {"d(1)", "d(2)", "d(3)"}, {"x", "nx"}, {"y", "ny"}};
const std::string choose_outcomes = "{d(1..3); x; nx; y; ny}. ";

// The number of coins; the value is compared with the shares of models.
std::uint32_t coins_of(const std::string &text, const std::vector<std::string> &evidence) {
    SCOPED_TRACE(text);
    const Example example(choose_outcomes + text, random_atoms);
    const auto weights = some_weights(example);
    TranslationInput input = example.input(evidence);
    input.sums_only = true;
    const Translation translation = translate(input);
    const Theory &theory = translation.theory.value();
    EXPECT_FALSE(translation.determined);
    std::vector<double> rows;
    for (const auto &row : weights) rows.insert(rows.end(), row.begin(), row.end());
    for (const NamedSwitches &named : all_compiler_switches()) {
        SCOPED_TRACE(named.name);
        base::Budget budget;
        const Circuit circuit =
            compile(theory, Below::ratios, {}, budget, named.switches).circuit.value();
        EXPECT_EQ(circuit.random_variable_count(), random_atoms.size());
        const double expected = example.probability(evidence, weights);
        EXPECT_NEAR(plain_value(circuit, rows), expected, rounding);
        EXPECT_NEAR(plain_value(smoothed(circuit), rows), expected, rounding);
    }
    return theory.coins;
}

TEST(Coins, independent_choices_are_coins) {
    EXPECT_EQ(coins_of("{a}. b :- a, x.", {"b"}), 1U);
    EXPECT_EQ(coins_of("{a; b} :- x. c :- a, d(1). c :- b, y.", {"c"}), 2U);
    EXPECT_EQ(coins_of("{a} :- x. {a} :- y. {b} :- not x. c :- a. c :- b, not a.", {"not c"}), 2U);
    EXPECT_EQ(coins_of("{a} :- x, not d(2). :- d(1), y. b :- not a, x.", {"b"}), 1U);
    EXPECT_EQ(coins_of("{a} :- 2 {x; y; d(3)}. b :- a.", {"not b"}), 1U);
}

TEST(Coins, a_choice_that_another_rule_may_decide_is_a_coin_if_outcomes_do) {
    EXPECT_EQ(coins_of("{a}. a :- x, d(2). b :- a, y.", {"b"}), 1U);
}

TEST(Coins, choices_on_positive_cycles_are_coins) {
    EXPECT_EQ(
        coins_of("{s(1..3)}. r(1). r(2) :- r(1), s(1), x. r(3) :- r(2), s(2). r(2) :- r(3), y. "
                 "r(3) :- r(1), s(3), d(2).",
                 {"r(3)"}),
        3U);
}

// Each of these has a number of models that is not a power of two, or different numbers for different choices.
TEST(Coins, choices_below_others_are_not_coins) {
    EXPECT_EQ(coins_of("{a}. {b} :- a. c :- b, x.", {"c"}), 0U);
    EXPECT_EQ(coins_of("{a}. e :- a, x. {b} :- e.", {"a"}), 0U); // a does not depend on b
    EXPECT_EQ(coins_of("{a} :- x. {b} :- not a.", {"b"}), 0U);
}

TEST(Coins, choices_that_derive_other_chosen_atoms_are_not_coins) {
    EXPECT_EQ(coins_of("{a}. {b}. a :- b. c :- a, x.", {"c"}), 0U);
    EXPECT_EQ(coins_of("{a}. {b}. e :- b, y. a :- e.", {"a"}), 0U);
}

TEST(Coins, choices_that_constraints_depend_on_are_not_coins) {
    EXPECT_EQ(coins_of("{a}. {b}. :- a, b.", {"a"}), 0U);
    EXPECT_EQ(coins_of("{a}. {b}. e :- a, b. :- e, x.", {"a"}), 0U);
    EXPECT_EQ(coins_of("1 {a; b} 1. c :- a, x.", {"c"}), 0U);
    EXPECT_EQ(coins_of("{a}. {b}. x :- a, b.", {"a"}), 0U); // a rule for an outcome is a constraint
}

TEST(Coins, other_undetermined_rules_exclude_coins) {
    EXPECT_EQ(coins_of("{a}. b :- not c. c :- not b. e :- a, b.", {"e"}), 0U);
    EXPECT_EQ(coins_of("{a}. b | c :- x. e :- a, b.", {"e"}), 0U);
}

TEST(Coins, only_sums_use_coins) {
    const Example example(choose_outcomes + "{a}. b :- a, x.", random_atoms);
    EXPECT_EQ(translate(example.input({"b"})).theory->coins, 0U);
    TranslationInput models = example.input({"b"}, true);
    models.sums_only = true;
    EXPECT_EQ(translate(models).theory->coins, 0U);
}

} // namespace
} // namespace neurasp::circuit::test
