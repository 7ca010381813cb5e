// Terms without superfluous blanks.
#include "base/without_blanks.hpp"

#include <gtest/gtest.h>

namespace neurasp::base {
namespace {

TEST(WithoutBlanks, DropsBlanksTabsAndLineEnds) {
    EXPECT_EQ(without_blanks(" digit ( g,\th ) \r\n"), "digit(g,h)");
    EXPECT_EQ(without_blanks("g,h"), "g,h");
    EXPECT_EQ(without_blanks(" \t"), "");
}

TEST(WithoutBlanks, KeepsThoseInStrings) {
    EXPECT_EQ(without_blanks(R"( "a b" , "c\td" )"), R"("a b","c\td")");
}

TEST(WithoutBlanks, DoesNotEndAStringAtAnEscapedQuote) {
    EXPECT_EQ(without_blanks(R"("a \" b" , c)"), R"("a \" b",c)");
    EXPECT_EQ(without_blanks(R"("a \\" , " b")"), R"("a \\"," b")");
}

TEST(WithoutBlanks, TreatsAnUnclosedStringAsAStringToTheEnd) {
    EXPECT_EQ(without_blanks(R"(a , "b c)"), R"(a,"b c)");
    EXPECT_EQ(without_blanks(R"("a \)"), R"("a \)");
}

} // namespace
} // namespace neurasp::base
