// Observations with holes.
#include "inference_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::inference::test {
namespace {

TEST(FilledText, PutsValuesIntoHolesInTheirOrder) {
    EXPECT_EQ(filled_text({":- not sum({},{}).", {"i1", "7"}}), ":- not sum(i1,7).");
    EXPECT_EQ(filled_text({"{}{}", {"a", "b"}}), "ab");
    EXPECT_EQ(filled_text({"{}", {"{}"}}), "{}"); // values are not read for holes
}

TEST(FilledText, TakesDoubledBracesForBraces) {
    EXPECT_EQ(filled_text({"{{f({})}}.", {"3"}}), "{f(3)}.");
    EXPECT_EQ(filled_text({":- #count{{X : p(X)}} != {}.", {"2"}}), ":- #count{X : p(X)} != 2.");
}

TEST(FilledText, LeavesATextWithoutValuesAsItIs) {
    for (const char *text : {"{f}.", ":- {a; b} 1.", "{{f}}.", "{}", ""}) {
        EXPECT_EQ(filled_text({text, {}}), text);
    }
}

std::string refusal(const Observation &observation) {
    return error_codes([&] { filled_text(observation); });
}

TEST(FilledText, RefusesAWrongNumberOfValues) {
    EXPECT_EQ(refusal({":- not sum({}).", {"1", "2"}}), "template-syntax");
    EXPECT_EQ(refusal({":- not sum({},{}).", {"1"}}), "template-syntax");
    EXPECT_EQ(refusal({"{{}}", {"1"}}), "template-syntax"); // braces, not a hole
    const Diagnostic error = first_error([] { filled_text({"p({},{}).", {"1"}, "row 3"}); });
    EXPECT_EQ(error.message, "the observation has 2 holes and 1 values");
    EXPECT_EQ(error.location.file, "row 3");
}

TEST(FilledText, RefusesBracesThatAreNeither) {
    EXPECT_EQ(refusal({"{f} {}.", {"1"}}), "template-syntax");
    EXPECT_EQ(refusal({"{} }", {"1"}}), "template-syntax");
    EXPECT_EQ(refusal({"{", {"1"}}), "template-syntax");
}

class AskedWithHoles : public ::testing::Test {
  protected:
    Reasoner reasoner{Program::from_text("0.25 : a(1). 0.5 : a(2).")};

    const void *identity(const Question &question) { return &internal::Access::state(question); }
};

TEST_F(AskedWithHoles, IsTheQuestionOfTheFilledText) {
    const Question filled = reasoner.ask({{":- not a({}).", {"1"}}});
    EXPECT_EQ(identity(filled), identity(reasoner.ask(":- not a(1).")));
    EXPECT_EQ(identity(filled), identity(reasoner.ask({{":- not {}.", {"a(1)"}, "elsewhere"}})));
    EXPECT_NE(identity(filled), identity(reasoner.ask({{":- not a({}).", {"2"}}})));
    EXPECT_DOUBLE_EQ(filled.probability({}).probability, 0.25);
    EXPECT_DOUBLE_EQ(reasoner.ask({{":- not a({}).", {"2"}}}).probability({}).probability, 0.5);
}

TEST_F(AskedWithHoles, MayBringRules) {
    const Question question = reasoner.ask({{"{{f}} :- a({}). :- f.", {"1"}}});
    EXPECT_DOUBLE_EQ(question.probability({}).probability, 0.875); // one of two models with a(1)
}

TEST_F(AskedWithHoles, MayBeRulesThatDeriveNothing) {
    const auto grounding = [&](const Question &question) {
        return &internal::Access::state(question).scope->grounding();
    };
    const Grounding *base = grounding(reasoner.ask(":- not a(1)."));
    for (const char *text : {"not a({}).", "not a({}) | 1 < 0.", "{{not a({})}} = 1."}) {
        const Question question = reasoner.ask({{text, {"1"}}});
        EXPECT_DOUBLE_EQ(question.probability({}).probability, 0.75) << text;
        EXPECT_EQ(grounding(question), base) << text; // nothing is grounded anew
    }
    EXPECT_NE(grounding(reasoner.ask({{"b({}).", {"1"}}})), base);
}

TEST_F(AskedWithHoles, LeavesTheReasonerUsableWhenItIsRefused) {
    EXPECT_EQ(error_codes([&] {
                  reasoner.ask({{":- not a({}).", {"1", "2"}}});
              }),
              "template-syntax");
    EXPECT_EQ(error_codes([&] { reasoner.ask({{":- not a({}).", {"1) ("}}}); }).empty(), false);
    EXPECT_DOUBLE_EQ(reasoner.ask({{":- not a({}).", {"1"}}}).probability({}).probability, 0.25);
}

} // namespace
} // namespace neurasp::inference::test
