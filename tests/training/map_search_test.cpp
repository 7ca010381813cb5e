// MapSearch on random tables, compared with a walk over all maps.
#include "training/map_search.hpp"
#include "training/outcome_relation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

namespace neurasp::training {
namespace {

constexpr std::uint64_t many_steps = 1'000'000;

using Map = std::vector<std::uint32_t>;

// A problem, and its constraints once more as plain tables.
struct TestProblem {
    MapProblem maps;
    std::vector<std::vector<TableRelation::Tuple>> tables; // by constraint

    void add(std::vector<std::uint32_t> variables, std::vector<TableRelation::Tuple> tuples) {
        maps.constraints.push_back({std::make_shared<TableRelation>(tuples), std::move(variables)});
        tables.push_back(std::move(tuples));
    }
    bool is_solution(const Map &map) const {
        for (std::size_t c = 0; c < tables.size(); ++c) {
            TableRelation::Tuple tuple;
            for (const std::uint32_t v : maps.constraints[c].variables) tuple.push_back(map[v]);
            if (std::count(tables[c].begin(), tables[c].end(), tuple) == 0) return false;
        }
        return true;
    }
    std::size_t changes(const Map &map) const {
        std::size_t count = 0;
        for (std::size_t v = 0; v < map.size(); ++v) {
            if (map[v] != maps.variables[v].identity) ++count;
        }
        return count;
    }
};

struct BruteForce {
    std::uint64_t count = 0;
    std::optional<std::size_t> fewest_changes; // of solutions other than the identity
};

BruteForce walk(const TestProblem &problem) {
    BruteForce result;
    Map map(problem.maps.variables.size());
    for (;;) {
        if (problem.is_solution(map)) {
            ++result.count;
            const std::size_t changes = problem.changes(map);
            if (changes > 0) {
                result.fewest_changes = std::min(changes, result.fewest_changes.value_or(changes));
            }
        }
        std::size_t v = 0;
        while (v < map.size() && ++map[v] == problem.maps.variables[v].outcomes) map[v++] = 0;
        if (v == map.size()) return result;
    }
}

// Up to six variables with up to four outcomes; tables contain the identity and random other tuples.
TestProblem random_problem(std::mt19937_64 &random) {
    const auto below = [&](std::size_t n) { return random() % n; };
    TestProblem problem;
    const std::size_t variables = 1 + below(6);
    for (std::size_t v = 0; v < variables; ++v) {
        const std::size_t outcomes = 2 + below(3);
        problem.maps.variables.push_back({outcomes, static_cast<std::uint32_t>(below(outcomes))});
    }
    for (std::size_t c = below(5); c > 0; --c) {
        std::vector<std::uint32_t> scope(variables);
        std::iota(scope.begin(), scope.end(), 0U);
        std::shuffle(scope.begin(), scope.end(), random);
        scope.resize(1 + below(std::min<std::size_t>(3, variables)));
        const std::size_t density = 1 + below(9);
        std::vector<TableRelation::Tuple> tuples;
        TableRelation::Tuple tuple(scope.size());
        for (std::size_t i = 0; i < scope.size();) {
            bool identity = true;
            for (std::size_t k = 0; k < scope.size(); ++k) {
                identity = identity && tuple[k] == problem.maps.variables[scope[k]].identity;
            }
            if (identity || below(10) < density) tuples.push_back(tuple);
            i = 0;
            while (i < scope.size() && ++tuple[i] == problem.maps.variables[scope[i]].outcomes) {
                tuple[i++] = 0;
            }
        }
        problem.add(scope, std::move(tuples));
    }
    return problem;
}

TEST(MapSearch, CountsAndFindsTheSmallestAsBruteForceDoes) {
    const std::uint64_t seed = 20261118;
    std::mt19937_64 random(seed);
    for (int round = 0; round < 400; ++round) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", round " << round);
        const TestProblem problem = random_problem(random);
        const BruteForce expected = walk(problem);
        base::Budget budget;
        MapSearch search(problem.maps, budget, many_steps);
        const MapCount count = search.count();
        EXPECT_TRUE(count.complete);
        EXPECT_EQ(count.count.to_string(), std::to_string(expected.count));
        const SmallestMap smallest = search.smallest();
        EXPECT_TRUE(smallest.complete);
        ASSERT_EQ(smallest.map.has_value(), expected.fewest_changes.has_value());
        if (!smallest.map) continue;
        EXPECT_EQ(smallest.changes, *expected.fewest_changes);
        EXPECT_EQ(problem.changes(*smallest.map), smallest.changes);
        EXPECT_TRUE(problem.is_solution(*smallest.map));
    }
}

