// Orders that follow the atoms of positive cycles.
#include "circuit/cycle_order.hpp"

#include "theory_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace neurasp::circuit {
namespace {

using test::Example;

// Reachability from node 0 along the edges of a ladder, both ways; which edges are there is random.
struct Ladder {
    std::string program;
    std::vector<std::vector<std::string>> variables;
    std::vector<std::pair<int, int>> edges;

    explicit Ladder(int length) {
        for (int i = 0; i < length; ++i) {
            if (i + 1 < length) {
                edges.emplace_back(2 * i, 2 * i + 2);
                edges.emplace_back(2 * i + 1, 2 * i + 3);
            }
            edges.emplace_back(2 * i, 2 * i + 1);
        }
        program = "r(0). ";
        for (const auto &[a, b] : edges) {
            const std::string ends = "(" + std::to_string(a) + "," + std::to_string(b) + ")";
            variables.push_back({"e" + ends, "n" + ends});
            program += "{e" + ends + "; n" + ends + "}. ";
        }
        program += "r(Y) :- r(X), e(X,Y). r(X) :- r(Y), e(X,Y).";
    }
};

// All choices in the order of the program.
Order line_of(const Theory &theory) {
    Order order;
    order.position.assign(theory.variable_limit(), nothing);
    for (std::uint32_t c = 0; c < theory.choices().size(); ++c) {
        order.sequence.push_back({Decision::Kind::choice, c});
        for (const Lit outcome : theory.choices()[c].outcomes) order.position[outcome.var()] = c;
    }
    return order;
}

TEST(CycleOrder, has_all_choices_of_the_line_and_both_directions) {
    const Ladder ladder(6);
    const Example example(ladder.program, ladder.variables);
    const Theory theory = translate(example.input({"r(11)"})).theory.value();
    const auto orders = find_cycle_orders(theory, line_of(theory));
    ASSERT_EQ(orders.size(), 2U);
    for (const Order &order : orders) {
        std::set<std::uint32_t> choices;
        for (const Decision &decision : order.sequence) choices.insert(decision.index);
        EXPECT_EQ(choices.size(), theory.choices().size());
        EXPECT_EQ(order.sequence.size(), theory.choices().size());
        for (std::uint32_t i = 0; i < order.sequence.size(); ++i) {
            const auto &outcomes = theory.choices()[order.sequence[i].index].outcomes;
            EXPECT_EQ(order.position[outcomes.front().var()], i);
        }
    }
    EXPECT_NE(orders[0].sequence, orders[1].sequence);
}

// After each decision, the nodes with both decided and undecided edges are the frontier; node 0 does not count, because it is
// reached anyway. A ladder can be taken node by node with two nodes behind which all is decided, and one that is at work.
TEST(CycleOrder, keeps_the_frontier_of_a_ladder_narrow) {
    const Ladder ladder(8);
    const Example example(ladder.program, ladder.variables);
    const Theory theory = translate(example.input({"r(15)"})).theory.value();
    const auto orders = find_cycle_orders(theory, line_of(theory));
    ASSERT_FALSE(orders.empty());
    std::set<std::size_t> decided;
    std::size_t widest = 0;
    for (const Decision &decision : orders.front().sequence) {
        decided.insert(theory.choices()[decision.index].source);
        std::size_t frontier = 0;
        for (int node = 1; node < 16; ++node) {
            bool some = false;
            bool all = true;
            for (std::size_t e = 0; e < ladder.edges.size(); ++e) {
                const auto &[a, b] = ladder.edges[e];
                if (a != node && b != node) continue;
                some = some || decided.count(e) > 0;
                all = all && decided.count(e) > 0;
            }
            frontier += some && !all ? 1 : 0;
        }
        widest = std::max(widest, frontier);
    }
    EXPECT_LE(widest, 3U);
}

TEST(CycleOrder, is_the_same_each_time) {
    const Ladder ladder(5);
    const Example example(ladder.program, ladder.variables);
    const Theory theory = translate(example.input({"r(9)"})).theory.value();
    const auto first = find_cycle_orders(theory, line_of(theory));
    const auto second = find_cycle_orders(theory, line_of(theory));
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].sequence, second[i].sequence);
}

TEST(CycleOrder, says_nothing_where_few_choices_are_on_cycles) {
    const Example example(
        "{x; nx; y; ny; z; nz}. a :- x. a :- b. b :- a. c :- y, z. c :- not y, not z. d :- a, c.",
        {{"x", "nx"}, {"y", "ny"}, {"z", "nz"}});
    const Theory theory = translate(example.input({"d"})).theory.value();
    EXPECT_TRUE(find_cycle_orders(theory, line_of(theory)).empty());
}

} // namespace
} // namespace neurasp::circuit
