// Tokens, and mistakes in them.
#include "language/lexer.hpp"
#include "reading.hpp"

#include <gtest/gtest.h>

namespace neurasp::language::test {
namespace {

std::string tokens(const std::string &text, Lexer::Mode mode = Lexer::Mode::plain) {
    SourceMap sources;
    Reporter reporter(sources);
    const std::uint32_t source = sources.add("text.lp", text);
    Lexer lexer(sources.text(source), source, &reporter);
    std::string result;
    for (Token token = lexer.next(mode); token.kind != TokenKind::end; token = lexer.next(mode)) {
        if (!result.empty()) result += ' ';
        result += lexer.text(token);
    }
    return result;
}

TEST(Lexer, SplitsOperatorsByTheLongestMatch) {
    EXPECT_EQ(tokens("a:-b:~c..d**e!=f<>g<=h==i"), "a :- b :~ c .. d ** e != f <> g <= h == i");
    EXPECT_EQ(tokens("1..3|X||Y\\2?3^4&5~6@f"), "1 .. 3 | X | | Y \\ 2 ? 3 ^ 4 & 5 ~ 6 @ f");
}

TEST(Lexer, ReadsNamesAsClingoDoes) {
    EXPECT_EQ(tokens("'a _b __C' x'y _ not nota"), "'a _b __C' x'y _ not nota");
}

TEST(Lexer, ReadsIntegersInFourBases) {
    EXPECT_EQ(tokens("0 10 0x1F 0o17 0b101 1a"), "0 10 0x1F 0o17 0b101 1 a");
}

TEST(Lexer, ReadsDecimalsOnlyWhereAProbabilityMayBe) {
    EXPECT_EQ(tokens("0.4 .5 1e-30 2.5E-3 1..3 1.", Lexer::Mode::probability),
              "0.4 .5 1e-30 2.5E-3 1 .. 3 1 .");
    EXPECT_EQ(tokens("p(1).5 1.5"), "p ( 1 ) . 5 1 . 5");
}

TEST(Lexer, LeavesOutLineAndBlockComments) {
    EXPECT_EQ(tokens("a % b\nc %* d %* e *% f *% g #! h\ni"), "a c g i");
}

TEST(Lexer, LetsAPercentSignHideTheRestOfALineInsideABlockComment) {
    EXPECT_EQ(tokens("%* % *% a\n*% b"), "b");
}

TEST(Lexer, KeepsCommentSignsInStrings) {
    EXPECT_EQ(tokens(R"(p("a%*b % \" \\") q)"), R"(p ( "a%*b % \" \\" ) q)");
}

TEST(Lexer, KeepsThePlusOfSumPlus) {
    EXPECT_EQ(tokens("#sum+{1} #sum {2} #sup"), "#sum+ { 1 } #sum { 2 } #sup");
}

TEST(Lexer, ReportsACommentThatIsNeverClosed) {
    EXPECT_EQ(mistakes("a.\n b. %* c.\n"), "2:5 syntax");
}

TEST(Lexer, ReportsAStringThatIsNotClosedAndGoesOnWithTheNextLine) {
    EXPECT_EQ(mistakes("p(\"abc).\nq :- .. $ .\n"), "1:3 syntax; 2:9 syntax");
    EXPECT_EQ(mistakes("p(\"abc\\"), "1:3 syntax");
}

TEST(Lexer, ReportsUnknownEscapes) { EXPECT_EQ(mistakes(R"(p("a\tb").)"), "1:5 syntax"); }

TEST(Lexer, ReportsNumbersThatClingoWouldMisread) {
    EXPECT_EQ(mistakes("p(2147483647). q(2147483648)."), "1:18 syntax");
    EXPECT_EQ(mistakes("p(1..99999999999)."), "1:6 syntax");
    EXPECT_EQ(mistakes("p(0x7fffffff). q(0x80000000)."), "1:18 syntax");
    EXPECT_EQ(mistakes("p(0o17777777777). q(0o20000000000)."), "1:21 syntax");
    EXPECT_EQ(mistakes("p(0b1). q(0b11111111111111111111111111111111)."), "1:11 syntax");
}

TEST(Lexer, ReadsNumbersOfOtherBases) {
    EXPECT_EQ(tokens("0x1F 0o17 0b10 0x 0b2 0xg"), "0x1F 0o17 0b10 0 x 0 b2 0 xg");
}

TEST(Lexer, ReportsNumbersWithLeadingZeros) { EXPECT_EQ(mistakes("p(007)."), "1:3 syntax"); }

TEST(Lexer, ShowsStrayBytesSafely) {
    const Reading reading = read_program("p\xc3\xa9. q\x01.");
    EXPECT_EQ(reading.findings(), "1:2 syntax; 1:7 syntax");
    EXPECT_NE(reading.diagnostics.all()[0].message.find("'\\xc3\\xa9'"), std::string::npos);
    EXPECT_NE(reading.diagnostics.all()[1].message.find("'\\x01'"), std::string::npos);
}

} // namespace
} // namespace neurasp::language::test
