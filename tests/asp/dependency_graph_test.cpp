// Edges and strongly connected components, compared with reachability.
#include "asp/analysis.hpp"
#include "asp/dependency_graph.hpp"

#include <gtest/gtest.h>

#include <set>

namespace neurasp::asp::test {
namespace {

using Edges = DependencyGraph::Edges;

// head :- body for single literals.
void add(GroundProgram &program, std::uint32_t head, std::int32_t body) {
    const AtomId atom(head);
    const Literal literal(body);
    program.add_rule(false, std::span(&atom, 1), std::span(&literal, 1));
}

std::size_t distinct(const std::vector<std::uint32_t> &components) {
    return std::set<std::uint32_t>(components.begin() + 1, components.end()).size();
}

TEST(DependencyGraph, HasEdgesFromHeadsToBodies) {
    GroundProgram program;
    const std::vector<AtomId> heads{AtomId(1U), AtomId(2U)};
    program.add_rule(false, heads, std::vector<Literal>{Literal(3), Literal(-4)});
    const DependencyGraph positive(program, Edges::positive, {});
    const DependencyGraph all(program, Edges::all, {});
    EXPECT_EQ(positive.successors(1).size(), 1U);
    EXPECT_EQ(positive.successors(2)[0], 3U);
    EXPECT_EQ(all.successors(1).size(), 2U);
    EXPECT_TRUE(all.successors(3).empty());
}

TEST(DependencyGraph, PutsACycleIntoOneComponent) {
    GroundProgram program;
    for (std::uint32_t i = 1; i <= 5; ++i) add(program, i, static_cast<std::int32_t>(i % 5 + 1));
    const auto components = DependencyGraph(program, Edges::positive, {}).components();
    EXPECT_EQ(distinct(components), 1U);
}

TEST(DependencyGraph, NumbersChildrenBeforeParents) {
    GroundProgram program; // 1 -> 2 <-> 3 -> 4, 1 -> 4
    add(program, 1, 2);
    add(program, 2, 3);
    add(program, 3, 2);
    add(program, 3, 4);
    add(program, 1, 4);
    const auto c = DependencyGraph(program, Edges::positive, {}).components();
    EXPECT_EQ(distinct(c), 3U);
    EXPECT_EQ(c[2], c[3]);
    EXPECT_LT(c[4], c[2]);
    EXPECT_LT(c[2], c[1]);
}

TEST(DependencyGraph, FollowsNegationOnlyWhenAsked) {
    GroundProgram program;
    add(program, 1, -2);
    add(program, 2, -1);
    EXPECT_EQ(distinct(DependencyGraph(program, Edges::positive, {}).components()), 2U);
    EXPECT_EQ(distinct(DependencyGraph(program, Edges::all, {}).components()), 1U);
}

TEST(DependencyGraph, LooksOnlyAtMarkedRules) {
    GroundProgram program;
    add(program, 1, 2);
    add(program, 2, 1);
    EXPECT_EQ(distinct(DependencyGraph(program, Edges::positive, {true, false}).components()), 2U);
}

TEST(DependencyGraph, SeparatesTwoCyclesThatAreConnectedInOneDirection) {
    GroundProgram program; // {1,2,3} -> {4,5}, and 4 -> 6 outside
    for (const auto &[head, body] :
         {std::pair{1U, 2}, {2U, 3}, {3U, 1}, {3U, 4}, {4U, 5}, {5U, 4}, {4U, 6}}) {
        add(program, head, body);
    }
    const auto c = DependencyGraph(program, Edges::positive, {}).components();
    EXPECT_EQ(c[1], c[3]);
    EXPECT_EQ(c[4], c[5]);
    EXPECT_NE(c[1], c[4]);
    EXPECT_EQ(distinct(c), 3U);
}

TEST(DependencyGraph, AgreesWithReachabilityOnRandomGraphs) {
    std::uint32_t state = 12345; // a small generator of its own
    const auto next = [&](std::uint32_t bound) {
        return (state = state * 1664525U + 1013904223U) / 65536U % bound;
    };
    for (int round = 0; round < 50; ++round) {
        constexpr std::uint32_t n = 12;
        bool reaches[n + 1][n + 1] = {};
        GroundProgram program;
        for (std::uint32_t i = 1; i <= n; ++i) reaches[i][i] = true;
        for (std::uint32_t e = 0; e < 16; ++e) {
            const std::uint32_t a = next(n) + 1;
            const std::uint32_t b = next(n) + 1;
            add(program, a, static_cast<std::int32_t>(b));
            reaches[a][b] = true;
        }
        for (std::uint32_t k = 1; k <= n; ++k)
            for (std::uint32_t i = 1; i <= n; ++i)
                for (std::uint32_t j = 1; j <= n; ++j)
                    reaches[i][j] = reaches[i][j] || (reaches[i][k] && reaches[k][j]);
        const auto c = DependencyGraph(program, Edges::positive, {}).components();
        for (std::uint32_t i = 1; i < c.size(); ++i)
            for (std::uint32_t j = 1; j < c.size(); ++j)
                ASSERT_EQ(c[i] == c[j], reaches[i][j] && reaches[j][i]) << "round " << round;
    }
}

TEST(DependencyGraph, HandlesAChainOf200000AtomsWithoutRecursion) {
    constexpr std::uint32_t length = 200'000;
    GroundProgram program;
    for (std::uint32_t i = 1; i < length; ++i) add(program, i, static_cast<std::int32_t>(i + 1));
    const auto c = DependencyGraph(program, Edges::positive, {}).components();
    EXPECT_EQ(distinct(c), length);
    EXPECT_GT(c[1], c[length]);
    EXPECT_TRUE(analyse(program).tight);
    add(program, length, 1); // and a cycle of as many
    EXPECT_EQ(analyse(program).largest_scc, length);
}

} // namespace
} // namespace neurasp::asp::test
