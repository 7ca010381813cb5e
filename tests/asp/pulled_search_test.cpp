// Searches that are pulled model by model.
#include "asp_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::asp::test {
namespace {

using Models = std::set<std::set<std::string>>;

const Models subsets_of_ab{{}, {"a"}, {"b"}, {"a", "b"}};

class Pulled : public ::testing::Test {
  protected:
    Grounder grounder = grounded("{a; b}.");
    const GroundProgram &program = grounder.program();
    Solver solver{program, no_groups, {}};
    base::Budget budget;

    std::set<std::string> next(Solver &from) {
        const auto view = from.next();
        EXPECT_TRUE(view.has_value());
        return view ? atoms_of(program, *view) : std::set<std::string>{"none"};
    }
};

TEST_F(Pulled, ReturnsEveryModelOnceAndThenNothing) {
    solver.open({}, budget);
    Models seen;
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(seen.insert(next(solver)).second);
    EXPECT_EQ(seen, subsets_of_ab);
    EXPECT_FALSE(solver.next().has_value());
    EXPECT_FALSE(solver.next().has_value()); // and again
    EXPECT_EQ(solver.close(), SearchEnd::exhausted);
}

TEST_F(Pulled, TwoSearchesOfTwoSolversTakeTurns) {
    Solver other(program, no_groups, {});
    const std::vector<Literal> with_a{Literal(atom(program, "a"))};
    base::Budget other_budget;
    solver.open({}, budget);
    other.open({with_a, nullptr, false, std::nullopt}, other_budget);
    Models seen{next(solver)};
    Models seen_with_a{next(other)};
    seen.insert(next(solver));
    seen_with_a.insert(next(other));
    EXPECT_FALSE(other.next().has_value());
    EXPECT_EQ(other.close(), SearchEnd::exhausted);
    seen.insert(next(solver));
    seen.insert(next(solver));
    EXPECT_FALSE(solver.next().has_value());
    EXPECT_EQ(solver.close(), SearchEnd::exhausted);
    EXPECT_EQ(seen, subsets_of_ab);
    EXPECT_EQ(seen_with_a, (Models{{"a"}, {"a", "b"}}));
}

TEST_F(Pulled, LeavesTheSolverUsableWhenItIsClosedEarly) {
    for (int pulled = 0; pulled < 4; ++pulled) {
        solver.open({}, budget);
        for (int i = 0; i < pulled; ++i) next(solver);
        EXPECT_EQ(solver.close(), SearchEnd::stopped) << pulled;
        EXPECT_EQ(count(solver), 4U) << pulled;
    }
}

TEST_F(Pulled, EndsWithItsSolver) {
    {
        Solver shortlived(program, no_groups, {});
        shortlived.open({}, budget);
        next(shortlived);
    }
    EXPECT_EQ(count(solver), 4U);
}

TEST_F(Pulled, RefusesASecondSearchOfTheSameSolver) {
    solver.open({}, budget);
    next(solver);
    EXPECT_THROW(solver.open({}, budget), std::logic_error);
    EXPECT_EQ(solver.close(), SearchEnd::stopped);
    EXPECT_EQ(count(solver), 4U);
}

TEST_F(Pulled, ClosesWithoutHavingBeenOpened) { EXPECT_EQ(solver.close(), SearchEnd::stopped); }

TEST_F(Pulled, EndsWithTheBudget) {
    base::Budget two(at_most_models(2));
    solver.open({}, two);
    for (int i = 0; i < 2; ++i) {
        next(solver);
        EXPECT_TRUE(two.take_model());
    }
    next(solver);
    EXPECT_FALSE(two.take_model()); // one too many
    EXPECT_FALSE(solver.next().has_value());
    EXPECT_EQ(solver.close(), SearchEnd::interrupted);
    EXPECT_EQ(count(solver), 4U);
}

TEST_F(Pulled, EndsWhenTheCallerStopsBetweenTwoModels) {
    StopSource stop;
    Limits limits;
    limits.stop = stop.token();
    base::Budget stoppable(limits);
    solver.open({}, stoppable);
    next(solver);
    stop.raise();
    EXPECT_FALSE(solver.next().has_value());
    EXPECT_EQ(solver.close(), SearchEnd::interrupted);
    EXPECT_EQ(stoppable.reached(), base::LimitReached::stopped);
    EXPECT_EQ(count(solver), 4U);
}

TEST_F(Pulled, FindsNothingWithoutTime) {
    base::Budget none(within(0.0));
    solver.open({}, none);
    EXPECT_FALSE(solver.next().has_value());
    EXPECT_EQ(solver.close(), SearchEnd::interrupted);
    EXPECT_EQ(solver.searches(), 0U);
    EXPECT_EQ(count(solver), 4U);
}

TEST_F(Pulled, SeesRulesThatWereAddedBeforeItWasOpened) {
    EXPECT_EQ(count(solver), 4U);
    grounder.ground(":- a, b.");
    solver.open({}, budget);
    Models seen;
    for (int i = 0; i < 3; ++i) seen.insert(next(solver));
    EXPECT_FALSE(solver.next().has_value());
    solver.close();
    EXPECT_EQ(seen, (Models{{}, {"a"}, {"b"}}));
}

TEST_F(Pulled, AcceptsClausesForTheRestOfTheSearch) {
    solver.open({}, budget);
    const auto first = solver.next();
    ASSERT_TRUE(first.has_value());
    const std::vector<Literal> both{Literal(atom(program, "a")), Literal(atom(program, "b"))};
    first->add_clause(std::span(both).first(1));
    first->add_clause(std::span(both).last(1)); // only {a, b} is left
    Models rest;
    while (const auto view = solver.next()) rest.insert(atoms_of(program, *view));
    EXPECT_EQ(solver.close(), SearchEnd::exhausted);
    EXPECT_LE(rest.size(), 1U);
    for (const auto &model : rest) EXPECT_EQ(model, (std::set<std::string>{"a", "b"}));
    EXPECT_EQ(count(solver), 4U);
}

} // namespace
} // namespace neurasp::asp::test
