// Stable models: counted, under assumptions, of programs that grow.
#include "asp_support.hpp"
#include "clingo_binary.hpp"
#include "programs.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace neurasp::asp::test {
namespace {

TEST(Solver, FindsAsManyModelsAsTheClingoBinary) {
    if (!has_clingo_binary()) GTEST_SKIP() << "no clingo binary";
    for (const auto &[name, text] : programs()) {
        const Grounder grounder = grounded(text);
        Solver solver(grounder.program(), no_groups, {});
        EXPECT_EQ(count(solver), count_models(text)) << name;
        EXPECT_EQ(count(solver), count_models(text)) << name << ", asked again";
    }
}

// With its default options, clasp 3.3.5 finds a sixth model, in which a, c and e support only each other. By hand there
// are five: without y, c holds and x and z are free; with y, e needs x, and c needs z and e.
TEST(Solver, FindsNoUnfoundedSetsBesideDoubleNegation) {
    const Grounder grounder = grounded("{x; y; z}. e :- a, f. e :- d, x. d :- y. c :- not a. "
                                       "f :- not not a. c :- z, e. a :- c, y.");
    Solver solver(grounder.program(), no_groups, {});
    EXPECT_EQ(count(solver), 5U);
}

// clasp 3.3.5 finds each of the two models twice. By hand: y holds, hence b, hence c; x and e do not hold; z is free.
TEST(Solver, FindsModelsOfDisjunctiveProgramsOnce) {
    const Grounder grounder =
        grounded("{x; y; z}. :- x, #sum{1,0 : not not a; 3,1 : x} >= 3. a :- c, not not e, d. "
                 "y | e :- b. c :- not not e, y. b :- y. :- not not x, not not c. "
                 "c :- #sum{3,0 : a; 3,1 : d; 3,2 : b} >= 2. :- not y. e | b :- not not z, not d.");
    Solver solver(grounder.program(), no_groups, {});
    EXPECT_EQ(count(solver), 2U);
    EXPECT_EQ(count(solver), 2U);
}

TEST(Solver, FindsEachModelOnce) {
    const Grounder grounder = grounded("{a; b}. c :- a, not b.");
    Solver solver(grounder.program(), no_groups, {});
    std::multiset<std::set<std::string>> models;
    base::Budget budget;
    solver.search({}, budget, [&](const ModelView &view) {
        models.insert(atoms_of(grounder.program(), view));
        return true;
    });
    EXPECT_EQ(models, (std::multiset<std::set<std::string>>{{}, {"a", "c"}, {"b"}, {"a", "b"}}));
}

TEST(Solver, MakesExactlyOneAtomOfEachGroupTrue) {
    const Grounder grounder = grounded("{x(1..3)}. y :- x(2).");
    GroundProgram rules; // without the choice
    const GroundProgram &program = grounder.program();
    const AtomId y = atom(program, "y");
    const Literal x2(atom(program, "x(2)"));
    rules.add_rule(false, std::span(&y, 1), std::span(&x2, 1));
    const Groups groups{{atom(program, "x(1)"), x2.atom(), atom(program, "x(3)")}};
    Solver solver(rules, groups, {});
    EXPECT_EQ(count(solver), 3U);
    EXPECT_EQ(count(solver, {Literal(y)}), 1U);
    EXPECT_EQ(count(solver, {~Literal(y)}), 2U);
}

TEST(Solver, HoldsAssumptionsForOneSearchOnly) {
    const Grounder grounder = grounded("{a; b; c}. :- a, b.");
    const GroundProgram &program = grounder.program();
    Solver solver(program, no_groups, {});
    const Literal a(atom(program, "a"));
    const Literal b(atom(program, "b"));
    EXPECT_EQ(count(solver, {a}), 2U);
    EXPECT_EQ(count(solver, {a, b}), 0U);
    EXPECT_EQ(count(solver, {a, ~a}), 0U);
    EXPECT_EQ(count(solver, {~a, ~b}), 2U);
    EXPECT_EQ(count(solver), 6U);
}

TEST(Solver, FindsNoModelAgainIfThereIsNone) {
    const Grounder grounder = grounded("{a}. :- a. :- not a.");
    Solver solver(grounder.program(), no_groups, {});
    EXPECT_EQ(count(solver), 0U);
    EXPECT_EQ(count(solver), 0U);
}

TEST(Solver, TakesOverRulesThatAreAddedBetweenSearches) {
    Grounder grounder = grounded("{a(1..3)}.");
    Solver solver(grounder.program(), no_groups, {});
    EXPECT_EQ(count(solver), 8U);
    grounder.ground("b :- a(1), a(2). {c} :- b.");
    const Literal b(atom(grounder.program(), "b"));
    EXPECT_EQ(count(solver), 10U); // two of eight have b, with c or without
    EXPECT_EQ(count(solver, {b}), 4U);
    grounder.ground("d :- #count{X:a(X)} >= 2.");
    EXPECT_EQ(count(solver, {Literal(atom(grounder.program(), "d"))}), 6U);
    grounder.ground(":- b.");
    EXPECT_EQ(count(solver), 6U);
}

TEST(Solver, TakesOverRulesManyTimes) {
    Grounder grounder = grounded("{a(1..4)}.");
    Solver solver(grounder.program(), no_groups, {});
    for (int k = 0; k < 100; ++k) {
        const std::string v = "v(" + std::to_string(k) + ")";
        grounder.ground(v + " :- a(" + std::to_string(k % 4 + 1) + "), not a(" +
                        std::to_string((k + 1) % 4 + 1) + ").");
        ASSERT_EQ(count(solver, {Literal(atom(grounder.program(), v))}), 4U) << k;
        ASSERT_EQ(count(solver, {~Literal(atom(grounder.program(), v))}), 12U) << k;
    }
}

TEST(Solver, ObeysClausesOfTheCallback) {
    const Grounder grounder = grounded("{a; b; c}.");
    const GroundProgram &program = grounder.program();
    Solver solver(program, no_groups, {});
    const std::vector<AtomId> seen{atom(program, "a"), atom(program, "b")};
    base::Budget budget;
    int models = 0;
    solver.search({}, budget, [&](const ModelView &view) { // each value of a and b once
        std::vector<Literal> clause;
        for (const AtomId id : seen) clause.emplace_back(id, !view.is_true(id));
        view.add_clause(clause);
        return ++models > 0;
    });
    EXPECT_EQ(models, 4);
    EXPECT_EQ(count(solver), 8U); // the clauses are gone
}

TEST(Solver, EndsASearchWithAnEmptyClause) {
    const Grounder grounder = grounded("{a; b; c}.");
    Solver solver(grounder.program(), no_groups, {});
    base::Budget budget;
    int models = 0;
    const auto end = solver.search({}, budget, [&](const ModelView &view) {
        view.add_clause({});
        return ++models > 0;
    });
    EXPECT_EQ(models, 1);
    EXPECT_EQ(end, SearchEnd::exhausted);
    EXPECT_EQ(count(solver), 8U);
}

TEST(Solver, StopsWhenTheCallbackSaysSo) {
    const Grounder grounder = grounded("{a; b; c}.");
    Solver solver(grounder.program(), no_groups, {});
    base::Budget budget;
    int models = 0;
    const auto end = solver.search({}, budget, [&](const ModelView &) { return ++models < 3; });
    EXPECT_EQ(models, 3);
    EXPECT_EQ(end, SearchEnd::stopped);
    EXPECT_EQ(count(solver), 8U);
}

TEST(Solver, PassesOnAnExceptionOfTheCallbackAndStaysUsable) {
    const Grounder grounder = grounded("{a; b; c}.");
    Solver solver(grounder.program(), no_groups, {});
    base::Budget budget;
    EXPECT_THROW(solver.search({}, budget,
                               [](const ModelView &) -> bool { throw std::range_error("mine"); }),
                 std::range_error);
    EXPECT_EQ(count(solver), 8U);
}

TEST(Solver, SetsExternals) {
    const Grounder grounder = grounded("#external e. {a} :- e. b :- not e.");
    const GroundProgram &program = grounder.program();
    Solver solver(program, no_groups, {});
    const AtomId e = atom(program, "e");
    EXPECT_EQ(count(solver), 1U); // false by default: {b}
    solver.assign_external(e, ExternalValue::is_true);
    EXPECT_EQ(count(solver), 2U);
    solver.assign_external(e, ExternalValue::free);
    EXPECT_EQ(count(solver), 3U);
    solver.assign_external(e, ExternalValue::is_false);
    EXPECT_EQ(count(solver), 1U);
}

TEST(Solver, LetsTwoSolversOfOneProgramTakeTurns) {
    const Grounder grounder = grounded("{a; b}.");
    Solver outer(grounder.program(), no_groups, {});
    Solver inner(grounder.program(), no_groups, {});
    base::Budget budget;
    std::uint64_t pairs = 0;
    outer.search({}, budget, [&](const ModelView &) {
        pairs += count(inner);
        return true;
    });
    EXPECT_EQ(pairs, 16U);
}

TEST(Solver, CountsItsWorkTheSameWayEachTime) {
    const Grounder grounder = grounded("{a;b}. :- a, b.");
    Solver solver(grounder.program(), no_groups, {}), other(grounder.program(), no_groups, {});
    EXPECT_EQ(solver.fixpoints(), 0U);
    count(solver);
    const std::uint64_t once = solver.fixpoints();
    EXPECT_GE(once, 3U); // one for each model
    count(solver);
    EXPECT_GT(solver.fixpoints(), once);
    count(other);
    EXPECT_EQ(other.fixpoints(), once);
}

TEST(Solver, CountsItsSearches) {
    const Grounder grounder = grounded("{a}.");
    Solver solver(grounder.program(), no_groups, {});
    EXPECT_EQ(solver.searches(), 0U);
    count(solver);
    count(solver);
    EXPECT_EQ(solver.searches(), 2U);
}

} // namespace
} // namespace neurasp::asp::test
