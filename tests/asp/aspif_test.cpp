// Ground programs written as aspif, judged by the clingo binary.
#include "asp/aspif.hpp"
#include "asp_support.hpp"
#include "clingo_binary.hpp"
#include "programs.hpp"

#include <gtest/gtest.h>

namespace neurasp::asp::test {
namespace {

std::string aspif_of(const GroundProgram &program) {
    return to_aspif(program, {}, program.shown(), {});
}

TEST(ToAspif, WritesTheFormatOfTheClingoGuide) {
    GroundProgram program;
    const std::vector<AtomId> head{AtomId(1U), AtomId(2U)};
    program.add_rule(true, head, std::vector<Literal>{Literal(-3)});
    program.add_weight_rule(false, std::vector<AtomId>{AtomId(3U)}, 2,
                            std::vector<WeightedLiteral>{{Literal(1), 2}, {Literal(-2), 1}});
    program.add_minimize(4, std::vector<WeightedLiteral>{{Literal(1), -7}});
    program.add_external({AtomId(2U), ExternalValue::free});
    program.add_edge({0, 1, {Literal(1)}});
    program.add_shown({Symbol::parse("f(x)"), {Literal(1)}});
    EXPECT_EQ(aspif_of(program), "asp 1 0 0\n"
                                 "1 1 2 1 2 0 1 -3\n"
                                 "1 0 1 3 1 2 2 1 2 -2 1\n"
                                 "2 4 1 1 -7\n"
                                 "5 2 0\n"
                                 "8 0 1 1 1\n"
                                 "4 4 f(x) 1 1\n"
                                 "0\n");
}

TEST(ToAspif, GivesTheBinaryAsManyModelsAsTheText) {
    if (!has_clingo_binary()) GTEST_SKIP() << "no clingo binary";
    for (const auto &[name, text] : programs()) {
        const Grounder grounder = grounded(text);
        EXPECT_EQ(count_models(aspif_of(grounder.program()), true), count_models(text)) << name;
    }
}

TEST(ToAspif, MakesGroupsExactlyOne) {
    if (!has_clingo_binary()) GTEST_SKIP() << "no clingo binary";
    GroundProgram program; // six atoms, no rules
    const Groups groups{
        {AtomId(1U), AtomId(2U), AtomId(3U)}, {AtomId(4U), AtomId(5U)}, {AtomId(6U)}};
    EXPECT_EQ(count_models(to_aspif(program, groups, {}, {}), true), 6U); // 3 * 2 * 1
}

TEST(ToAspif, AddsRequiredLiteralsAsConstraints) {
    if (!has_clingo_binary()) GTEST_SKIP() << "no clingo binary";
    const Grounder grounder = grounded("{a; b; c}.");
    const GroundProgram &program = grounder.program();
    const std::vector<Literal> required{Literal(atom(program, "a")), ~Literal(atom(program, "b"))};
    EXPECT_EQ(count_models(to_aspif(program, {}, program.shown(), required), true), 2U);
}

TEST(ToAspif, ShowsTermsWithBlanksAndQuotes) {
    if (!has_clingo_binary()) GTEST_SKIP() << "no clingo binary";
    const Grounder grounder = grounded(R"(p("a b \"c\"").)");
    const std::string text = run_clingo(aspif_of(grounder.program()), "--mode=clasp -n 0");
    EXPECT_NE(text.find(R"(p("a b \"c\""))"), std::string::npos) << text;
}

} // namespace
} // namespace neurasp::asp::test
