// Ground programs simplified for completion.
#include "circuit/normal_program.hpp"

#include "asp/solver.hpp"
#include "theory_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace neurasp::circuit {
namespace {

using test::Example;

NormalProgram normalised(const Example &example) {
    return normalise(example.program(), example.is_random(), {});
}

std::uint64_t count(const asp::GroundProgram &rules,
                    const std::vector<std::vector<asp::AtomId>> &groups) {
    asp::Solver solver(rules, groups, {});
    base::Budget budget;
    std::uint64_t models = 0;
    solver.search({}, budget, [&](const asp::ModelView &) { return ++models > 0; });
    return models;
}

template <class Test> bool any_rule(const asp::GroundProgram &rules, Test test) {
    for (std::size_t i = 0; i < rules.rule_count(); ++i) {
        if (test(rules.rule(i))) return true;
    }
    return false;
}

TEST(NormalProgram, a_head_cycle_free_disjunction_is_shifted) {
    const Example example("a | b | c :- not d. {d}. e :- a. a :- e.");
    const NormalProgram normal = normalised(example);
    EXPECT_EQ(normal.obstacle, "");
    EXPECT_FALSE(any_rule(normal.rules, [](const asp::RuleView &rule) {
        return !rule.choice && rule.head.size() > 1;
    }));
    EXPECT_EQ(count(normal.rules, {}), 4U);
}

TEST(NormalProgram, a_real_disjunction_is_refused) {
    const NormalProgram normal = normalised(Example("a | b. a :- b. b :- a."));
    EXPECT_EQ(normal.obstacle, "a disjunction whose atoms depend on each other");
}

TEST(NormalProgram, an_acyclicity_statement_is_refused) {
    const NormalProgram normal = normalised(Example("{a; b}. #edge (1,2) : a. #edge (2,1) : b."));
    EXPECT_EQ(normal.obstacle, "#edge statements");
}

TEST(NormalProgram, a_recursive_weight_body_is_unfolded) {
    const Example example("{s; t}. a :- #sum{2:b; 1,s:s; 1,t:t} >= 2. b :- a.");
    const NormalProgram normal = normalised(example);
    EXPECT_EQ(normal.obstacle, "");
    EXPECT_EQ(count(normal.rules, {}), 4U);
    const std::vector<asp::Literal> with_a{example.literal("a")};
    EXPECT_EQ(example.count(with_a), 1U);
    EXPECT_TRUE(any_rule(normal.rules, [&](const asp::RuleView &rule) {
        return !rule.head.empty() && rule.head[0].value >= example.program().atom_limit();
    }));
}

TEST(NormalProgram, other_weight_bodies_stay) {
    const NormalProgram normal = normalised(Example("{s; t; u}. a :- 2 {s; t; u}."));
    EXPECT_TRUE(any_rule(normal.rules, [](const asp::RuleView &rule) { return rule.weighted(); }));
}

TEST(NormalProgram, a_rule_for_a_random_outcome_becomes_a_constraint) {
    const Example example("{r; s; x}. r :- x.", {{"r", "s"}});
    const NormalProgram normal = normalised(example);
    EXPECT_FALSE(any_rule(normal.rules, [&](const asp::RuleView &rule) {
        return std::find(rule.head.begin(), rule.head.end(), example.atom("r")) != rule.head.end();
    }));
    EXPECT_TRUE(
        any_rule(normal.rules, [](const asp::RuleView &rule) { return rule.head.empty(); }));
    EXPECT_EQ(count(normal.rules, example.variables()), example.count({}));
}

TEST(NormalProgram, a_disjunction_with_a_random_outcome_derives_the_other_atom) {
    const Example example("{r; s}. r | a :- s. {b}. :- a, b.", {{"r", "s"}});
    const NormalProgram normal = normalised(example);
    EXPECT_EQ(normal.obstacle, "");
    EXPECT_EQ(count(normal.rules, example.variables()), example.count({}));
}

TEST(NormalProgram, externals_have_their_values) {
    const Example example("#external a. [true] #external b. #external c. [free] d :- a, not b.");
    const NormalProgram normal = normalised(example);
    EXPECT_EQ(count(normal.rules, {}), 2U); // c is free
    EXPECT_TRUE(normal.rules.externals().empty());
}

TEST(NormalProgram, externals_that_rules_define_have_no_value) {
    const Example example("{d}. #external a. [true] a :- d. #external b. [free] b :- a.");
    EXPECT_EQ(count(normalised(example).rules, {}), 2U); // d, a and b; or none of them
}

TEST(NormalProgram, only_relevant_rules_are_kept) {
    const Example example("{a; b}. c :- a. d :- b.");
    std::vector<bool> relevant(example.program().rule_count(), false);
    relevant[0] = true;
    const NormalProgram normal = normalise(example.program(), example.is_random(), relevant);
    EXPECT_EQ(normal.rules.rule_count(), 1U);
}

} // namespace
} // namespace neurasp::circuit
