// Splitting into components, and their keys.
#include "circuit/walking_finder.hpp"

#include "theory_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace neurasp::circuit {
namespace {

using test::add_choice;
using test::add_clause;
using test::propagate_all;

// A theory under propagation, ready to be split.
class Splitter {
  public:
    explicit Splitter(const Theory &theory)
        : propagator(theory), unfounded(theory, propagator),
          finder_(theory, propagator, unfounded, positions(theory)), whole_(finder_.whole()) {
        EXPECT_TRUE(propagate_all(propagator, unfounded));
    }

    std::vector<Component> split() {
        std::vector<Component> found;
        finder_.split(whole_, found);
        return found;
    }
    bool has(const Component &component, Lit lit) const {
        const auto variables = finder_.variables(component);
        return std::find(variables.begin(), variables.end(), lit.var()) != variables.end();
    }
    void decide(Lit lit) {
        propagator.decide(lit);
        EXPECT_TRUE(propagate_all(propagator, unfounded));
    }
    void undo() {
        propagator.undo_level();
        unfounded.undone();
    }

    Propagator propagator;
    UnfoundedSets unfounded;

  private:
    static std::vector<std::uint32_t> positions(const Theory &theory) {
        std::vector<std::uint32_t> result(theory.variable_limit());
        std::iota(result.begin(), result.end(), 0U);
        return result;
    }

    WalkingFinder finder_;
    Component whole_;
};

TEST(Components, independent_constraints_split) {
    Theory theory;
    const auto a = add_choice(theory, 3);
    const auto b = add_choice(theory, 2);
    const auto c = add_choice(theory, 2);
    const auto d = add_choice(theory, 3);
    add_clause(theory, {a[0], b[0]});
    add_clause(theory, {c[0], d[2]});
    Splitter splitter(theory);
    const auto found = splitter.split();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_TRUE(splitter.has(found[0], a[0]) && splitter.has(found[0], b[0]));
    EXPECT_TRUE(splitter.has(found[1], c[0]) && splitter.has(found[1], d[2]));
    EXPECT_EQ(found[0].decision.index, 0U);
    EXPECT_EQ(found[1].decision.index, 2U);
    EXPECT_FALSE(found[0].key == found[1].key);
}

TEST(Components, outcomes_of_one_choice_stay_together) {
    Theory theory;
    const auto digit = add_choice(theory, 4);
    const auto a = add_choice(theory, 2);
    const auto b = add_choice(theory, 2);
    add_clause(theory, {digit[0], a[0]});
    add_clause(theory, {digit[3], b[0]});
    EXPECT_EQ(Splitter(theory).split().size(), 1U);
}

TEST(Components, definitions_that_are_not_needed_are_dropped) {
    Theory theory;
    const auto a = add_choice(theory, 2);
    const auto b = add_choice(theory, 2);
    const auto c = add_choice(theory, 3);
    Gates gates(theory);
    const Lit gate = gates.conjunction({a[0], b[0]});
    EXPECT_TRUE(Splitter(theory).split().empty());
    add_clause(theory, {gate, c[1]});
    Splitter splitter(theory);
    EXPECT_EQ(splitter.split().size(), 1U);
    splitter.decide(c[1]);
    EXPECT_TRUE(splitter.split().empty());
}

TEST(Components, a_restricted_choice_is_still_needed) {
    Theory theory;
    const auto digit = add_choice(theory, 3);
    add_clause(theory, {~digit[1]});
    Splitter splitter(theory);
    const auto found = splitter.split();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].decision.index, 0U);
}

TEST(Components, the_key_depends_only_on_the_rest) {
    Theory theory;
    const auto digit = add_choice(theory, 4);
    const auto a = add_choice(theory, 2);
    const auto b = add_choice(theory, 2);
    add_clause(theory, {digit[2], digit[3], a[0], b[0]});
    add_clause(theory, {digit[0], digit[1], digit[3], a[0], b[1]});
    Splitter splitter(theory);
    std::vector<std::vector<Component>> found;
    for (const Lit outcome : digit) {
        splitter.decide(outcome);
        found.push_back(splitter.split());
        splitter.undo();
    }
    EXPECT_TRUE(found[0].at(0).key == found[1].at(0).key);
    EXPECT_FALSE(found[0].at(0).key == found[2].at(0).key);
    EXPECT_TRUE(found[3].empty());
}

TEST(Components, open_variables_and_evidence_are_needed) {
    Theory theory;
    const auto a = add_choice(theory, 2);
    const Var x = theory.add_variable(VarKind::open);
    Gates gates(theory);
    theory.evidence = {gates.conjunction({a[0], Lit(x)})};
    theory.determined = false;
    Splitter splitter(theory);
    const auto found = splitter.split();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(found[0].has_evidence);
    EXPECT_EQ(found[0].open_var, x);
}

// a :- b. b :- a. a :- x. b :- y. and a must hold: no clause connects x and y.
TEST(Components, possible_supports_of_an_unsettled_cycle_stay_together) {
    const test::Example example("{x; nx; y; ny}. a :- b. b :- a. a :- x. b :- y.",
                                {{"x", "nx"}, {"y", "ny"}});
    const Theory theory = translate(example.input({"a"})).theory.value();
    Splitter splitter(theory);
    const auto found = splitter.split();
    ASSERT_EQ(found.size(), 1U);
    const Lit x = theory.choices()[0].outcomes[0];
    const Lit y = theory.choices()[1].outcomes[0];
    EXPECT_TRUE(splitter.has(found[0], x));
    EXPECT_TRUE(splitter.has(found[0], y));
    splitter.decide(x);
    EXPECT_TRUE(splitter.split().empty());
}

// The evidence is about an atom through which the cycle only passes.
TEST(Components, evidence_on_a_cycle_is_part_of_the_key) {
    const test::Example example("{x; nx; y; ny}. a :- x. a :- b. {b} :- a. c :- b, y. b :- c.",
                                {{"x", "nx"}, {"y", "ny"}});
    const Theory theory = translate(example.input({"not c"})).theory.value();
    Splitter splitter(theory);
    splitter.decide(theory.choices()[0].outcomes[0]);
    std::vector<Fingerprint> keys;
    for (const Lit outcome : theory.choices()[1].outcomes) {
        splitter.decide(outcome);
        const auto found = splitter.split();
        ASSERT_EQ(found.size(), 1U);
        keys.push_back(found[0].key);
        splitter.undo();
    }
    EXPECT_FALSE(keys[0] == keys[1]);
}

} // namespace
} // namespace neurasp::circuit
