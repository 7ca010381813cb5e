// Unit propagation, exactly-one, learning.
#include "circuit/propagator.hpp"

#include "theory_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::circuit {
namespace {

using test::add_choice;
using test::add_clause;

TEST(Propagator, one_true_outcome_excludes_the_others) {
    Theory theory;
    const auto digit = add_choice(theory, 10);
    Propagator propagator(theory);
    propagator.decide(digit[3]);
    ASSERT_TRUE(propagator.propagate());
    for (std::size_t o = 0; o < digit.size(); ++o) {
        EXPECT_EQ(propagator.is_true(digit[o]), o == 3);
        EXPECT_EQ(propagator.is_false(digit[o]), o != 3);
    }
}

TEST(Propagator, the_last_outcome_that_is_left_is_true) {
    Theory theory;
    const auto digit = add_choice(theory, 4);
    Propagator propagator(theory);
    for (const std::size_t o : {0U, 3U, 1U}) {
        EXPECT_TRUE(propagator.is_open(digit[2].var()));
        propagator.decide(~digit[o]);
        ASSERT_TRUE(propagator.propagate());
    }
    EXPECT_TRUE(propagator.is_true(digit[2]));
}

TEST(Propagator, two_outcomes_of_one_choice_are_a_conflict) {
    Theory theory;
    const auto digit = add_choice(theory, 3);
    const auto coin = add_choice(theory, 2);
    add_clause(theory, {~coin[0], digit[0]});
    add_clause(theory, {~coin[0], digit[1]});
    Propagator propagator(theory);
    propagator.decide(coin[0]);
    EXPECT_FALSE(propagator.propagate());
    propagator.undo_level();
    propagator.decide(coin[1]);
    EXPECT_TRUE(propagator.propagate());
}

TEST(Propagator, a_choice_without_outcome_is_a_conflict) {
    Theory theory;
    const auto digit = add_choice(theory, 3);
    for (const Lit outcome : digit) add_clause(theory, {~outcome});
    Propagator propagator(theory);
    EXPECT_FALSE(propagator.propagate());
    EXPECT_TRUE(propagator.failed());
}

TEST(Propagator, a_choice_is_restricted_while_some_outcomes_are_excluded) {
    Theory theory;
    const auto digit = add_choice(theory, 4);
    Propagator propagator(theory);
    EXPECT_FALSE(propagator.is_restricted(digit[0].var()));
    propagator.decide(~digit[1]);
    EXPECT_TRUE(propagator.is_restricted(digit[0].var()));
    propagator.undo_level();
    EXPECT_FALSE(propagator.is_restricted(digit[0].var()));
}

TEST(Propagator, undoing_a_level_restores_the_state_before) {
    Theory theory;
    const auto digit = add_choice(theory, 3);
    const Var x = theory.add_variable(VarKind::open);
    const Var y = theory.add_variable(VarKind::open);
    add_clause(theory, {~digit[0], Lit(x)});
    add_clause(theory, {Lit(x, false), Lit(y)});
    Propagator propagator(theory);
    propagator.decide(Lit(y));
    ASSERT_TRUE(propagator.propagate());
    propagator.decide(digit[0]);
    ASSERT_TRUE(propagator.propagate());
    EXPECT_TRUE(propagator.is_true(Lit(x)));
    propagator.undo_level();
    EXPECT_TRUE(propagator.is_open(x));
    EXPECT_TRUE(propagator.is_true(Lit(y)));
    EXPECT_EQ(propagator.level(), 1U);
    EXPECT_EQ(propagator.trail().size(), 1U);
}

TEST(Propagator, a_learned_clause_excludes_the_conflict) {
    Theory theory;
    const auto x = add_choice(theory, 2);
    const auto y = add_choice(theory, 3);
    const Var z = theory.add_variable(VarKind::open);
    add_clause(theory, {~x[0], ~y[0], Lit(z)});
    add_clause(theory, {~x[0], ~y[0], Lit(z, false)});
    Propagator propagator(theory);
    propagator.decide(x[0]);
    ASSERT_TRUE(propagator.propagate());
    propagator.decide(y[0]);
    ASSERT_FALSE(propagator.propagate());
    propagator.learn_from_conflict();
    propagator.undo_level();
    EXPECT_TRUE(propagator.apply_learned());
    EXPECT_TRUE(propagator.is_false(y[0]));
    EXPECT_FALSE(propagator.failed());
}

TEST(Propagator, learned_clauses_hold_on_other_branches) {
    Theory theory;
    const auto x = add_choice(theory, 3);
    const Var z = theory.add_variable(VarKind::open);
    const Var w = theory.add_variable(VarKind::open);
    add_clause(theory, {~x[0], Lit(z), Lit(w)});
    add_clause(theory, {~x[0], Lit(z), Lit(w, false)});
    Propagator propagator(theory);
    propagator.decide(Lit(z, false));
    ASSERT_TRUE(propagator.propagate());
    propagator.decide(x[0]);
    ASSERT_FALSE(propagator.propagate());
    propagator.learn_from_conflict();
    propagator.undo_level();
    propagator.undo_level();
    propagator.decide(x[0]);
    ASSERT_TRUE(propagator.propagate());
    EXPECT_TRUE(propagator.is_true(Lit(z)));
}

TEST(Propagator, an_implied_unit_clause_forces_its_literal) {
    Theory theory;
    const auto x = add_choice(theory, 2);
    const Var y = theory.add_variable(VarKind::open);
    Propagator propagator(theory);
    propagator.decide(x[0]);
    ASSERT_TRUE(propagator.propagate());
    const Lit clause[] = {~x[0], Lit(y)};
    EXPECT_TRUE(propagator.add_implied(clause));
    EXPECT_TRUE(propagator.is_true(Lit(y)));
    propagator.undo_level();
    EXPECT_TRUE(propagator.is_open(y));
    propagator.decide(Lit(y, false));
    ASSERT_TRUE(propagator.propagate());
    EXPECT_TRUE(propagator.is_false(x[0]));
}

TEST(Propagator, an_implied_clause_that_is_false_is_a_conflict) {
    Theory theory;
    const auto x = add_choice(theory, 2);
    Propagator propagator(theory);
    propagator.decide(x[0]);
    ASSERT_TRUE(propagator.propagate());
    const Lit clause[] = {~x[0]};
    EXPECT_FALSE(propagator.add_implied(clause));
    propagator.learn_from_conflict();
    propagator.undo_level();
    EXPECT_TRUE(propagator.apply_learned());
    EXPECT_TRUE(propagator.is_true(x[1]));
}

} // namespace
} // namespace neurasp::circuit
