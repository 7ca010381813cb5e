// `neurasp compile`: its output, the files that it writes, and when it writes none.
#include "cli/process.hpp"
#include "cli/programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>

namespace neurasp::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

// A pigeonhole problem: its circuit is false, and no search finds that out quickly.
constexpr auto pigeons = R"(
0.5 : a. #const n=14.
1 {in(P,H) : H=1..n-1} 1 :- P=1..n.
:- in(P,H), in(Q,H), P<Q.
)";

class Compile : public testing::Test {
  protected:
    Result run(Words arguments) {
        arguments.insert(arguments.begin(), {"compile", addition_, "--observe", ":- not sum(1)."});
        return neurasp(arguments);
    }
    std::string written(const std::string &name) const {
        std::ifstream file(folder_.path(name));
        return {std::istreambuf_iterator<char>(file), {}};
    }
    bool exists(const std::string &name) const {
        return std::filesystem::exists(folder_.path(name));
    }

    Folder folder_;
    std::string addition_ = folder_.file("addition.lp", addition);
};

// 0 + 1 and 1 + 0
TEST_F(Compile, ShowsTheSizeOfTheCircuit) {
    const Result result = run({});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, StartsWith("random variables  2\n"
                                       "nodes             "));
    EXPECT_THAT(result.out, HasSubstr("satisfied by      2 total choices\n"));
    const json answer = run({"--format", "json"}).json();
    EXPECT_EQ(answer["random_variables"], 2);
    EXPECT_EQ(answer["choice_count"], "2");
    EXPECT_EQ(answer["variables"][1]["name"], "digit(i2)");
    EXPECT_EQ(answer["variables"][1]["first_input"], 3);
    EXPECT_EQ(answer["files"], json::array());
}

TEST_F(Compile, DoesNotCountChoicesThatDoNotDetermineTheModel) {
    const std::string free = folder_.file("free.lp", "0.5 : a. {b}. :- a, b.");
    const Result result = neurasp({"compile", free, "--observe", ":- b.", "--format", "json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(result.json()["choice_count"].is_null());
}

TEST_F(Compile, TheNameOfTheFileChoosesItsFormat) {
    EXPECT_EQ(run({"-o", folder_.path("a.nnf")}).exit_code, 0);
    EXPECT_THAT(written("a.nnf"), HasSubstr("\nnnf "));
    EXPECT_THAT(written("a.nnf"), HasSubstr("c 1 is outcome digit(0,i1,0) of digit(i1)\n"));
    EXPECT_EQ(run({"--output", folder_.path("a.dot")}).exit_code, 0);
    EXPECT_THAT(written("a.dot"), StartsWith("digraph"));
    EXPECT_EQ(run({"-o", folder_.path("a.txt")}).exit_code, 0);
    EXPECT_THAT(written("a.txt"), StartsWith("neurasp-circuit 2\n"));
    EXPECT_THAT(written("a.txt"), HasSubstr("\nsmooth 0\n"));
    EXPECT_EQ(run({"-o", folder_.path("b.txt"), "--smooth"}).exit_code, 0);
    EXPECT_THAT(written("b.txt"), HasSubstr("\nsmooth 1\n"));
}

TEST_F(Compile, TheFormatCanBeNamed) {
    const json answer = run({"-o", folder_.path("a.txt"), "--as", "nnf", "--dot",
                             folder_.path("drawing"), "--format", "json"})
                            .json();
    EXPECT_THAT(written("a.txt"), HasSubstr("\nnnf "));
    EXPECT_THAT(written("drawing"), StartsWith("digraph"));
    ASSERT_EQ(answer["files"].size(), 2u);
    EXPECT_EQ(answer["files"][0]["format"], "nnf");
    EXPECT_EQ(answer["files"][1]["path"], folder_.path("drawing"));
}

TEST_F(Compile, StatisticsAreAddedOnRequest) {
    const json stats = run({"--stats", "--format", "json"}).json()["stats"];
    EXPECT_GE(stats["ground_rules"], 2);
    EXPECT_GE(stats["theory_variables"], 1);
    EXPECT_EQ(stats["recursive_atoms"], 0);
    EXPECT_EQ(stats["reused"], false);
    EXPECT_GE(stats["seconds"]["search"].get<double>(), 0.0);
    const Result text = run({"--stats"});
    EXPECT_EQ(text.out, run({}).out);
    EXPECT_THAT(text.err, HasSubstr("cache hits"));
}

TEST_F(Compile, CircuitsAreFoundAgainInAFolder) {
    const Words arguments = {"--circuit-cache", folder_.path("cache"), "--stats", "--format",
                             "json"};
    EXPECT_EQ(run(arguments).json()["stats"]["reused"], false);
    EXPECT_EQ(run(arguments).json()["stats"]["reused"], true);
    // answers use it as well
    const std::string digits_file = folder_.file("digits.json", digits);
    const Result prob = neurasp({"prob", addition_, "-p", digits_file, "-o", ":- not sum(2).",
                                 "--circuit-cache", folder_.path("other")});
    EXPECT_EQ(prob.exit_code, 0) << prob.err;
    EXPECT_EQ(prob.out, "P(O)  0.41\n");
    EXPECT_TRUE(exists("other"));
}

TEST_F(Compile, ALimitLeavesNoFile) {
    const Result result = run({"-o", folder_.path("a.nnf"), "--node-limit", "1"});
    EXPECT_EQ(result.exit_code, 5);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "error: no circuit: node limit\n  hint: try a greater --node-limit\n");
    EXPECT_FALSE(exists("a.nnf"));
    const Result time = neurasp({"compile", folder_.file("pigeons.lp", pigeons), "--time-limit",
                                 "0.2", "--format", "json"});
    EXPECT_EQ(time.exit_code, 5);
    EXPECT_EQ(time.out, "");
    EXPECT_EQ(time.error_json()["error"]["kind"], "limit");
}

TEST_F(Compile, ProgramsWithoutCircuitAreReported) {
    const std::string mutual = folder_.file("mutual.lp", "0.6 : c. a | b :- c. a :- b. b :- a.");
    const Result result = neurasp({"compile", mutual, "--observe", ":- not a."});
    EXPECT_EQ(result.exit_code, 5);
    EXPECT_THAT(result.err, StartsWith("error: no circuit: a disjunction"));
    EXPECT_THAT(result.err, HasSubstr("--engine enumerate"));
}

TEST_F(Compile, FilesThatCannotBeWrittenAreEnvironmentErrors) {
    const Result result = run({"-o", folder_.path("no/such/folder.nnf")});
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, StartsWith("error: cannot write '"));
    EXPECT_EQ(run({"--dot", folder_.path("")}).exit_code, 4);
}

