// Ground terms: parsing, printing, parts, order.
#include "asp/clingo_call.hpp"
#include "asp/symbol.hpp"

#include <gtest/gtest.h>

#include <unordered_set>

namespace neurasp::asp::test {
namespace {

TEST(Symbol, PrintsWhatItParses) {
    for (const char *text : {"1", "-7", "a", "f(x,1)", "-g(2)", "\"text\"", "(1,2)", "(1,)", "()",
                             "#inf", "#sup", "f(\"a,b\",(c,-d))"}) {
        EXPECT_EQ(Symbol::parse(text).text(), text);
    }
}

TEST(Symbol, EvaluatesArithmeticAndDropsBlanks) {
    EXPECT_EQ(Symbol::parse(" f( 1 + 2 ,  x ) ").text(), "f(3,x)");
    EXPECT_EQ(Symbol::parse("2**10"), Symbol::number(1024));
}

TEST(Symbol, KeepsQuotesBackslashesAndNewlinesOfStrings) {
    const std::string text = R"("say \"hi\" \\ \n")";
    EXPECT_EQ(Symbol::parse(text).text(), text);
    EXPECT_FALSE(Symbol::parse(text).is_function());
}

TEST(Symbol, RefusesTextThatIsNotAGroundTerm) {
    for (const char *text : {"X", "f(", "a b", "", "1/0", "a)", "\"open"}) {
        EXPECT_THROW(Symbol::parse(text), ClingoError) << text;
    }
}

TEST(Symbol, HoldsNumbersOf32Bits) {
    EXPECT_EQ(Symbol::parse("2147483647").number(), 2147483647);
    EXPECT_EQ(Symbol::number(-2147483647 - 1).number(), -2147483647 - 1);
    EXPECT_EQ(Symbol::parse("a").number(), std::nullopt);
    EXPECT_EQ(Symbol::parse("\"1\"").number(), std::nullopt);
}

TEST(Symbol, TakesFunctionsApart) {
    const Symbol symbol = Symbol::parse("f(x,2,\"s\")");
    EXPECT_TRUE(symbol.is_function());
    EXPECT_EQ(symbol.name(), "f");
    EXPECT_TRUE(symbol.positive());
    ASSERT_EQ(symbol.arguments().size(), 3U);
    EXPECT_EQ(symbol.arguments()[1], Symbol::number(2));
}

TEST(Symbol, DistinguishesAFunctionFromItsStrongNegation) {
    const Symbol negative = Symbol::parse("-f(x)");
    EXPECT_EQ(negative.name(), "f");
    EXPECT_FALSE(negative.positive());
    EXPECT_NE(negative, Symbol::parse("f(x)"));
    const Symbol x = Symbol::parse("x");
    EXPECT_EQ(Symbol::function("f", std::span(&x, 1), false), negative);
}

TEST(Symbol, TreatsTuplesAsFunctionsWithoutName) {
    const Symbol tuple = Symbol::parse("(1,a)");
    EXPECT_TRUE(tuple.is_function());
    EXPECT_EQ(tuple.name(), "");
    EXPECT_EQ(tuple, Symbol::function("", tuple.arguments()));
}

TEST(Symbol, HasNoPartsUnlessItIsAFunction) {
    EXPECT_EQ(Symbol::number(3).name(), "");
    EXPECT_TRUE(Symbol::number(3).positive());
    EXPECT_TRUE(Symbol::parse("\"f(x)\"").arguments().empty());
    EXPECT_TRUE(Symbol::parse("a").arguments().empty());
}

TEST(Symbol, IsEqualIfAndOnlyIfTheTermsAre) {
    EXPECT_EQ(Symbol::parse("f(1+1)"), Symbol::parse("f(2)"));
    EXPECT_NE(Symbol::parse("f"), Symbol::parse("\"f\""));
    const std::unordered_set<Symbol> set{Symbol::parse("f(1,2)"), Symbol::parse("f(1, 2)")};
    EXPECT_EQ(set.size(), 1U);
}

TEST(Symbol, FollowsClingosOrder) {
    // #inf < numbers < names < strings < tuples and functions by arity < #sup (clingo guide)
    const char *sorted[] = {"#inf",  "-1",   "10",   "a",      "b",   "\"a\"",
                            "\"b\"", "f(1)", "f(2)", "a(1,1)", "#sup"};
    for (std::size_t i = 1; i < std::size(sorted); ++i) {
        EXPECT_LT(Symbol::parse(sorted[i - 1]), Symbol::parse(sorted[i])) << sorted[i];
        EXPECT_FALSE(Symbol::parse(sorted[i]) < Symbol::parse(sorted[i - 1])) << sorted[i];
    }
}

} // namespace
} // namespace neurasp::asp::test
