// Lowered text: clingo accepts it, and its places lead back to the user's text.
#include "language/lexer.hpp"
#include "reading.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace neurasp::language::test {
namespace {

// A program with every kind of statement.
constexpr const char *everything = R"(#const k=7. % hi
  nn(digit(1,X), [0,1,2])
  :- img(X). img(i1). nn(d(2,f(x),k),["a[0]","b;c"]). ok :- d(1,f(x),k,"b;c").
%* 0.4 a *%
0.1: head. win :- head.
~win :- not win.
0.4 : size(X)=big | @0.6 : size(X)=small :- thing(X), not size(X)=odd. thing(1..2).
.4 a; .6 b. 1e-30 c1; 1 c2.
0.3:-q. 0.2:~r. 1 -s; 0 t.
1 {p; z} 1. 1-k {pp(X) : X=1..2} 2. 1 = { aa }. 1 #count{1:bb} 2.
col(N)=red | col(N)=blue :- node(N), size(N)=big. node(1). h(0xFF).
:- col(N)=red, #count{X : size(X)=big} > 3, not col(2)=blue; col(3)=red : node(3).
:~ col(1)=red.[1@2]
#event_base 1. #show ok/0.
)";

std::string clingo(const std::string &program, const std::string &options) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("neurasp_lowering_" + std::to_string(::getpid()));
    std::ofstream(file) << program;
    const std::string command = "clingo " + options + " " + file.string() + " 2>&1";
    std::string output;
    if (FILE *pipe = ::popen(command.c_str(), "r")) {
        char buffer[4096];
        while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) {
            output.append(buffer, count);
        }
        ::pclose(pipe);
    }
    std::filesystem::remove(file);
    return output;
}

bool has_clingo() { return clingo("", "--version").find("clingo version") != std::string::npos; }

TEST(Lowering, ReturnsTextThatClingoAccepts) {
    if (!has_clingo()) GTEST_SKIP() << "no clingo binary";
    const Reading reading = read_program(everything);
    ASSERT_EQ(reading.findings(), "");
    const std::string output = clingo(reading.lowered(), "--text");
    EXPECT_EQ(output.find("error"), std::string::npos) << output;
    EXPECT_NE(output.find("__neurasp_nn(0,1,(i1,),(0,1,2))."), std::string::npos) << output;
    EXPECT_NE(output.find("{d(1,f(x),7,\"a[0]\");d(1,f(x),7,\"b;c\")}."), std::string::npos);
    EXPECT_NE(output.find("{size(2,big);size(2,small)}."), std::string::npos);
    EXPECT_NE(output.find("h(255)."), std::string::npos);
}

TEST(Lowering, ForbidsTwoValuesOfAConstant) {
    if (!has_clingo()) GTEST_SKIP() << "no clingo binary";
    const Reading reading = read_program("{c(1)=v; c(1)=w; c(2)=v}.");
    EXPECT_NE(clingo(reading.lowered(), "0").find("Models       : 6"), std::string::npos);
}

TEST(Lowering, LeavesClingosErrorsAtTheUsersPlace) {
    if (!has_clingo()) GTEST_SKIP() << "no clingo binary";
    const Reading reading = read_program("img(i).\nnn(d(1,X),[a,b]) :- img(X), bad bad.\n");
    const std::string output = clingo(reading.lowered(), "--text");
    const std::size_t at = output.find(":2:");
    ASSERT_NE(at, std::string::npos) << output;
    unsigned column = 0;
    unsigned end = 0;
    ASSERT_EQ(std::sscanf(output.c_str() + at, ":2:%u-%u", &column, &end), 2) << output;
    const SourceSpan span = reading.program.lowered.origin(2, column, 2, end);
    const SourceLocation location = reading.sources.locate(span);
    EXPECT_EQ(location.line, 2U);
    EXPECT_EQ(location.column, 33U);
    EXPECT_EQ(reading.sources.text(span), "bad");
}