TEST_F(Compile, AFullDiskLeavesTheOldFileAsItWas) {
    const std::string old = folder_.file("old.nnf", "what was there");
    const Result result = Process({"/bin/sh", "-c",
                                   "trap '' XFSZ; ulimit -f 0; exec \"$0\" compile \"$1\" "
                                   "--observe ':- not sum(1).' -o \"$2\"",
                                   command_path(), addition_, old})
                              .finish();
    EXPECT_EQ(result.exit_code, 4) << result.err;
    EXPECT_THAT(result.err, HasSubstr("cannot write"));
    EXPECT_EQ(written("old.nnf"), "what was there");
    EXPECT_FALSE(exists("old.nnf.tmp"));
}

TEST_F(Compile, UsageErrorsHelp) {
    const Result observation = neurasp({"compile", addition_, "-o", ":- not sum(1)."});
    EXPECT_EQ(observation.exit_code, 2);
    EXPECT_THAT(observation.err, HasSubstr("hint: give an observation with --observe"));
    EXPECT_EQ(run({"--as", "nnf"}).exit_code, 2);
    EXPECT_EQ(run({"--as", "pdf", "-o", "x"}).exit_code, 2);
    EXPECT_EQ(run({"--node-limit", "0"}).exit_code, 2);
}

TEST_F(Compile, CircuitsGoToStandardOutput) {
    const Result drawing = run({"--dot", "-"});
    EXPECT_EQ(drawing.exit_code, 0) << drawing.err;
    EXPECT_THAT(drawing.out, StartsWith("digraph"));
    EXPECT_TRUE(drawing.out.ends_with("}\n"));
    EXPECT_THAT(drawing.err, HasSubstr("nodes             4\n"));
    EXPECT_THAT(drawing.err, HasSubstr("written           standard output (dot)\n"));
    EXPECT_FALSE(exists("-"));
    EXPECT_THAT(run({"-o", "-", "--as", "nnf"}).out, HasSubstr("\nnnf "));
    EXPECT_THAT(run({"-o", "-"}).out, StartsWith("neurasp-circuit 2\n"));
    EXPECT_EQ(run({"-o", "-", "--dot", "-"}).exit_code, 2);
    EXPECT_EQ(run({"--dot", "-", "--format", "json"}).exit_code, 2);
}

