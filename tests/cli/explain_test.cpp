// `neurasp explain`, as text and as JSON.
#include "cli/process.hpp"
#include "cli/programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

class Explain : public testing::Test {
  protected:
    std::string text(Words arguments) {
        arguments.insert(arguments.begin(), "explain");
        const Result result = neurasp(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(result.err, "");
        return result.out;
    }

    Folder folder_;
    std::string coin_ = folder_.file("coin.lp", coin);
    std::string addition_ = folder_.file("addition.lp", addition);
    std::string digits_ = folder_.file("digits.json", digits);
};

// 0.5 * 0.6 + 0.3 * 0.3 + 0.2 * 0.1 = 0.41
TEST_F(Explain, ReasonsAndModelsAreForPeople) {
    EXPECT_EQ(text({addition_, "-p", digits_, "-q", "sum(2)"}),
              "P(sum(2)) = 0.41\n"
              "\n"
              "because of\n"
              "  1. digit(0,i1,2), digit(0,i2,0)  covers 73.2 %\n"
              "  2. digit(0,i1,1), digit(0,i2,1)  covers 22 %\n"
              "  3. digit(0,i1,0), digit(0,i2,2)  covers 4.88 %\n"
              "  together 100 %; there is no other reason\n"
              "\n"
              "most probable models\n"
              "  with sum(2)   0.3   sum(2) digit(0,i1,2) digit(0,i2,0)\n"
              "  without       0.18  sum(1) digit(0,i1,1) digit(0,i2,0)\n"
              "  only with           sum(2) digit(0,i1,2)\n"
              "  only without        sum(1) digit(0,i1,1)\n");
}

TEST_F(Explain, TheNumberOfReasonsCanBeChosen) {
    EXPECT_THAT(text({addition_, "-p", digits_, "-q", "sum(2)", "-k", "2"}),
                HasSubstr("together 95.1 %; there are more reasons\n"));
    EXPECT_THAT(text({addition_, "-p", digits_, "-q", "sum(2)", "-k", "0"}),
                testing::Not(HasSubstr("because")));
}

TEST_F(Explain, OverlapIsReported) {
    const std::string either = folder_.file("either.lp", "0.5 : a. 0.4 : b. q :- a. q :- b.\n");
    EXPECT_THAT(text({either, "-q", "q"}), HasSubstr("the shares overlap"));
}

TEST_F(Explain, TheAnswerIsGivenTheObservation) {
    EXPECT_THAT(text({coin_, "-q", "coin(head)", "-o", ":- not win."}),
                StartsWith("P(coin(head) | O) = 1\n\nbecause of\n  1. whatever the outcomes are"));
    const std::string incoherent_file = folder_.file("incoherent.lp", incoherent);
    EXPECT_THAT(text({incoherent_file, "-q", "a"}),
                StartsWith("P(a | some stable model) = 0.33333333\n"));
}

TEST_F(Explain, ImpossibleQueriesAreReported) {
    EXPECT_EQ(text({coin_, "-q", "win", "-o", ":- win. :- not win."}),
              "P(win | O) is undefined\n"
              "P(O) = 0: no possible stable model satisfies the observation\n");
    EXPECT_EQ(text({coin_, "-q", "win", "-o", ":- win."}),
              "P(win | O) = 0\n"
              "no possible stable model that satisfies the observation satisfies the query\n"
              "\n"
              "most probable models\n"
              "  with win  none\n"
              "  without   0.9   coin(tail)\n");
}

TEST_F(Explain, FreeChoicesLeaveDoubt) {
    const std::string umbrella = folder_.file("umbrella.lp", R"(
0.3 : rain.
{ umbrella } :- rain.
wet :- rain, not umbrella.
)");
    EXPECT_THAT(text({umbrella, "-q", "wet"}),
                HasSubstr("1. rain  covers 100 %  (makes it 50 % certain)"));
}

TEST_F(Explain, WithoutCircuitThereIsANote) {
    const Result result = neurasp({"explain", addition_, "-p", digits_, "-q", "sum(2)", "--engine",
                                   "enumerate", "--format", "json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const json answer = result.json();
    EXPECT_THAT(answer["note"].get<std::string>(), HasSubstr("no reasons"));
    EXPECT_EQ(answer["reasons"], json::array());
    EXPECT_NEAR(answer["probability"], 0.41, rounding);
    EXPECT_NEAR(answer["with_query"]["probability"], 0.3, rounding);
}

TEST_F(Explain, JsonHasAllNumbers) {
    const json answer =
        neurasp({"explain", addition_, "-p", digits_, "-q", "sum(2)", "--format", "json"}).json();
    EXPECT_NEAR(answer["probability"], 0.41, rounding);
    EXPECT_NEAR(answer["reasons"][0]["share"], 0.3 / 0.41, rounding);
    EXPECT_NEAR(answer["reasons"][0]["probability"], 0.3, rounding);
    EXPECT_EQ(answer["reasons"][0]["outcomes"][0]["variable"], "digit(i1)");
    EXPECT_EQ(answer["disjoint"], true);
    EXPECT_EQ(answer["only_without"], (json{"sum(1)", "digit(0,i1,1)"}));
    EXPECT_FALSE(answer.contains("note"));
}

TEST_F(Explain, OneQueryIsNeeded) {
    for (const Words &arguments :
         {Words{"explain", coin_}, Words{"explain", coin_, "-q", "win", "-q", "not win"}}) {
        const Result result = neurasp(arguments);
        EXPECT_EQ(result.exit_code, 2);
        EXPECT_THAT(result.err, StartsWith("error: expected one query, found "));
    }
    EXPECT_EQ(neurasp({"explain", coin_, "-q", "win,"}).exit_code, 3);
}

} // namespace
} // namespace neurasp::test
