// The models of a theory are the stable models of its program, one to one.
#include "circuit/translation.hpp"

#include "asp/programs.hpp"
#include "theory_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::circuit {
namespace {

using test::count_models;
using test::Example;

Theory theory_of(const TranslationInput &input) {
    Translation translation = translate(input);
    EXPECT_EQ(translation.obstacle, "");
    return std::move(translation.theory).value();
}

// For each atom as evidence, the theory has as many models as there are stable models with the atom.
void expect_same_models(const Example &example) {
    const std::uint64_t models = example.count({});
    EXPECT_EQ(count_models(theory_of(example.input({}, true))), models);
    if (models > 100) return;
    for (const asp::AtomId atom : example.program().named_atoms()) {
        for (const bool positive : {true, false}) {
            TranslationInput input = example.input({}, true);
            input.evidence = {asp::Literal(atom, positive)};
            EXPECT_EQ(count_models(theory_of(input)), example.count(input.evidence))
                << (positive ? "" : "not ") << example.program().symbol(atom)->text();
        }
    }
}

TEST(Translation, keeps_the_stable_models_of_every_kind_of_program) {
    std::size_t translated = 0;
    for (const auto &[name, text] : asp::test::programs()) {
        SCOPED_TRACE(name);
        const Example example(text);
        if (!translate(example.input({}, true)).theory) continue;
        ++translated;
        expect_same_models(example);
    }
    EXPECT_GT(translated, 10U);
}

TEST(Translation, keeps_the_stable_models_of_programs_about_outcomes) {
    const std::vector<std::vector<std::string>> variables{{"d(1)", "d(2)", "d(3)"}, {"h", "t"}};
    const std::string start = "{d(1..3); h; t}. ";
    for (const std::string text : {
             "a :- d(1), h. a :- d(2), t. b :- not a. :- b, d(3), h.",
             "a :- d(X), X > 1. a :- b. b :- a. b :- h, not d(1). c :- not a.",
             "a(S) :- d(X), S = X + 1, h. a(S) :- d(X), S = X, t. :- a(4).",
             "a :- 2 #sum{1 : d(1); 2 : d(2); 3 : d(3), h; -1 : t}.",
             "a :- b, d(1). b :- a, h. a :- c, d(2). c :- b. b :- d(2). c :- t, not d(1).",
             "{a} :- d(1). b :- a, h. a :- b. {c} :- b. :- c, not h.",
             "a | b :- d(1). c :- a. a :- c, h. e :- b. b :- e.",
             "x :- #count{1 : y; 2 : d(2); 3 : h} >= 2. y :- x. y :- d(1).",
             "d(1) :- h. a :- not a, d(2).",
         }) {
        SCOPED_TRACE(text);
        expect_same_models(Example(start + text, variables));
    }
}

TEST(Translation, reports_why_there_is_no_theory) {
    const Example example("a | b. a :- b. b :- a.");
    const Translation translation = translate(example.input({"a"}));
    EXPECT_FALSE(translation.theory);
    EXPECT_EQ(translation.obstacle, "a disjunction whose atoms depend on each other");
}

TEST(Translation, leaves_out_rules_that_the_evidence_does_not_depend_on) {
    const Example example("{h; t}. {u; v}. a :- h. b :- u. c :- b.", {{"h", "t"}, {"u", "v"}});
    const Theory theory = theory_of(example.input({"a"}));
    ASSERT_EQ(theory.choices().size(), 1U);
    EXPECT_EQ(theory.choices()[0].source, 0U);
    EXPECT_EQ(count_models(theory), 1U);
    EXPECT_EQ(theory_of(example.input({"a"}, true)).choices().size(), 2U);
}

TEST(Translation, includes_free_choices_that_influence_num) {
    const Example example("{h; t}. a :- h. {b} :- a. {c} :- b.", {{"h", "t"}});
    const Theory theory = theory_of(example.input({"b"}));
    EXPECT_FALSE(theory.determined);
    EXPECT_EQ(theory.evidence.size(), 1U);
    EXPECT_EQ(theory.open_atoms.size(), 2U);
    EXPECT_EQ(count_models(theory), 2U);
}

TEST(Translation, evidence_is_a_clause_if_outcomes_determine_the_model) {
    const Example example("{h; t}. a :- h. b :- not a.", {{"h", "t"}});
    const Theory theory = theory_of(example.input({"not b"}));
    EXPECT_TRUE(theory.determined);
    EXPECT_TRUE(theory.evidence.empty());
    EXPECT_EQ(count_models(theory), 1U);
}

TEST(Translation, one_alternative_has_to_hold) {
    const Example example("{d(1..3); h; t}. a :- d(1).", {{"d(1)", "d(2)", "d(3)"}, {"h", "t"}});
    TranslationInput input = example.input({}, true);
    input.alternatives = {{example.literal("a"), example.literal("h")},
                          {example.literal("d(3)"), example.literal("not h")}};
    EXPECT_EQ(count_models(theory_of(input)), 2U);
}

TEST(Translation, a_cost_limit_excludes_expensive_models) {
    const Example example("{d(1..3); h; t}.", {{"d(1)", "d(2)", "d(3)"}, {"h", "t"}});
    TranslationInput input = example.input({}, true);
    input.cost_limits = {
        {{{example.literal("d(1)"), -1}, {example.literal("d(3)"), 2}, {example.literal("h"), 1}},
         1}};
    EXPECT_EQ(count_models(theory_of(input)), 4U);
}

TEST(Translation, an_external_may_be_an_input) {
    const Example example("{h; t}. #external e. a :- h, e. a :- t, not e.", {{"h", "t"}});
    EXPECT_EQ(count_models(theory_of(example.input({"a"}))), 1U);
    TranslationInput input = example.input({"a"});
    input.inputs = {example.atom("e")};
    const Theory theory = theory_of(input);
    ASSERT_EQ(theory.choices().size(), 2U);
    EXPECT_EQ(theory.choices()[1].source, 1U);
    EXPECT_EQ(count_models(theory), 2U);
}

TEST(Translation, many_rules_of_one_head_become_few_clauses) {
    std::string text = "{x(0..9); y(0..9); z(0..9)}. s(A+B+C) :- x(A), y(B), z(C).";
    std::vector<std::vector<std::string>> variables;
    for (const std::string name : {"x", "y", "z"}) {
        variables.emplace_back();
        for (int i = 0; i < 10; ++i) {
            variables.back().push_back(name + "(" + std::to_string(i) + ")");
        }
    }
    const Example example(text, variables);
    const Theory theory = theory_of(example.input({"s(13)"}));
    EXPECT_EQ(count_models(theory), 75U);
    EXPECT_LT(theory.clause_count(), 1000U);
}

} // namespace
} // namespace neurasp::circuit
