// The data structure of ground programs.
#include "asp/ground_program.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace neurasp::asp::test {
namespace {

std::vector<AtomId> atoms(std::initializer_list<std::uint32_t> values) {
    std::vector<AtomId> result;
    for (const auto value : values) result.emplace_back(value);
    return result;
}

std::vector<Literal> literals(std::initializer_list<std::int32_t> values) {
    std::vector<Literal> result;
    for (const auto value : values) result.emplace_back(value);
    return result;
}

TEST(Literal, IsAnAtomOrItsNegation) {
    const Literal literal(AtomId(7U), false);
    EXPECT_EQ(literal.value(), -7);
    EXPECT_EQ(literal.atom(), AtomId(7U));
    EXPECT_FALSE(literal.positive());
    EXPECT_EQ(~literal, Literal(7));
}

TEST(GroundProgram, StartsEmpty) {
    const GroundProgram program;
    EXPECT_EQ(program.rule_count(), 0U);
    EXPECT_EQ(program.atom_limit(), 1U);
    EXPECT_NO_THROW(program.verify());
}

TEST(GroundProgram, ReturnsRulesAsTheyWereAdded) {
    GroundProgram program;
    program.add_rule(true, atoms({3, 1}), literals({-2, 5}));
    program.add_rule(false, {}, literals({4}));
    const RuleView first = program.rule(0);
    EXPECT_TRUE(first.choice);
    EXPECT_FALSE(first.weighted());
    EXPECT_EQ(std::vector(first.head.begin(), first.head.end()), atoms({3, 1}));
    EXPECT_EQ(std::vector(first.body.begin(), first.body.end()), literals({-2, 5}));
    EXPECT_TRUE(program.rule(1).head.empty());
    EXPECT_EQ(program.atom_limit(), 6U);
}

TEST(GroundProgram, ReturnsWeightRulesAsTheyWereAdded) {
    GroundProgram program;
    program.add_rule(false, atoms({1}), {});
    program.add_weight_rule(false, atoms({2}), 3,
                            std::vector<WeightedLiteral>{{Literal(-1), 2}, {Literal(4), 1}});
    const RuleView rule = program.rule(1);
    EXPECT_TRUE(rule.weighted());
    EXPECT_EQ(rule.bound, 3);
    EXPECT_EQ(std::vector(rule.weights.begin(), rule.weights.end()),
              (std::vector<std::int32_t>{2, 1}));
    EXPECT_FALSE(program.rule(0).weighted());
}

TEST(GroundProgram, SimplifiesWeightRulesThatAlwaysOrNeverHold) {
    GroundProgram program;
    const std::vector<WeightedLiteral> body{{Literal(2), 1}};
    program.add_weight_rule(false, atoms({1}), 0, body); // always
    ASSERT_EQ(program.rule_count(), 1U);
    EXPECT_FALSE(program.rule(0).weighted());
    EXPECT_TRUE(program.rule(0).body.empty());
    program.add_weight_rule(false, atoms({1}), 1, {}); // never
    EXPECT_EQ(program.rule_count(), 1U);
}

TEST(GroundProgram, SortsPrioritiesAndMergesEqualOnes) {
    GroundProgram program;
    program.add_minimize(1, std::vector<WeightedLiteral>{{Literal(1), 5}});
    program.add_minimize(3, std::vector<WeightedLiteral>{{Literal(2), 6}});
    program.add_minimize(-2, {});
    program.add_minimize(1, std::vector<WeightedLiteral>{{Literal(-3), 7}});
    ASSERT_EQ(program.minimize().size(), 3U);
    EXPECT_EQ(program.minimize()[0].priority, 3);
    EXPECT_EQ(program.minimize()[1].priority, 1);
    EXPECT_EQ(program.minimize()[1].literals.size(), 2U);
    EXPECT_EQ(program.minimize()[2].priority, -2);
    EXPECT_NO_THROW(program.verify());
}

TEST(GroundProgram, FindsAtomsBySymbolAndBack) {
    GroundProgram program;
    program.set_symbol(AtomId(4U), Symbol::parse("p(1)"), false);
    program.set_symbol(AtomId(2U), Symbol::parse("q"), true);
    EXPECT_EQ(program.find(Symbol::parse("p(1)")), AtomId(4U));
    EXPECT_EQ(program.find(Symbol::parse("p(2)")), std::nullopt);
    EXPECT_EQ(program.symbol(AtomId(2U)), Symbol::parse("q"));
    EXPECT_EQ(program.symbol(AtomId(3U)), std::nullopt);
    EXPECT_EQ(program.symbol(AtomId(99U)), std::nullopt);
    EXPECT_TRUE(program.is_fact(AtomId(2U)));
    EXPECT_FALSE(program.is_fact(AtomId(99U)));
    EXPECT_EQ(program.named_atoms(), atoms({2, 4}));
}

TEST(GroundProgram, VerifiesThatAtomsAreNotZero) {
    GroundProgram head;
    head.add_rule(false, atoms({0}), {});
    EXPECT_THROW(head.verify(), std::logic_error);
    GroundProgram body;
    body.add_rule(false, atoms({1}), literals({0}));
    EXPECT_THROW(body.verify(), std::logic_error);
}

TEST(GroundProgram, VerifiesThatWeightsArePositive) {
    GroundProgram program;
    program.add_weight_rule(false, atoms({1}), 1, std::vector<WeightedLiteral>{{Literal(2), -1}});
    EXPECT_THROW(program.verify(), std::logic_error);
}

} // namespace
} // namespace neurasp::asp::test
