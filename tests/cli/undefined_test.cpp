// Misspelt atoms and constants without a value: every command warns, once.
#include "cli/points.hpp"
#include "cli/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr auto misspelt = R"(nn(light(1,c1), [red,green]).
go :- ligth(0,c1,green).
#minimize { 1 : go }.
d(1..n).
)";
constexpr auto warning =
    R"(lights.lp:2:7: warning: no rule derives 'ligth/3', so this is never true [undefined-atom]
  2 | go :- ligth(0,c1,green).
    |       ^^^^^^^^^^^^^^^^^
  hint: did you mean 'light'?
)";
constexpr auto no_value =
    R"(lights.lp:4:3: warning: '1..n' is undefined: 'n' is not a number [undefined-operation]
  4 | d(1..n).
    |   ^^^^
  hint: 'n' has no value: write '#const n = 3.', or give it from outside (-c n=3)
)";

std::size_t count(const std::string &text, const std::string &part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

class Undefined : public testing::Test {
  protected:
    Folder folder_;
    std::string lights_ = folder_.file("lights.lp", misspelt);
    std::string outputs_ = folder_.file("lights.json", R"({"light": {"c1": [[0.25, 0.75]]}})");
};

TEST_F(Undefined, IsWarnedAboutByEveryCommandThatGrounds) {
    const std::vector<Words> commands{
        {"check", lights_},
        {"models", lights_, "-p", outputs_},
        {"map", lights_, "-p", outputs_},
        {"prob", lights_, "-p", outputs_, "-q", "go"},
        {"marginals", lights_, "-p", outputs_},
        {"sample", lights_, "-p", outputs_, "-n", "1"},
        {"gradient", lights_, "-p", outputs_},
        {"explain", lights_, "-p", outputs_, "-q", "go"},
        {"compile", lights_},
        {"ground", lights_, "--aspif"},
    };
    for (const Words &command : commands) {
        const Result result = neurasp(command);
        EXPECT_EQ(result.exit_code, 0) << command[0] << "\n" << result.err;
        EXPECT_THAT(result.err, HasSubstr(warning)) << command[0];
        EXPECT_THAT(result.err, HasSubstr(no_value)) << command[0];
        EXPECT_EQ(count(result.err, "warning: "), 2U) << command[0];
    }
}

TEST_F(Undefined, IsADiagnosticInJson) {
    const Result result = neurasp({"prob", lights_, "-p", outputs_, "--format", "json"});
    const auto found = result.error_json().at("diagnostics");
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].at("code"), "undefined-atom");
    EXPECT_EQ(found[0].at("severity"), "warning");
    EXPECT_EQ(found[0].at("line"), 2);
    EXPECT_EQ(found[0].at("hint"), "did you mean 'light'?");
    EXPECT_EQ(found[1].at("code"), "undefined-operation");
    EXPECT_EQ(found[1].at("option"), "constants");
}

TEST_F(Undefined, IsNotReportedOnceItIsGiven) {
    const Result result =
        neurasp({"prob", lights_, "-p", outputs_, "-c", "n=2", "-o", "ligth(0,c1,green)."});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
}

// The experiment with points, whose program here expects `given/1` from its examples and has a mistake of its own.
class UndefinedInTraining : public testing::Test {
  protected:
    void SetUp() override {
        if (!has_torch()) GTEST_SKIP() << "this build has no neurasp-torch";
        write_points(folder_);
        folder_.file("points.lp",
                     std::string(points_program) + "odd :- smu(1). twice :- given(N), sum(N).\n");
    }
    Result run(const std::string &command, Words more = {}) {
        more.insert(more.begin(), {command, folder_.path("points.toml"), "--set",
                                   "training.epochs=2", "--set", observation_});
        return neurasp(more);
    }
    static void expect_one_warning(const Result &result, const std::string &message) {
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_THAT(result.err, HasSubstr(message));
        EXPECT_EQ(count(result.err, "warning: "), 1U) << result.err;
    }

    Folder folder_;
    std::string observation_ = "example.observation=given({sum}). :- not sum({sum}).";
};

TEST_F(UndefinedInTraining, IsWarnedAboutOnceInAWholeRun) {
    const std::string typo = "points.lp:5:8: warning: no rule derives 'smu/1'";
    expect_one_warning(run("train"), typo);
    expect_one_warning(run("evaluate"), typo);
    expect_one_warning(run("predict", {"--split", "test"}), typo);
    expect_one_warning(run("predict", {"--input", "a=" + folder_.path("left.csv"), "--input",
                                       "b=" + folder_.path("right.csv")}),
                       typo);
    EXPECT_THAT(bytes_of(folder_.path("out/log.jsonl")), HasSubstr("undefined-atom"));
}

TEST_F(UndefinedInTraining, InTheTemplateIsWarnedAboutOnce) {
    folder_.file("points.lp", points_program);
    observation_ = "example.observation=:- not sum({sum}), not toatl({sum}).";
    const Result result = run("train");
    expect_one_warning(result, "sums.csv:2>:1:20: warning: no rule derives 'toatl/1'");
    EXPECT_THAT(result.err, Not(HasSubstr("sums.csv:3>")));
}

TEST_F(UndefinedInTraining, DoesNotIncludeFactsOfExamples) {
    folder_.file("points.lp", std::string(points_program) + "twice :- given(N), sum(N).\n");
    std::string table = "a,b,seen\n0,2,:- not sum(1).\n1,3,given(1). :- not sum(1).\n";
    folder_.file("sums.csv", table);
    observation_ = "example.observation='{seen}'";
    const Words no_queries{"--set", "evaluation.queries=[]"};
    EXPECT_EQ(run("train", no_queries).err, "");
    EXPECT_EQ(run("evaluate", no_queries).err, "");
    EXPECT_EQ(run("predict",
                  {"--set", "evaluation.queries=[]", "--input", "a=" + folder_.path("left.csv"),
                   "--input", "b=" + folder_.path("right.csv")})
                  .err,
              "");
}

} // namespace
} // namespace neurasp::test
