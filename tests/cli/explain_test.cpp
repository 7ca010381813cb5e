// `neurasp explain`, as text and as JSON.
#include "cli/process.hpp"
#include "cli/programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

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
TEST_F(Explain, ReasonsRulesAndModelsAreForPeople) {
    EXPECT_EQ(text({addition_, "-p", digits_, "-q", "sum(2)"}),
              R"(P(sum(2)) = 0.41

because of, the weightiest reason first
  1. digit(0,i1,2), digit(0,i2,0)  covers 73.2 %
     sum(2) :- digit(0,i1,2), digit(0,i2,0).
  2. digit(0,i1,1), digit(0,i2,1)  covers 22 %
     sum(2) :- digit(0,i1,1), digit(0,i2,1).
  3. digit(0,i1,0), digit(0,i2,2)  covers 4.88 %
     sum(2) :- digit(0,i1,0), digit(0,i2,2).
  together 100 %; there is no other reason

most probable model with sum(2): 0.3
  sum(2) digit(0,i1,2) digit(0,i2,0)
  why
    sum(2)           rule     sum(2) :- digit(0,i1,2), digit(0,i2,0).
      digit(0,i1,2)  outcome  0.5
      digit(0,i2,0)  outcome  0.6

most probable model without sum(2): 0.18
  sum(1) digit(0,i1,1) digit(0,i2,0)
  why not
    not sum(2)           blocked  sum(2) :- digit(0,i1,2), digit(0,i2,0).  (not digit(0,i1,2))
                                  sum(2) :- digit(0,i1,1), digit(0,i2,1).  (not digit(0,i2,1))
                                  sum(2) :- digit(0,i1,0), digit(0,i2,2).  (not digit(0,i2,2))
      not digit(0,i1,2)  outcome  digit(0,i1,1) instead, 0.3
      not digit(0,i2,1)  outcome  digit(0,i2,0) instead, 0.6
      not digit(0,i2,2)  outcome  digit(0,i2,0) instead, 0.6

what would have to differ
  digit(0,i1,2)  0.5  ->  digit(0,i1,1)  0.3
  only with     sum(2) digit(0,i1,2)
  only without  sum(1) digit(0,i1,1)
)");
}

TEST_F(Explain, DerivationsCanBeLeftOutOrCut) {
    const std::string none = text({addition_, "-p", digits_, "-q", "sum(2)", "--steps", "0"});
    EXPECT_THAT(none, testing::Not(HasSubstr(":-")));
    EXPECT_THAT(text({addition_, "-p", digits_, "-q", "sum(2)", "--steps", "1"}),
                HasSubstr("... 2 more steps\n")); // the two digits of the model with sum(2)
}

TEST_F(Explain, DrawingsGoToAFileOrToStandardOutput) {
    const std::string drawing = text({addition_, "-p", digits_, "-q", "sum(2)", "--dot", "-"});
    EXPECT_THAT(drawing, StartsWith("digraph explanation {"));
    EXPECT_THAT(drawing, HasSubstr("label=\"digit(0,i1,2)\\n0.5\""));
    const std::string file = folder_.file("sum.dot", "");
    EXPECT_THAT(text({addition_, "-p", digits_, "-q", "sum(2)", "--dot", file}),
                StartsWith("P(sum(2)) = 0.41"));
    std::ifstream written(file);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(written), {}), drawing);
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

TEST_F(Explain, OptimalModeWithoutObservationIsNotCalledAnObservation) {
    // a has cost 3, -a has cost 1: only the model with -a counts.
    const std::string costly = folder_.file("costly.lp", "0.6 : a. :~ a. [3] :~ not a. [1]");
    EXPECT_THAT(text({costly, "-q", "-a", "--optimal"}), StartsWith("P(-a | least cost) = 1\n"));
}

TEST_F(Explain, ImpossibleQueriesAreReported) {
    EXPECT_EQ(text({coin_, "-q", "win", "-o", ":- win. :- not win."}),
              "P(win | O) is undefined\n"
              "P(O) = 0: no stable model satisfies the observation\n");
    EXPECT_THAT(text({coin_, "-q", "win", "-o", ":- win.", "--steps", "0"}),
                StartsWith("P(win | O) = 0\n"
                           "no stable model that satisfies the observation satisfies the query\n"
                           "\n"
                           "most probable model with win: none\n"
                           "\n"
                           "most probable model without win: 0.9\n"
                           "  coin(tail)\n"));
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

TEST_F(Explain, WithoutCircuitThereAreReasonsAsWell) {
    const Result result = neurasp({"explain", addition_, "-p", digits_, "-q", "sum(2)", "--engine",
                                   "enumerate", "--format", "json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const json answer = result.json();
    EXPECT_FALSE(answer.contains("note"));
    ASSERT_EQ(answer["reasons"].size(), 3u);
    EXPECT_NEAR(answer["reasons"][0]["share"], 0.3 / 0.41, rounding);
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
    const json &why = answer["why"];
    const json &top = why["steps"][why["query"][0]["step"].get<std::size_t>()];
    EXPECT_EQ(top["rule"], "sum(2) :- digit(0,i1,2), digit(0,i2,0).");
    const json &leaf = why["steps"][top["body"][0]["step"].get<std::size_t>()];
    EXPECT_EQ(leaf["kind"], "outcome");
    EXPECT_NEAR(leaf["probability"], 0.5, rounding);
    EXPECT_EQ(answer["changes"][0]["without"]["atom"], "digit(0,i1,1)");
    EXPECT_EQ(answer["conflict"], json());
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
