// Unfounded sets on positive cycles.
#include "circuit/unfounded.hpp"

#include "theory_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::circuit {
namespace {

using test::add_choice;
using test::add_clause;
using test::propagate_all;

// a :- b. b :- a. a :- x. b :- y. with random x and y.
struct Loop {
    Loop() {
        x = add_choice(theory, 2)[0];
        y = add_choice(theory, 2)[0];
        a = theory.add_variable(VarKind::defined);
        b = theory.add_variable(VarKind::defined);
        define(a, b, x);
        define(b, a, y);
        theory.recursive_components = 1;
    }
    void define(Var head, Var other, Lit external) {
        add_clause(theory, {Lit(head), ~external}, head);
        add_clause(theory, {Lit(head), Lit(other, false)}, head);
        add_clause(theory, {Lit(head, false), external, Lit(other)}, head);
        theory.recursive.push_back(
            {head, 0, {{Lit(other), {other}, {}, false}, {external, {}, {external}, false}}});
    }
    Theory theory;
    Lit x;
    Lit y;
    Var a = 0;
    Var b = 0;
};

TEST(UnfoundedSets, a_loop_without_support_from_outside_becomes_false) {
    Loop loop;
    Propagator propagator(loop.theory);
    UnfoundedSets unfounded(loop.theory, propagator);
    propagator.decide(~loop.x);
    ASSERT_TRUE(propagate_all(propagator, unfounded));
    EXPECT_TRUE(propagator.is_open(loop.a));
    propagator.decide(~loop.y);
    ASSERT_TRUE(propagate_all(propagator, unfounded));
    EXPECT_TRUE(propagator.is_false(Lit(loop.a)));
    EXPECT_TRUE(propagator.is_false(Lit(loop.b)));
}

TEST(UnfoundedSets, a_loop_that_must_hold_asks_for_support) {
    Loop loop;
    Propagator propagator(loop.theory);
    UnfoundedSets unfounded(loop.theory, propagator);
    propagator.decide(Lit(loop.a));
    ASSERT_TRUE(propagate_all(propagator, unfounded));
    propagator.decide(~loop.x);
    ASSERT_TRUE(propagate_all(propagator, unfounded));
    propagator.decide(~loop.y);
    EXPECT_FALSE(propagate_all(propagator, unfounded));
    propagator.learn_from_conflict();
    propagator.undo_level();
    unfounded.undone();
    EXPECT_TRUE(propagator.apply_learned());
    EXPECT_TRUE(propagator.is_true(loop.y));
}

TEST(UnfoundedSets, another_source_is_found_when_one_is_lost) {
    Loop loop;
    Propagator propagator(loop.theory);
    UnfoundedSets unfounded(loop.theory, propagator);
    for (const Lit lost : {loop.x, loop.y}) {
        propagator.decide(~lost);
        ASSERT_TRUE(propagate_all(propagator, unfounded));
        EXPECT_TRUE(propagator.is_open(loop.a));
        EXPECT_TRUE(propagator.is_open(loop.b));
        propagator.undo_level();
        unfounded.undone();
    }
}

TEST(UnfoundedSets, sources_stay_valid_after_backtracking) {
    Loop loop;
    Propagator propagator(loop.theory);
    UnfoundedSets unfounded(loop.theory, propagator);
    for (const bool x : {false, true, false}) {
        for (const bool y : {false, true, false}) {
            propagator.decide(x ? loop.x : ~loop.x);
            ASSERT_TRUE(propagate_all(propagator, unfounded));
            propagator.decide(y ? loop.y : ~loop.y);
            ASSERT_TRUE(propagate_all(propagator, unfounded));
            EXPECT_EQ(propagator.is_true(Lit(loop.a)), x || y);
            EXPECT_EQ(propagator.is_false(Lit(loop.b)), !x && !y);
            propagator.undo_level();
            propagator.undo_level();
            unfounded.undone();
        }
    }
}

TEST(UnfoundedSets, a_cycle_is_unsettled_until_its_true_atoms_are_derived) {
    Loop loop;
    Propagator propagator(loop.theory);
    UnfoundedSets unfounded(loop.theory, propagator);
    ASSERT_TRUE(propagate_all(propagator, unfounded));
    EXPECT_FALSE(unfounded.unsettled()[0]);
    propagator.decide(Lit(loop.b));
    ASSERT_TRUE(propagate_all(propagator, unfounded));
    EXPECT_TRUE(propagator.is_true(Lit(loop.a)));
    EXPECT_TRUE(unfounded.unsettled()[0]);
    propagator.decide(loop.x);
    ASSERT_TRUE(propagate_all(propagator, unfounded));
    EXPECT_FALSE(unfounded.unsettled()[0]);
}

TEST(UnfoundedSets, models_with_loops_are_counted_once) {
    Loop loop;
    EXPECT_EQ(test::count_models(loop.theory), 4U);
    add_clause(loop.theory, {Lit(loop.a)});
    EXPECT_EQ(test::count_models(loop.theory), 3U);
}

} // namespace
} // namespace neurasp::circuit
