// Searches that pause and go on, and the race between them.
#include "circuit/race.hpp"

#include "random_cycles.hpp"
#include "theory_support.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace neurasp::circuit {
namespace {

using test::Example;

Order order_of(const Theory &theory, bool reversed) {
    Order order;
    order.position.assign(theory.variable_limit(), nothing);
    const auto count = static_cast<std::uint32_t>(theory.choices().size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t choice = reversed ? count - 1 - i : i;
        order.sequence.push_back({Decision::Kind::choice, choice});
        for (const Lit outcome : theory.choices()[choice].outcomes) {
            order.position[outcome.var()] = i;
        }
    }
    for (Var var = 1; var < theory.variable_limit(); ++var) {
        if (order.position[var] == nothing) order.position[var] = count + var;
    }
    return order;
}

TEST(Race, a_search_that_pauses_after_every_decision_makes_the_same_circuit) {
    int paused = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE(seed);
        const test::RandomText text = test::random_cycles(seed);
        const Example example(text.program, text.variables);
        const Theory theory = translate(example.input({})).theory.value();
        base::Budget budget;
        const Order order = order_of(theory, false);
        Search whole(theory, {}, Below::ratios, budget, {});
        whole.start(order);
        ASSERT_EQ(whole.go_on({}), SearchEnd::done);
        Search parts(theory, {}, Below::ratios, budget, {});
        parts.start(order);
        std::uint64_t decisions = 0;
        while (parts.go_on({++decisions}) != SearchEnd::done) {
            ++paused;
            ASSERT_LT(decisions, 1'000'000U);
            EXPECT_LE(parts.progress(), 1.0);
        }
        EXPECT_EQ(whole.decisions(), parts.decisions());
        EXPECT_EQ(whole.take_circuit(), parts.take_circuit());
    }
    EXPECT_GT(paused, 100); // otherwise the test would say nothing
}

// A choice that many others depend on, decided first or last.
Theory hub() {
    std::string program;
    std::vector<std::vector<std::string>> variables{{"h(1)", "h(2)", "h(3)"}};
    program = "{h(1..3)}. ";
    for (int i = 0; i < 10; ++i) {
        const std::string n = std::to_string(i);
        variables.push_back({"x" + n, "y" + n});
        program += "{x" + n + "; y" + n + "}. :- h(1), x" + n + ". :- h(2), y" + n + ". ";
    }
    return translate(Example(program, variables).input({})).theory.value();
}

TEST(Race, takes_the_smallest_circuit_while_searches_are_cheap) {
    const Theory theory = hub();
    base::Budget budget;
    CompilerResult result;
    const CompilerLimits limits;
    const CompilerSwitches switches;
    const std::vector<Order> orders{order_of(theory, true), order_of(theory, false)};
    std::vector<std::size_t> edges;
    for (const Order &order : orders) {
        Search search(theory, {}, Below::ratios, budget, switches);
        search.start(order);
        ASSERT_EQ(search.go_on({}), SearchEnd::done);
        edges.push_back(search.take_circuit().edge_count());
    }
    ASSERT_GT(edges[0], edges[1]);
    {
        Race race(theory, {}, Below::ratios, limits, budget, switches, {}, result);
        EXPECT_TRUE(race.enter(orders));
    }
    ASSERT_TRUE(result.circuit);
    EXPECT_EQ(result.circuit->edge_count(), edges[1]);
    EXPECT_GT(result.statistics.decisions, 0U);
}

TEST(Race, a_limit_on_steps_ends_it_without_a_circuit) {
    const Theory theory = hub();
    base::Budget budget;
    CompilerResult result;
    CompilerLimits limits;
    limits.steps = 1;
    const CompilerSwitches switches;
    const std::vector<Order> orders{order_of(theory, true)};
    Race race(theory, {}, Below::ratios, limits, budget, switches, {}, result);
    EXPECT_TRUE(race.enter(orders));
    EXPECT_FALSE(result.circuit);
    EXPECT_EQ(result.limit, Race::step_limit);
}

TEST(Race, a_limit_on_nodes_drops_those_that_reach_it) {
    const Theory theory = hub();
    base::Budget budget;
    CompilerResult result;
    CompilerLimits limits;
    limits.nodes = 3;
    const CompilerSwitches switches;
    const std::vector<Order> orders{order_of(theory, true), order_of(theory, false)};
    Race race(theory, {}, Below::ratios, limits, budget, switches, {}, result);
    if (!race.enter(orders)) race.run();
    EXPECT_FALSE(result.circuit);
    EXPECT_EQ(result.limit, "node limit");
}

} // namespace
} // namespace neurasp::circuit
