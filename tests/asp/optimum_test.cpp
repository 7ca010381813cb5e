// Weak constraints: the least cost, and searches restricted to a cost.
#include "asp_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace neurasp::asp::test {
namespace {

using Costs = std::vector<std::int64_t>;

std::optional<Solver::Optimum> optimum(Solver &solver,
                                       const std::vector<Literal> &assumptions = {}) {
    base::Budget budget;
    return solver.find_optimum(assumptions, budget);
}

std::uint64_t count_within(Solver &solver, const Costs &cost,
                           const std::vector<Literal> &assumptions = {}) {
    base::Budget budget;
    std::uint64_t models = 0;
    solver.search({assumptions, nullptr, false, cost}, budget,
                  [&](const ModelView &) { return ++models > 0; });
    return models;
}

TEST(FindOptimum, MinimisesTheHigherPriorityFirst) {
    const Grounder grounder =
        grounded("{a; b; c}. :- not a, not b. #minimize{3@2:a; 1@2:b; 2@2:c; 9@1:b; 1@1:a}.");
    Solver solver(grounder.program(), no_groups, {true});
    EXPECT_EQ(optimum(solver)->cost, (Costs{1, 9})); // only b
    EXPECT_TRUE(optimum(solver)->proven);
}

TEST(FindOptimum, AcceptsNegativeWeights) {
    const Grounder grounder = grounded("{a; b; c}. #minimize{-2@2:a; 1@2:b; -4@1:c; 3@1:a}.");
    Solver solver(grounder.program(), no_groups, {true});
    EXPECT_EQ(optimum(solver)->cost, (Costs{-2, -1})); // a and c
}

TEST(FindOptimum, FindsNothingWithoutModels) {
    const Grounder grounder = grounded("{a}. :- a. #minimize{1:a}.");
    const Literal a(atom(grounder.program(), "a"));
    Solver solver(grounder.program(), no_groups, {true});
    EXPECT_FALSE(optimum(solver, {a}).has_value());
    EXPECT_EQ(optimum(solver)->cost, Costs{0});
}

TEST(FindOptimum, ForgetsTheBoundOfEarlierSearches) {
    const Grounder grounder = grounded("{a; b}. #minimize{5:a; 2:b}.");
    const GroundProgram &program = grounder.program();
    Solver solver(program, no_groups, {true});
    const Literal a(atom(program, "a"));
    const Literal b(atom(program, "b"));
    EXPECT_EQ(optimum(solver)->cost, Costs{0});
    EXPECT_EQ(optimum(solver, {a, b})->cost, Costs{7}); // more than the optimum before
    EXPECT_EQ(optimum(solver, {b})->cost, Costs{2});
    EXPECT_EQ(count(solver), 4U); // without a restriction
}

TEST(CostRestriction, AdmitsAllModelsUpToTheCost) {
    const Grounder grounder = grounded("{a; b; c}. #minimize{-2@2:a; 1@2:b; -4@1:c; 3@1:a}.");
    Solver solver(grounder.program(), no_groups, {true});
    EXPECT_EQ(count_within(solver, {-2, -1}), 1U); // a c
    EXPECT_EQ(count_within(solver, {-2, 3}), 2U);  // and a
    EXPECT_EQ(count_within(solver, {-1, -1}), 3U); // and a b c
    EXPECT_EQ(count_within(solver, {-3, 99}), 0U);
    EXPECT_EQ(count_within(solver, {1, 99}), 8U);
    EXPECT_EQ(count(solver), 8U);
}

TEST(CostRestriction, ReportsTheCostOfEachModel) {
    const Grounder grounder = grounded("{a; b}. #minimize{-2@2:a; 3@1:b}.");
    Solver solver(grounder.program(), no_groups, {true});
    std::set<Costs> costs;
    base::Budget budget;
    solver.search({{}, nullptr, false, Costs{0, 3}}, budget, [&](const ModelView &view) {
        costs.insert(view.cost());
        return true;
    });
    EXPECT_EQ(costs, (std::set<Costs>{{-2, 0}, {-2, 3}, {0, 0}, {0, 3}}));
}

// Six free atoms with random weights and constraints, against all 64 subsets.
TEST(FindOptimum, EqualsBruteForceOnRandomProgramsWithOneSolverForAllQuestions) {
    for (unsigned seed = 1; seed <= 30; ++seed) {
        std::mt19937 random(seed);
        const auto pick = [&](int low, int high) {
            return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
        };
        int weights[2][6];
        std::string text = "{a(0..5)}.";
        for (int p = 0; p < 2; ++p) {
            for (int i = 0; i < 6; ++i) {
                weights[p][i] = pick(-4, 4);
                text += " #minimize{" + std::to_string(weights[p][i]) + "@" +
                        std::to_string(2 - p) + "," + std::to_string(i) + " : a(" +
                        std::to_string(i) + ")}.";
            }
        }
        const int x = pick(0, 2);
        const int y = pick(3, 5);
        text += " :- a(" + std::to_string(x) + "), not a(" + std::to_string(y) + ").";
        const Grounder grounder = grounded(text);
        Solver solver(grounder.program(), no_groups, {true});
        for (int fixed = -1; fixed < 6; ++fixed) {
            std::vector<Costs> all;
            for (int set = 0; set < 64; ++set) {
                if (((set >> x) & 1) == 1 && ((set >> y) & 1) == 0) continue;
                if (fixed >= 0 && ((set >> fixed) & 1) == 0) continue;
                Costs cost{0, 0};
                for (std::size_t p = 0; p < 2; ++p)
                    for (int i = 0; i < 6; ++i) cost[p] += ((set >> i) & 1) * weights[p][i];
                all.push_back(cost);
            }
            std::vector<Literal> assumptions;
            if (fixed >= 0)
                assumptions.emplace_back(
                    atom(grounder.program(), "a(" + std::to_string(fixed) + ")"));
            const Costs least = *std::min_element(all.begin(), all.end());
            // a priority whose weights are all 0 is not in the ground program
            const auto found = optimum(solver, assumptions);
            ASSERT_TRUE(found.has_value()) << "seed " << seed;
            ASSERT_EQ(found->cost, least) << "seed " << seed << ", fixed " << fixed;
            ASSERT_EQ(count_within(solver, least, assumptions),
                      static_cast<std::uint64_t>(std::count(all.begin(), all.end(), least)))
                << "seed " << seed << ", fixed " << fixed;
        }
    }
}

} // namespace
} // namespace neurasp::asp::test