TEST(MapSearch, ALimitLeavesALowerBoundThatCountsTheIdentity) {
    const std::uint64_t seed = 7;
    std::mt19937_64 random(seed);
    std::size_t ended = 0;
    for (int round = 0; round < 300; ++round) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", round " << round);
        const TestProblem problem = random_problem(random);
        base::Budget budget;
        const MapCount count = MapSearch(problem.maps, budget, round % 12).count();
        const std::uint64_t found = std::stoull(count.count.to_string());
        const std::uint64_t expected = walk(problem).count;
        EXPECT_GE(found, 1U);
        EXPECT_LE(found, expected);
        EXPECT_TRUE(!count.complete || found == expected);
        if (!count.complete) ++ended;
    }
    EXPECT_GT(ended, 20U);
}

TEST(MapSearch, CountsWithoutConstraintsInNoTime) {
    // 30 outcomes that may each become any of 30: 30^30, far beyond any integer type
    MapProblem problem;
    for (std::uint32_t v = 0; v < 30; ++v) problem.variables.push_back({30, v});
    base::Budget budget;
    MapSearch search(problem, budget, many_steps);
    EXPECT_EQ(search.count().count.to_string(), "205891132094649000000000000000000000000000000");
    EXPECT_EQ(search.smallest().changes, 1U);
    EXPECT_EQ(search.steps(), 0U);
}

TEST(MapSearch, DropsConstraintsThatHoldWhateverIsChosen) {
    // the parity of all pairs of ten digits: 2 * 5^10 maps, and no need to walk over them
    TestProblem problem;
    std::vector<TableRelation::Tuple> even;
    std::vector<TableRelation::Tuple> odd;
    for (std::uint32_t a = 0; a < 10; ++a) {
        problem.maps.variables.push_back({10, a});
        for (std::uint32_t b = 0; b < 10; ++b) ((a + b) % 2 == 0 ? even : odd).push_back({a, b});
    }
    for (std::uint32_t a = 0; a < 10; ++a) {
        for (std::uint32_t b = 0; b < a; ++b) problem.add({a, b}, (a + b) % 2 == 0 ? even : odd);
    }
    base::Budget budget;
    MapSearch search(problem.maps, budget, many_steps);
    EXPECT_EQ(search.count().count.to_string(), "19531250");
    EXPECT_LT(search.steps(), 2000U);
    EXPECT_EQ(search.smallest().changes, 1U); // 0 as 2
}

TEST(MapSearch, ARaisedStopFlagEndsIt) {
    TestProblem problem;
    problem.maps.variables = {{2, 0}, {2, 1}};
    problem.add({0, 1}, {{0, 1}, {1, 0}});
    StopSource stop;
    stop.raise();
    Limits limits;
    limits.stop = stop.token();
    base::Budget budget(limits);
    MapSearch search(problem.maps, budget, many_steps);
    const MapCount count = search.count();
    EXPECT_FALSE(count.complete);
    EXPECT_EQ(count.count.to_string(), "1");
    EXPECT_FALSE(search.smallest().map.has_value());
}

} // namespace
} // namespace neurasp::training