// 0.2 * 0.3 + 0.3 * 0.6; the second share passes with 0.18 / 0.24.
TEST_F(Compile, NetworkOutputsPutProbabilitiesIntoTheDrawing) {
    const std::string outputs = folder_.file("digits.json", digits);
    const Result result = run({"-p", outputs, "--dot", "-"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("P = 0.24\\n"));
    EXPECT_THAT(result.out, HasSubstr("digit(0,i1,?)"));
    EXPECT_THAT(result.out, HasSubstr("1<BR/><FONT POINT-SIZE=\"10\">0.3</FONT>"));
    EXPECT_THAT(result.out, HasSubstr("[penwidth=3.50]")); // 0.5 + 4 * 0.75
    EXPECT_THAT(result.err, HasSubstr("probability       0.24\n"));
    EXPECT_THAT(run({"--dot", "-"}).out, testing::Not(HasSubstr("penwidth")));
    EXPECT_NEAR(run({"-p", outputs, "--format", "json"}).json()["probability"], 0.24, rounding);
    EXPECT_TRUE(run({"--format", "json"}).json()["probability"].is_null());
    EXPECT_EQ(run({"-p", folder_.file("none.json", "{}")}).exit_code, 3);
}

TEST_F(Compile, ProbabilisticRulesNeedNoOutputs) {
    const std::string file = folder_.file("coin.lp", coin);
    const Result result = neurasp({"compile", file, "--observe", ":- not win.", "--dot", "-"});
    EXPECT_THAT(result.out, HasSubstr("P = 0.1\\n"));
    EXPECT_THAT(result.err, HasSubstr("probability       0.1\n"));
}

TEST_F(Compile, LargeDrawingsComeWithAWarning) {
    const std::string flips = folder_.file(
        "flips.lp", "0.5 : h(X) :- X=1..40. many :- #count{X : h(X)} > 20. :- not many.");
    const Result result = neurasp({"compile", flips, "--dot", folder_.path("large.dot")});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.err, HasSubstr("warning: the drawing has "));
    EXPECT_THAT(result.err, HasSubstr("[large-drawing]"));
    EXPECT_TRUE(exists("large.dot"));
    EXPECT_EQ(neurasp({"compile", flips, "-o", folder_.path("large.nnf")}).err, "");
}

// Graphviz is the judge, where it is installed.
TEST_F(Compile, GraphvizReadsDrawings) {
    if (Process({"/bin/sh", "-c", "command -v dot"}).finish().exit_code != 0) {
        GTEST_SKIP() << "there is no Graphviz";
    }
    const std::string names = folder_.file(
        "names.lp", "0.5 : a(\"<&>\") | 0.3 : b(\"\\n\") | 0.2 : c. d :- a(X). d :- c. {e}.");
    const std::string outputs = folder_.file("digits.json", digits);
    for (const Result &drawing :
         {run({"--dot", "-"}), run({"-p", outputs, "--dot", "-"}),
          neurasp({"compile", names, "--observe", ":- not d.", "--dot", "-"}),
          neurasp({"compile", names, "--observe", ":- d. :- not d.", "--dot", "-"})}) {
        ASSERT_EQ(drawing.exit_code, 0) << drawing.err;
        const Result drawn = Process({"/bin/sh", "-c", "exec dot -Tsvg"}, drawing.out).finish();
        EXPECT_EQ(drawn.exit_code, 0);
        EXPECT_EQ(drawn.err, "") << drawing.out;
    }
}

// A signal that comes before the handler is installed kills the process, so this is repeated until one is handled.
TEST_F(Compile, CanBeInterrupted) {
    const std::string hard = folder_.file("pigeons.lp", pigeons);
    for (int delay = 100; delay < 10'000; delay *= 2) {
        Process process({command_path(), "compile", hard, "-o", folder_.path("a.nnf")});
        std::this_thread::sleep_for(std::chrono::milliseconds(delay));
        process.send(SIGINT);
        const Result result = process.finish();
        if (result.ended_too_early()) continue;
        EXPECT_EQ(result.exit_code, 130);
        EXPECT_THAT(result.err, HasSubstr("no circuit: interrupted"));
        EXPECT_FALSE(exists("a.nnf"));
        return;
    }
    FAIL() << "no signal was handled";
}

} // namespace
} // namespace neurasp::test
