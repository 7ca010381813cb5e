// Branch and bound over groups of atoms, compared with brute force.
#include "asp_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace neurasp::asp::test {
namespace {

// A multi-valued problem: variables with outcomes, and pairs of outcomes that exclude each other.
struct Puzzle {
    GroundProgram program;
    Groups groups;
    std::vector<std::pair<AtomId, AtomId>> excluded;

    explicit Puzzle(std::mt19937_64 &random) {
        std::uint32_t next = 1;
        const std::size_t variables = 2 + random() % 5;
        for (std::size_t v = 0; v < variables; ++v) {
            groups.emplace_back();
            for (std::size_t o = 0; o < 2 + random() % 3; ++o) groups.back().emplace_back(next++);
        }
        for (std::size_t c = 0; c < 3 * variables; ++c) {
            const AtomId a(static_cast<std::uint32_t>(1 + random() % (next - 1)));
            const AtomId b(static_cast<std::uint32_t>(1 + random() % (next - 1)));
            if (a == b) continue;
            excluded.emplace_back(a, b);
            program.add_rule(false, {}, std::vector<Literal>{Literal(a), Literal(b)});
        }
    }
    // The costs of all allowed assignments, sorted.
    std::vector<Cost> all_costs(const std::vector<CostBound::Group> &costs) const {
        std::vector<Cost> result;
        std::vector<std::size_t> choice(groups.size(), 0);
        for (bool more = true; more;) {
            std::set<AtomId> chosen;
            Cost sum = 0;
            for (std::size_t v = 0; v < groups.size(); ++v) {
                chosen.insert(groups[v][choice[v]]);
                sum += costs[v].costs[choice[v]];
            }
            const bool allowed =
                std::none_of(excluded.begin(), excluded.end(), [&](const auto &pair) {
                    return chosen.contains(pair.first) && chosen.contains(pair.second);
                });
            if (allowed) result.push_back(sum);
            more = false;
            for (std::size_t v = 0; v < groups.size() && !more; ++v) {
                more = ++choice[v] < groups[v].size();
                if (!more) choice[v] = 0;
            }
        }
        std::sort(result.begin(), result.end());
        return result;
    }
    std::vector<CostBound::Group> random_costs(std::mt19937_64 &random,
                                               std::uint64_t values) const {
        std::vector<CostBound::Group> result;
        for (const auto &group : groups) {
            result.push_back({group, {}});
            // beyond 64 bits, so that sums need all 128
            for (std::size_t o = 0; o < group.size(); ++o)
                result.back().costs.push_back(static_cast<Cost>(random() % values) << 40U);
        }
        return result;
    }
};

Cost cost_of(const std::vector<CostBound::Group> &costs, const ModelView &view) {
    Cost sum = 0;
    for (const CostBound::Group &group : costs) {
        for (std::size_t o = 0; o < group.atoms.size(); ++o) {
            if (view.is_true(group.atoms[o])) sum += group.costs[o];
        }
    }
    return sum;
}

// The least cost that branch and bound finds; -1 if there is no model.
Cost least_cost(Solver &solver, const std::vector<CostBound::Group> &costs) {
    CostBound bound(costs);
    base::Budget budget;
    Cost best = -1;
    const auto end =
        solver.search({{}, &bound, true, std::nullopt}, budget, [&](const ModelView &view) {
            const Cost cost = cost_of(costs, view);
            EXPECT_TRUE(best < 0 || cost < best); // models that reach the limit are pruned
            best = cost;
            bound.set_limit(best);
            return true;
        });
    EXPECT_EQ(end, SearchEnd::exhausted);
    return best;
}

std::uint64_t count_below(Solver &solver, const std::vector<CostBound::Group> &costs, Cost limit,
                          bool prune = true) {
    CostBound bound(costs);
    bound.set_limit(limit);
    base::Budget budget;
    std::uint64_t models = 0;
    solver.search({{}, &bound, prune, std::nullopt}, budget,
                  [&](const ModelView &) { return ++models > 0; });
    return models;
}

TEST(CostBound, FindsTheBestOfRandomProblems) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        std::mt19937_64 random(seed);
        const Puzzle puzzle(random);
        const auto costs = puzzle.random_costs(random, 1'000'000'007);
        const auto all = puzzle.all_costs(costs);
        Solver solver(puzzle.program, puzzle.groups, {});
        ASSERT_TRUE(least_cost(solver, costs) == (all.empty() ? -1 : all.front()))
            << "seed " << seed;
    }
}

TEST(CostBound, LeavesNothingBehindInTheSolver) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        std::mt19937_64 random(seed);
        const Puzzle puzzle(random);
        Solver solver(puzzle.program, puzzle.groups, {});
        for (int search = 0; search < 8; ++search) {
            const auto costs = puzzle.random_costs(random, search % 2 == 0 ? 50 : 1'000'000'007);
            const auto all = puzzle.all_costs(costs);
            ASSERT_TRUE(least_cost(solver, costs) == (all.empty() ? -1 : all.front()))
                << "seed " << seed << ", search " << search;
            ASSERT_EQ(count(solver), all.size()) << "seed " << seed << ", search " << search;
        }
    }
}

