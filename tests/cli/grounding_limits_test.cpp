// Programs with absurdly large groundings: every limit and Ctrl-C end them, and no file is damaged.
#include "cli/points.hpp"
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

using testing::HasSubstr;

class GroundingLimits : public testing::Test {
  protected:
    Folder folder_;
    std::string absurd_ = folder_.file("absurd.lp", "p(1..1000000000).");
    // Ten billion instances are tried, and none is found.
    std::string silent_ = folder_.file("silent.lp", "q :- X=1..100000, Y=1..100000, X*Y=-1.");

    // A signal that comes before the handler is installed kills the process, so this is repeated until one is handled.
    static Result interrupted(Words arguments) {
        arguments.insert(arguments.begin(), command_path());
        Result result;
        for (int delay = 100; delay < 10'000; delay *= 2) {
            Process process(arguments);
            std::this_thread::sleep_for(std::chrono::milliseconds(delay));
            process.send(SIGINT);
            result = process.finish();
            if (result.signal == 0) break;
        }
        return result;
    }
};

TEST_F(GroundingLimits, AGroundLimitEndsEveryCommand) {
    for (const char *command :
         {"check", "prob", "models", "map", "marginals", "sample", "gradient", "compile"}) {
        const Result result = neurasp({command, absurd_, "--ground-limit", "1000"});
        EXPECT_EQ(result.exit_code, 5) << command << result.err;
        EXPECT_EQ(result.out, "");
        EXPECT_THAT(result.err, testing::StartsWith("error: the ground program is too large: "
                                                    "more than 1000 rules"));
    }
    EXPECT_EQ(neurasp({"ground", "--aspif", absurd_, "--ground-limit", "1000"}).exit_code, 5);
    EXPECT_EQ(neurasp({"explain", absurd_, "-q", "p(1)", "--ground-limit", "1000"}).exit_code, 5);
}

TEST_F(GroundingLimits, ObservationsAndQueriesAreLimitedAsWell) {
    const std::string program = folder_.file("coin.lp", coin);
    const Result rules =
        neurasp({"prob", program, "-o", "p(1..1000000000).", "--ground-limit", "1000"});
    EXPECT_EQ(rules.exit_code, 5) << rules.err;
    const Result query = neurasp(
        {"prob", program, "-q", "win, X=1..100000, Y=1..100000, X*Y=-1", "--time-limit", "0.1"});
    EXPECT_EQ(query.exit_code, 5) << query.err;
}

TEST_F(GroundingLimits, JsonSaysThatItIsALimit) {
    const Result result = neurasp({"prob", absurd_, "--ground-limit", "1000", "--format", "json"});
    EXPECT_EQ(result.exit_code, 5);
    EXPECT_EQ(result.error_json()["error"]["kind"], "limit");
    EXPECT_EQ(result.error_json()["error"]["exit_code"], 5);
}

TEST_F(GroundingLimits, ATimeLimitEndsGrounding) {
    for (const std::string &program : {absurd_, silent_}) {
        const Result result = neurasp({"prob", program, "--time-limit", "0.1"});
        EXPECT_EQ(result.exit_code, 5) << result.err;
        EXPECT_EQ(result.out, "");
        EXPECT_EQ(result.err, "error: the time limit was reached while grounding\n");
    }
}

TEST_F(GroundingLimits, AMemoryLimitEndsGrounding) {
    // clingo collects the elements before it hands over anything
    const std::string collected = folder_.file("collected.lp", ":~ X=1..1000000000. [X,X]");
    for (const std::string &program : {absurd_, collected}) {
        const Result result =
            neurasp({"prob", program, "--memory-limit", "60", "--format", "json"});
        EXPECT_EQ(result.exit_code, 5) << result.err;
        EXPECT_EQ(result.error_json()["error"]["diagnostics"][0]["message"],
                  "reading and grounding take too much memory");
    }
}

TEST_F(GroundingLimits, CtrlCEndsGrounding) {
    for (const std::string &program : {absurd_, silent_}) {
        const Result result = interrupted({"check", program, "--ground-limit", "1000000000"});
        EXPECT_EQ(result.exit_code, 130) << result.err;
        EXPECT_EQ(result.out, "");
        EXPECT_EQ(result.err, "error: interrupted while grounding\n");
    }
}

TEST_F(GroundingLimits, CtrlCEndsTheGroundingOfAnExperiment) {
    if (!has_torch()) GTEST_SKIP() << "this build has no neurasp-torch";
    write_points(folder_);
    std::ofstream(folder_.path("points.lp"), std::ios::app)
        << "q :- X=1..100000, Y=1..100000, X*Y=-1.";
    const Result result = interrupted({"train", folder_.path("points.toml")});
    EXPECT_EQ(result.exit_code, 130) << result.err;
    EXPECT_EQ(result.err, "error: interrupted while reading and grounding\n");
    EXPECT_FALSE(std::filesystem::exists(folder_.path("out/checkpoint.pt")));
}

TEST_F(GroundingLimits, LeaveFilesUnchanged) {
    const std::string old = folder_.file("old.nnf", "what was there");
    const Result result = neurasp({"compile", silent_, "-o", old, "--time-limit", "0.1"});
    EXPECT_EQ(result.exit_code, 5) << result.err;
    std::ifstream file(old);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "what was there");
}

} // namespace
} // namespace neurasp::test
