// With limits, answers are marked as bounds; without any answer, the exit code is 5.
#include "cli/process.hpp"
#include "cli/programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Limits : public testing::Test {
  protected:
    Folder folder_;
    std::string endless_ = folder_.file("endless.lp", endless);
    const Words observation_ = {"-o", ":- #count{X : flip(X)} > 20."};

    Result run(const std::string &command, Words extra) {
        // a circuit would answer at once
        extra.insert(extra.begin(), {command, endless_, "--engine", "enumerate"});
        extra.insert(extra.end(), observation_.begin(), observation_.end());
        return neurasp(extra);
    }
};

TEST_F(Limits, AModelLimitGivesBounds) {
    const Result result = run("prob", {"--model-limit", "100", "--format", "json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const json answer = result.json();
    EXPECT_EQ(answer["exact"], false);
    EXPECT_TRUE(answer.contains("note"));
    EXPECT_EQ(answer["probability"], answer["bounds"]["lower"]);
    EXPECT_GT(answer["bounds"]["lower"], 0.0);
    EXPECT_LE(answer["bounds"]["upper"], 1.0);
    EXPECT_LT(answer["bounds"]["lower"], answer["bounds"]["upper"]);
}

TEST_F(Limits, BoundsAreShownToPeople) {
    const Result result = run("prob", {"--model-limit", "100"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr(" .. "));
    EXPECT_THAT(result.out, HasSubstr("\nnot exact: model limit reached"));
    EXPECT_EQ(result.err, "");
}

// The mark is next to the numbers on standard output, so that a pipe does not lose it.
TEST_F(Limits, NumbersOfTheModelsSeenAreMarkedAsSuch) {
    const Result marginals = run("marginals", {"--model-limit", "3"});
    EXPECT_THAT(marginals.out,
                HasSubstr("\nnot exact: model limit reached; the marginals are those "
                          "of the models seen so far\n"));
    EXPECT_THAT(marginals.out, HasSubstr("\natoms (of the 3 models seen)\n"));
    const Result gradient = run("gradient", {"--model-limit", "1"});
    EXPECT_THAT(gradient.out, HasSubstr("log P(O)  >=-"));
    EXPECT_THAT(gradient.out, HasSubstr(" (of the 1 model seen)\n"));
    EXPECT_THAT(
        run("sample", {"-n", "2", "--model-limit", "3"}).out,
        testing::StartsWith("not exact: model limit reached; sampled from the models seen"));
    EXPECT_THAT(run("map", {"--model-limit", "3", "-k", "5"}).out,
                testing::StartsWith("not exact: model limit reached; the most probable of the 3 "
                                    "models seen so far\n"));
    EXPECT_THAT(run("map", {"--model-limit", "1", "-k", "5"}).out,
                HasSubstr("not exact: model limit reached; the only model seen so far\n"));
    EXPECT_THAT(run("models", {"--model-limit", "3"}).out,
                testing::EndsWith("\nnot exact: model limit reached; 3 models seen so far\n"));
}

TEST_F(Limits, NumbersOfTheModelsSeenAreMarkedInJson) {
    for (const Words &command :
         {Words{"marginals"}, {"gradient"}, {"sample"}, {"map", "-k", "5"}, {"models"}}) {
        Words more(command.begin() + 1, command.end());
        more.insert(more.end(), {"--model-limit", "3", "--format", "json"});
        const json answer = run(command.front(), more).json();
        EXPECT_EQ(answer["exact"], false) << command.front();
        EXPECT_THAT(answer["note"].get<std::string>(), HasSubstr("model limit")) << command.front();
    }
}

TEST_F(Limits, ATimeLimitEndsEveryCommand) {
    for (const char *command : {"prob", "models", "marginals", "gradient"}) {
        const Result result = run(command, {"--time-limit", "0.2", "--format", "json"});
        EXPECT_EQ(result.exit_code, 0) << command << result.err;
        EXPECT_EQ(result.json()["exact"], false);
    }
}

// clasp takes long to prepare its search and cannot be stopped meanwhile.
TEST_F(Limits, ATimeLimitEndsThePreparationOfASearch) {
    const std::string large = folder_.file("large.lp", R"(
        0.5 : c. {q(1..n)}. p(X) :- q(X), c. p(X) :- X=1..n, s. :- not p(1), c.
        s :- #sum{Y,Y : p(Y)} >= n*10. s :- #sum{Y,Y : p(Y), p(Y+1)} >= n*11.)");
    const Result result =
        neurasp({"prob", large, "-c", "n=40000", "--engine", "enumerate", "--time-limit", "2"});
    EXPECT_EQ(result.exit_code, 5) << result.err;
    // on a slow machine the limit is reached while grounding, or between that and the search
    EXPECT_THAT(result.out, testing::MatchesRegex("(P\\(some stable model\\)  0 \\.\\. 1\n)?"));
    EXPECT_THAT(result.err, testing::MatchesRegex(
                                "error: (the time limit was reached while (answering|grounding)|"
                                "no answer within the limits: time limit reached)\n"));
}

TEST_F(Limits, AModelLimitEndsModels) {
    const Result result = run("models", {"--model-limit", "7", "--format", "json"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.json()["models"].size(), 7u);
    EXPECT_EQ(result.json()["exact"], false);
}

TEST_F(Limits, AMemoryLimitIsAccepted) {
    const Result result = neurasp({"prob", folder_.file("coin.lp", coin), "--memory-limit", "100"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
}

// A pigeonhole problem: it has no stable model, and no solver proves that quickly.
TEST_F(Limits, WithoutAnyAnswerTheExitCodeIsFive) {
    const std::string hard = folder_.file("hard.lp", R"(
0.5 : a. #const n=14.
1 {in(P,H) : H=1..n-1} 1 :- P=1..n.
:- in(P,H), in(Q,H), P<Q.
)");
    const Result map = neurasp({"map", hard, "--time-limit", "0.2"});
    EXPECT_EQ(map.exit_code, 5);
    EXPECT_EQ(map.out, "");
    EXPECT_THAT(map.err, testing::StartsWith("error: no answer within the limits"));
    const Result prob = neurasp({"prob", hard, "--time-limit", "0.2", "--format", "json"});
    EXPECT_EQ(prob.exit_code, 5);
    EXPECT_EQ(prob.json()["exact"], false);
    EXPECT_EQ(prob.error_json()["error"]["kind"], "limit");
    EXPECT_EQ(neurasp({"check", hard, "--coherence", "--time-limit", "0.2"}).exit_code, 5);
}

} // namespace
} // namespace neurasp::test