TEST(Lowering, KeepsTheTokensOfOrdinaryPrograms) {
    const std::string text =
        "a(1..3,\"x % y\") :- b(X), not c; %* no *% d:e.\n\n{f;g}\n = 1. % end";
    const Reading first = read_program(text);
    const Reading second = read_program(first.lowered());
    EXPECT_EQ(first.findings(), "");
    EXPECT_EQ(first.lowered(), second.lowered());
}

TEST(Lowering, OfItsOwnTextDependsOnNothingElse) {
    EXPECT_EQ(read_program(everything).lowered(), read_program(everything).lowered());
}

TEST(Lowering, KeepsWordsApartThatCommentsSeparated) {
    EXPECT_EQ(read_program("a:-not%**%b.").lowered(), "a:-not    b.\n");
}

TEST(Lowering, KeepsColumnsWhereItCan) {
    const std::string text = "  p  :-  q . % c\n\tr.   s\n   :- t.";
    const Reading reading = read_program(text);
    EXPECT_EQ(reading.lowered(), "  p  :-  q .\n r.   s\n   :- t.\n");
}

TEST(Lowering, DropsNothingOfLongLines) {
    std::string text;
    for (int i = 0; i < 20000; ++i) text += "p(" + std::to_string(i) + ") :- q. ";
    EXPECT_EQ(read_program(text).lowered().size(), text.size());
}

TEST(Origins, OfCopiedTextAreExact) {
    const Reading reading = read_program("a.\n  nn(d(1,X),[a1,b1]) :- img(X), zzz. yyy :- xxx.");
    EXPECT_EQ(reading.origin_of("zzz"), "zzz");
    EXPECT_EQ(reading.origin_of("img(X), zzz. yyy"), "img(X), zzz. yyy");
    EXPECT_EQ(reading.origin_of("a1,b1"), "a1,b1");
}

TEST(Origins, OfReplacedTextAreWhatItStandsFor) {
    const Reading reading = read_program("nn(d(1,X),[a1,b1]) :- img(X). ~c :- e. 0.4 : f.");
    EXPECT_EQ(reading.origin_of("__neurasp_nn"), "nn");
    EXPECT_EQ(reading.origin_of("-c"), "~c");
    EXPECT_EQ(reading.origin_of("__neurasp_pr"), "f");
}

TEST(Origins, OfGeneratedRulesAreTheirStatements) {
    const Reading reading = read_program("x. nn(d(1,X),[a1,b1]) :- img(X).\n0.4 : f. g=1.");
    EXPECT_EQ(reading.origin_of("{d(I,T1,V1)"), "nn(d(1,X),[a1,b1]) :- img(X).");
    EXPECT_EQ(reading.origin_of("{f;-f}"), "0.4 : f.");
    EXPECT_EQ(reading.origin_of("V<W"), "g=1");
}

TEST(Origins, AcrossLinesCoverThem) {
    const Reading reading = read_program("a :-\n  b,\n  c.");
    EXPECT_EQ(reading.origin_of("a :-\n  b,\n  c."), "a :-\n  b,\n  c.");
}

TEST(Origins, ExistForEveryPlace) {
    const Reading reading = read_program("a.\n\n\nb.");
    EXPECT_EQ(reading.sources.text(reading.program.lowered.origin(99, 99, 99, 100)), "");
    EXPECT_EQ(reading.program.lowered.origin(0, 0, 0, 0).begin, 0U);
    EXPECT_EQ(reading.program.lowered.origin(3, 1, 3, 2).begin, 2U);
    EXPECT_EQ(read_program("").program.lowered.origin(1, 1, 1, 2), SourceSpan{});
}

TEST(Origins, NameTheRightText) {
    const Reading reading = read_texts({{Role::program, "a.", 0}, {Role::query, "b, ccc", 1}});
    EXPECT_EQ(reading.origin_of("ccc"), "ccc");
    EXPECT_EQ(reading.program.lowered.origin(2, 1, 2, 3).source, 1U);
}

} // namespace
} // namespace neurasp::language::test
