// Cutting texts into statements: ends, brackets, directives, permissions.
#include "reading.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace neurasp::language::test {
namespace {

TEST(Statements, KeepOrdinaryProgramsAsTheyAre) {
    const std::string text = "#const n=3.\nq(1..n).  % facts\n  p(X) :- q(X),\n      not r(X).\n"
                             ":~ p(X). [X@2,X]\n#show p/1.\n";
    const Reading reading = read_program(text);
    EXPECT_EQ(reading.findings(), "");
    EXPECT_EQ(reading.lowered(), "#const n=3.\nq(1..n).\n  p(X) :- q(X),\n      not r(X).\n"
                                 ":~ p(X). [X@2,X]\n#show p/1.\n");
}

TEST(Statements, ThatStartWithANumberAreChoicesOnlyIfTheyLookLikeOne) {
    const Reading reading = read_program("1 {p; q} 1. 1{a}1 :- b. 1-k {r(X)} 2. 1 #count{1:s} 2. "
                                         "1 = { t }. 1..2 {u} 3.");
    EXPECT_EQ(reading.findings(), "");
    EXPECT_TRUE(reading.program.probabilistic_rules.empty());
    EXPECT_EQ(read_program("1 p; 0 q.").program.probabilistic_rules.size(), 1U);
    EXPECT_EQ(read_program("1 -p; 0 q.").program.probabilistic_rules.size(), 1U);
    EXPECT_EQ(read_program("1 : p.").program.probabilistic_rules.size(), 1U);
}

TEST(Statements, MustEndWithADot) {
    EXPECT_EQ(mistakes("a. b :- c"), "1:9 syntax");
    EXPECT_EQ(mistakes("a. 0.5 : b"), "1:10 syntax");
    EXPECT_EQ(mistakes("a.\n."), "2:1 syntax");
    EXPECT_EQ(mistakes("a b #show c."), "1:5 syntax");
}

TEST(Statements, MustBalanceTheirBrackets) {
    EXPECT_EQ(mistakes("p((a,b). q)."), "1:2 syntax; 1:11 syntax");
    EXPECT_EQ(mistakes("p(a]."), "1:4 syntax");
    EXPECT_EQ(mistakes("{a;b"), "1:1 syntax");
}

TEST(Statements, AreReadOnAfterAMistake) {
    EXPECT_EQ(mistakes("p(. 0.4 a; 0.9 b.\nnn(d(0,x),[a,b]).\n#shw a."),
              "1:2 syntax; 1:5 probability-sum; 2:6 events-not-positive; 3:1 unknown-directive");
}

TEST(Statements, MayNotNestBracketsWithoutBound) {
    const std::string deep = "p" + std::string(100000, '(') + "a" + std::string(100000, ')') + ".";
    EXPECT_EQ(mistakes(deep), "1:1002 syntax");
    const std::string fine = "p" + std::string(900, '(') + "a" + std::string(900, ')') + ".";
    EXPECT_EQ(mistakes(fine), "");
}

std::string repeated(const std::string &text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) result += text;
    return result;
}

// Each of these overflows clingo's stack.
TEST(Statements, MayNotNestOperatorsWithoutBound) {
    for (const char *sign :
         {"1+", "1**", "1..", "1^", "X*", "|1|+", "|1|-|1|*", "-", "- ", "~", "|"}) {
        const std::string chain = repeated(sign, 5000);
        for (const std::string &text :
             {"p(" + chain + "1).", "a :- X=" + chain + "1.", chain + "1=1 :- a.",
              "p(" + chain + "1)=1.", ":~ a. [" + chain + "1]", "#const n=" + chain + "1."}) {
            EXPECT_EQ(read_program(text).diagnostics.error_count(), 1U) << text.substr(0, 30);
        }
    }
    const std::string both = repeated("(1+", 600) + "1" + repeated("+1)", 600);
    EXPECT_EQ(mistakes("p" + both + ".").substr(0, 2), "1:") << "1200 deep";
    EXPECT_EQ(read_query("p(" + repeated("1+", 2000) + "1)").findings().substr(0, 2), "1:");
}