TEST(CostBound, AdmitsExactlyTheModelsThatCostLessThanTheLimit) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        std::mt19937_64 random(seed);
        const Puzzle puzzle(random);
        const auto costs = puzzle.random_costs(random, 6); // many equal sums
        const auto all = puzzle.all_costs(costs);
        Solver solver(puzzle.program, puzzle.groups, {});
        for (std::size_t i = 0; i < all.size(); i += 1 + all.size() / 5) {
            const auto below = std::lower_bound(all.begin(), all.end(), all[i]) - all.begin();
            ASSERT_EQ(count_below(solver, costs, all[i]), static_cast<std::uint64_t>(below))
                << seed;
            const auto upto = std::upper_bound(all.begin(), all.end(), all[i]) - all.begin();
            ASSERT_EQ(count_below(solver, costs, all[i] + 1), static_cast<std::uint64_t>(upto))
                << seed;
        }
    }
}

TEST(CostBound, FindsNothingBelowTheLeastCost) {
    const Groups groups{{AtomId(1U), AtomId(2U)}, {AtomId(3U), AtomId(4U)}};
    const GroundProgram program;
    const std::vector<CostBound::Group> costs{{groups[0], {5, 6}}, {groups[1], {1, 9}}};
    Solver solver(program, groups, {});
    EXPECT_EQ(count_below(solver, costs, 6), 0U);
    EXPECT_EQ(count_below(solver, costs, 7), 1U);
    EXPECT_EQ(count_below(solver, costs, 0), 0U);
    EXPECT_EQ(count_below(solver, costs, CostBound::no_limit), 4U);
}

TEST(CostBound, AcceptsGroupsWhoseCostsAreAllEqual) {
    const Groups groups{{AtomId(1U), AtomId(2U), AtomId(3U)}, {AtomId(4U), AtomId(5U)}};
    const GroundProgram program;
    const std::vector<CostBound::Group> costs{{groups[0], {2, 2, 2}}, {groups[1], {0, 0}}};
    Solver solver(program, groups, {});
    EXPECT_TRUE(least_cost(solver, costs) == 2);
    EXPECT_EQ(count_below(solver, costs, 2), 0U);
    EXPECT_EQ(count_below(solver, costs, 3), 6U);
}

TEST(CostBound, SteersTowardsCheapOutcomesWithoutPruning) {
    const Groups groups{
        {AtomId(1U), AtomId(2U)}, {AtomId(3U), AtomId(4U)}, {AtomId(5U), AtomId(6U)}};
    const GroundProgram program;
    const std::vector<CostBound::Group> costs{
        {groups[0], {9, 0}}, {groups[1], {0, 9}}, {groups[2], {9, 0}}};
    Solver solver(program, groups, {});
    CostBound bound(costs);
    bound.set_limit(1); // does not matter
    base::Budget budget;
    std::vector<Cost> found;
    solver.search({{}, &bound, false, std::nullopt}, budget, [&](const ModelView &view) {
        found.push_back(cost_of(costs, view));
        return true;
    });
    ASSERT_EQ(found.size(), 8U);
    EXPECT_TRUE(found.front() == 0);
}

TEST(CostBound, WorksBesideFreeChoicesAndUnderAssumptions) {
    // each model has x or y; the free atom f doubles the models
    const Grounder grounder = grounded("{x; y; f}. g :- f, x.");
    const GroundProgram &ground = grounder.program();
    GroundProgram program;
    const std::vector<AtomId> f{atom(ground, "f")};
    program.add_rule(true, f, {});
    const Groups groups{{atom(ground, "x"), atom(ground, "y")}};
    const std::vector<CostBound::Group> costs{{groups[0], {0, 10}}};
    Solver solver(program, groups, {});
    EXPECT_EQ(count_below(solver, costs, 10), 2U);
    EXPECT_EQ(count_below(solver, costs, 11), 4U);
    CostBound bound(costs);
    bound.set_limit(10);
    base::Budget budget;
    const Literal y(atom(ground, "y"));
    int models = 0;
    solver.search({std::span(&y, 1), &bound, true, std::nullopt}, budget,
                  [&](const ModelView &) { return ++models > 0; });
    EXPECT_EQ(models, 0);
    EXPECT_EQ(count(solver, {y}), 2U);
}

TEST(CostBound, WorksWithGroupsThatAreAddedLater) {
    GroundProgram program;
    Groups groups{{AtomId(1U), AtomId(2U)}};
    Solver solver(program, groups, {});
    std::vector<CostBound::Group> costs{{groups[0], {3, 4}}};
    EXPECT_TRUE(least_cost(solver, costs) == 3);
    groups.push_back({AtomId(3U), AtomId(4U)});
    program.add_rule(false, {}, std::vector<Literal>{Literal(1), Literal(3)});
    program.add_rule(false, {}, std::vector<Literal>{Literal(1), Literal(4)});
    costs.push_back({groups[1], {7, 8}});
    EXPECT_TRUE(least_cost(solver, costs) == 11); // outcome 1 is impossible now
}

TEST(CostBound, MayBeDestroyedBeforeTheSolverLoadsMoreRules) {
    Grounder grounder = grounded("#external e. {a; b; c}.");
    const GroundProgram &program = grounder.program();
    const Groups groups{{atom(program, "a"), atom(program, "b")}};
    Solver solver(program, groups, {});
    const std::vector<CostBound::Group> costs{{groups[0], {1, 2}}};
    EXPECT_EQ(count_below(solver, costs, 2), 2U); // a, and c or not; the bound ends here
    grounder.ground("d :- a, e. {f} :- e.");
    solver.assign_external(atom(program, "e"), ExternalValue::is_true);
    EXPECT_EQ(count(solver), 8U);
}

} // namespace
} // namespace neurasp::asp::test
