// Keys of theories: equal questions share one, different questions do not.
#include "circuit/theory_key.hpp"

#include "theory_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::circuit {
namespace {

using test::Example;

// The sum of two coins on `first` and `second`, observed.
Fingerprint key(const std::string &first, const std::string &second, const std::string &sum,
                const std::string &more = "") {
    const auto outcomes = [](const std::string &name) {
        return std::vector<std::string>{"c(" + name + ",0)", "c(" + name + ",1)"};
    };
    const Example example("{c(" + first + ",0..1); c(" + second + ",0..1)}. s(X+Y) :- c(" + first +
                              ",X), c(" + second + ",Y). " + more,
                          {outcomes(first), outcomes(second)});
    return theory_key(translate(example.input({sum})).theory.value(), Below::ratios);
}

TEST(TheoryKey, names_of_terms_play_no_part) {
    EXPECT_TRUE(key("left", "right", "s(1)") == key("i1", "i2", "s(1)"));
}

TEST(TheoryKey, another_observation_has_another_key) {
    EXPECT_FALSE(key("a", "b", "s(1)") == key("a", "b", "s(2)"));
    EXPECT_FALSE(key("a", "b", "s(1)") == key("a", "b", "not s(1)"));
}

TEST(TheoryKey, rules_that_do_not_matter_do_not_change_it) {
    EXPECT_TRUE(key("a", "b", "s(1)") == key("a", "b", "s(1)", "t :- s(2). u :- not t."));
    EXPECT_FALSE(key("a", "b", "s(1)") == key("a", "b", "s(1)", ":- c(a,1), c(b,1)."));
}

TEST(TheoryKey, supports_of_a_cycle_are_part_of_it) {
    const std::vector<std::vector<std::string>> variables{{"x", "nx"}, {"y", "ny"}};
    const auto cycle = [&](const std::string &text) {
        const Example example("{x; nx; y; ny}. " + text, variables);
        return theory_key(translate(example.input({"a"})).theory.value(), Below::ratios);
    };
    const std::string rules = "a :- b. b :- a. a :- x. ";
    EXPECT_TRUE(cycle(rules) == cycle("a :- k. k :- a. a :- x."));
    EXPECT_FALSE(cycle(rules) == cycle(rules + "b :- y."));
}

TEST(TheoryKey, what_is_shown_is_part_of_it) {
    const Example example("{x; nx; y; ny}. a :- x. a :- y. b :- x, y.", {{"x", "nx"}, {"y", "ny"}});
    const auto showing = [&](const std::vector<std::string> &atoms) {
        TranslationInput input = example.input({"a"});
        for (const std::string &atom : atoms) input.shown.push_back({{example.literal(atom)}});
        return theory_key(translate(input).theory.value(), Below::ratios);
    };
    EXPECT_TRUE(showing({"b", "x"}) == showing({"b", "x"}));
    EXPECT_FALSE(showing({"b", "x"}) == showing({"b"}));
    EXPECT_FALSE(showing({"b", "x"}) == showing({"x", "b"}));
    EXPECT_FALSE(showing({"b", "x"}) == showing({"b", "nx"}));
}

TEST(TheoryKey, the_kind_of_leaves_matters_if_choices_are_open) {
    const Example open("{x; nx}. {a} :- x.", {{"x", "nx"}});
    const Theory theory = translate(open.input({"a"})).theory.value();
    EXPECT_FALSE(theory_key(theory, Below::ratios) == theory_key(theory, Below::models));
    const Example closed("{x; nx}. a :- x.", {{"x", "nx"}});
    const Theory determined = translate(closed.input({"a"})).theory.value();
    EXPECT_TRUE(theory_key(determined, Below::ratios) == theory_key(determined, Below::models));
}

} // namespace
} // namespace neurasp::circuit