TEST(Statements, MayHaveAnyNumberOfOperatorsSideBySide) {
    EXPECT_EQ(mistakes("p(" + repeated("1+1,", 5000) + "1)."), "");
    EXPECT_EQ(mistakes("a" + repeated(" | -a(X+1)", 5000) + " :- b(X)."), "");
    EXPECT_EQ(mistakes("a :- " + repeated("X=Y-1, ", 5000) + "b(X,Y)."), "");
    EXPECT_EQ(mistakes("p(" + repeated("1+", 900) + "1)."), "");
    EXPECT_EQ(mistakes("p" + repeated("(-", 900) + "1" + repeated(")", 900) + "."), "");
}

TEST(Statements, HaveNoTokensOfMegabytes) {
    EXPECT_EQ(mistakes("p(\"" + std::string(2'000'000, 'x') + "\")."), "1:3 syntax");
    EXPECT_EQ(mistakes("a. " + std::string(2'000'000, 'x') + "."), "1:4 syntax");
    EXPECT_EQ(mistakes("p(\"" + std::string(900'000, 'x') + "\")."), "");
}

TEST(Statements, StopAfterAHundredMistakes) {
    std::string text;
    for (int i = 0; i < 300; ++i) text += "p(. ";
    const Reading reading = read_program(text);
    EXPECT_EQ(reading.diagnostics.all().size(), 101U);
    EXPECT_EQ(reading.diagnostics.all().back().code, "too-many-errors");
}

TEST(Directives, ThatAreUnknownGetASuggestion) {
    EXPECT_EQ(mistakes("a.\n  #shw a."), "2:3 unknown-directive");
    EXPECT_EQ(first_hint("#shw a."), "did you mean '#show'?");
    EXPECT_EQ(mistakes("p :- #cuont{1:a} > 1."), "1:6 unknown-directive");
    EXPECT_EQ(mistakes("a. #end."), "1:4 unknown-directive");
}

TEST(Directives, OfClingoPass) {
    const std::string text =
        "#const n=1. [override] #show. #show -p/1. #show f(X) : q(X). #external "
        "e : q(1). [true] #defined z/1.\n#heuristic a : b. [1@2,true] #edge "
        "(a,b) : a. #project a/0. #minimize{1@2,X : q(X)}. #maximise{1}.\n";
    const Reading reading = read_program(text);
    EXPECT_EQ(reading.findings(), "");
    EXPECT_EQ(reading.lowered(), text);
    EXPECT_TRUE(reading.program.has_weak_constraints);
}

TEST(Directives, OfProgramPartsOtherThanBaseAreRefused) {
    EXPECT_EQ(mistakes("#program base. a."), "");
    EXPECT_EQ(mistakes("a. #program step(t). b(t)."), "1:13 program-part");
}

TEST(Directives, OfTheoriesAreRefused) {
    EXPECT_EQ(mistakes("#theory t { x { + : 1, unary }; &a/0 : x, any }. a."),
              "1:1 theory-unsupported");
    EXPECT_EQ(mistakes("&diff{a-b} <= 3. :- not &x, b. {&y{c}}. p(1&2)."),
              "1:1 theory-unsupported; 1:25 theory-unsupported; 1:33 theory-unsupported");
}

TEST(Directives, ForTheEventBaseTakeZeroOrOneOnce) {
    EXPECT_EQ(read_program("#event_base 1. a.").program.event_base, 1);
    EXPECT_EQ(read_program("a.").program.event_base, 0);
    EXPECT_EQ(mistakes("#event_base 2."), "1:13 event-base");
    EXPECT_EQ(mistakes("#event_base."), "1:12 event-base");
    EXPECT_EQ(mistakes("#event_base 0. #event_base 0."), "1:16 event-base");
}

TEST(WeakConstraints, NeedAWeight) {
    EXPECT_EQ(mistakes(":~ a. b."), "1:5 syntax");
    EXPECT_EQ(mistakes(":~ a. [1"), "1:8 syntax");
    EXPECT_EQ(mistakes(":~a.[1]"), "");
}

TEST(Names, ThatBelongToUsAreReserved) {
    EXPECT_EQ(mistakes("a :- __neurasp_nn(1)."), "1:6 reserved-name");
    EXPECT_EQ(mistakes("p(\"__neurasp_nn\")."), "");
}

TEST(Scripts, AreRefusedUnlessAllowed) {
    const std::string text = "#script (lua)\nx = \"1.\"\n#end.\na.";
    EXPECT_EQ(mistakes(text), "1:1 script-refused");
    const Reading reading = read_program(text, {.allow_script = true, .allow_include = false});
    EXPECT_EQ(reading.findings(), "");
    EXPECT_EQ(reading.lowered(), text + "\n");
}

TEST(Scripts, AreRefusedInsideOtherStatements) {
    EXPECT_EQ(mistakes("a :- b #script (lua) x #end."), "1:8 syntax; 1:8 script-refused");
}

TEST(Scripts, MustBeClosed) {
    const ReadOptions options{.allow_script = true, .allow_include = false};
    EXPECT_EQ(read_program("#script (lua) x", options).findings(), "1:1 syntax");
    EXPECT_EQ(read_program("#script lua x #end.", options).findings(), "1:9 syntax");
}

class Includes : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("neurasp_include_" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_ / "sub");
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    void write(const std::string &name, const std::string &text) const {
        std::ofstream(folder_ / name) << text;
    }
    Reading read_file(const std::string &name, Role role = Role::program) const {
        std::ifstream file(folder_ / name);
        Reading reading;
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        const SourceUnit unit{reading.sources.add((folder_ / name).string(), text), role, 4};
        reading.program =
            read(reading.sources, {&unit, 1}, {.allow_script = false, .allow_include = true},
                 nullptr, reading.diagnostics);
        return reading;
    }

    std::filesystem::path folder_;
};

TEST_F(Includes, AreReadOnceAndMayFormCycles) {
    write("a.lp", "a. #include \"sub/b.lp\".\n#include \"sub/b.lp\".");
    write("sub/b.lp", "b.\n#include \"../a.lp\". #include \"c.lp\".");
    write("sub/c.lp", "nn(d(1,x),[y,z]).");
    const Reading reading = read_file("a.lp");
    EXPECT_EQ(reading.findings(), "");
    EXPECT_EQ(reading.program.neural_rules.size(), 1U);
    EXPECT_EQ(reading.lowered().substr(0, 6), "a.\nb.\n");
}

TEST_F(Includes, HaveTheRoleOfTheirIncluder) {
    write("o.lp", "#include \"p.lp\".");
    write("p.lp", ":- b.");
    EXPECT_EQ(read_file("o.lp", Role::observation).lowered(), "__neurasp_violated(4) :- b.\n");
}

TEST_F(Includes, OfMissingFilesAreReportedAtTheStatement) {
    write("a.lp", "a.\n#include \"nothing.lp\".");
    EXPECT_EQ(read_file("a.lp").findings(), "2:10 include-not-found");
}

TEST_F(Includes, AreCheckedUnderTheirOwnName) {
    write("a.lp", "#include \"b.lp\".");
    write("b.lp", "a.\n0.4 b; 0.4 c.");
    const Reading reading = read_file("a.lp");
    EXPECT_EQ(reading.findings(), "2:1 probability-sum");
    EXPECT_EQ(reading.diagnostics.all()[0].location.file, (folder_ / "b.lp").string());
}

TEST(IncludeStatements, AreRefusedUnlessAllowed) {
    EXPECT_EQ(mistakes("a. #include \"f.lp\"."), "1:4 include-refused");
    const ReadOptions options{.allow_script = false, .allow_include = true};
    EXPECT_EQ(read_program("#include <incmode>.", options).findings(), "1:1 include-refused");
    EXPECT_EQ(read_program("#include f.", options).findings(), "1:1 syntax");
}

} // namespace
} // namespace neurasp::language::test
