// One answer for each instance of a query, sets of observations, and questions without an observation.
#include "cli/process.hpp"
#include "cli/programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace neurasp::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Instances : public testing::Test {
  protected:
    json ask(Words arguments) {
        arguments.insert(arguments.end(), {"--format", "json"});
        const Result result = neurasp(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return result.json();
    }
    std::string text(const Words &arguments) {
        const Result result = neurasp(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return result.out;
    }
    json ask_set(const std::string &set, Words more = {}) {
        more.insert(more.begin(),
                    {"prob", addition_, "-p", digits_, "--observe-set", folder_.file("set", set)});
        return ask(more);
    }

    Folder folder_;
    std::string coin_ = folder_.file("coin.lp", coin);
    std::string addition_ = folder_.file("addition.lp", addition);
    std::string digits_ = folder_.file("digits.json", digits);
    std::string weighed_ = folder_.file("weighed.lp", "0.3 : a. {b}. :~ b. [1] :~ a. [2]");
};

// i1 is 0, 1, 2 with 0.2, 0.3, 0.5, and i2 with 0.6, 0.3, 0.1.
TEST_F(Instances, EachHasAnAnswerOfItsOwn) {
    EXPECT_EQ(text({"prob", addition_, "-p", digits_, "--each", "sum(N), N > 2"}),
              "P(sum(3), 3 > 2)  0.18\n"
              "P(sum(4), 4 > 2)  0.05\n");
    const json answer =
        ask({"prob", addition_, "-p", digits_, "-o", ":- not sum(1).", "--each", "digit(0,I,1)"});
    ASSERT_EQ(answer["queries"].size(), 2u);
    EXPECT_EQ(answer["queries"][0]["query"], "digit(0,i1,1)");
    EXPECT_EQ(answer["queries"][0]["instance_of"], "digit(0,I,1)");
    EXPECT_EQ(answer["queries"][0]["bindings"], (json{{"I", "i1"}}));
    EXPECT_NEAR(answer["queries"][0]["probability"], 0.75, rounding);
    EXPECT_NEAR(answer["queries"][1]["probability"], 0.25, rounding);
    EXPECT_EQ(answer["each"][0]["instances"], 2);
}

TEST_F(Instances, AreReportedAsMissingIfNoneCanHold) {
    EXPECT_EQ(text({"prob", addition_, "-p", digits_, "--each", "sum(N), N > 4"}),
              "no instance of sum(N), N > 4 can hold\n");
}

TEST_F(Instances, SetsGiveEachTermAndTheirProduct) {
    const json answer = ask_set("% sums\n:- not sum(1).\n\n:- not sum(3).\n:- not sum(1).\n");
    ASSERT_EQ(answer["terms"].size(), 3u);
    EXPECT_NEAR(answer["terms"][0]["probability"], 0.24, rounding);
    EXPECT_NEAR(answer["terms"][1]["probability"], 0.18, rounding);
    EXPECT_EQ(answer["terms"][1]["observation"], ":- not sum(3).");
    EXPECT_NEAR(answer["probability"], 0.24 * 0.18 * 0.24, rounding);
    EXPECT_NEAR(answer["log_probability"], std::log(0.24 * 0.18 * 0.24), rounding);
    EXPECT_EQ(answer["exact"], true);
    EXPECT_EQ(answer["impossible"], json::array());
}

TEST_F(Instances, SetsAreShownToPeople) {
    const std::string set = folder_.file("set", ":- not sum(1).\n:- sum(1). :- not sum(1).\n");
    EXPECT_EQ(text({"prob", addition_, "-p", digits_, "--observe-set", set}),
              "P(O1)       0.24  log -1.4271164  :- not sum(1).\n"
              "P(O2)       0     impossible      :- sum(1). :- not sum(1).\n"
              "P({O1,O2})  0     impossible\n"
              "impossible: 1 of 2 (O2)\n");
}

TEST_F(Instances, SetsDoNotUnderflow) {
    std::string set;
    for (int i = 0; i < 1000; ++i) set += ":- not sum(1).\n";
    const json answer = ask_set(set);
    EXPECT_EQ(answer["probability"], 0.0);
    EXPECT_NEAR(answer["log_probability"], 1000 * std::log(0.24), 1e-8);
    EXPECT_EQ(answer["impossible"], json::array());
}

TEST_F(Instances, SetsMayBringOutputsAndFacts) {
    const json answer = ask_set(R"([
        {"observation": ":- not sum({}).", "values": [4], "name": "four",
         "outputs": {"digit": {"i1": [[0, 0, 1]], "i2": [[0, 0.5, 0.5]]}}},
        ":- not sum(4)."])");
    EXPECT_EQ(answer["terms"][0]["name"], "four");
    EXPECT_NEAR(answer["terms"][0]["probability"], 0.5, rounding);
    EXPECT_NEAR(answer["terms"][1]["probability"], 0.05, rounding); // the common outputs
    EXPECT_NEAR(answer["probability"], 0.025, rounding);
}

// -o holds for each: P(sum = 1, i1 = 0) = 0.2 * 0.3 and P(sum = 2, i1 = 0) = 0.2 * 0.1.
TEST_F(Instances, SetsAddToTheObservationOfAll) {
    const json answer =
        ask_set(":- not sum(1).\n:- not sum(2).\n", {"-o", ":- not digit(0,i1,0)."});
    EXPECT_NEAR(answer["probability"], 0.06 * 0.02, rounding);
}

TEST_F(Instances, SetsAreBoundedByTheirTerms) {
    const json answer = ask_set(":- not sum(2).\n:- not sum(2).\n",
                                {"--engine", "enumerate", "--model-limit", "1"});
    EXPECT_EQ(answer["exact"], false);
    const double lower = answer["terms"][0]["bounds"]["lower"];
    const double upper = answer["terms"][0]["bounds"]["upper"];
    EXPECT_LE(lower, 0.41);
    EXPECT_GE(upper, 0.41);
    EXPECT_NEAR(answer["bounds"]["lower"], lower * lower, rounding);
    EXPECT_NEAR(answer["bounds"]["upper"], upper * upper, rounding);
}

TEST_F(Instances, MistakesInSetsHaveTheirPlace) {
    const std::string set = folder_.file("set.txt", ":- not sum(1).\n:- not sum(2)\n");
    const Result result = neurasp({"prob", addition_, "-p", digits_, "--observe-set", set});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, HasSubstr("set.txt:2:13: error:"));
    EXPECT_EQ(neurasp({"prob", addition_, "--observe-set", set, "-q", "a"}).exit_code, 2);
}

TEST_F(Instances, LabelsHaveNoOWithoutAnObservation) {
    EXPECT_THAT(text({"gradient", coin_}),
                testing::StartsWith("log P(some stable model)  0\nP(some stable model)      1\n"));
    EXPECT_THAT(text({"gradient", coin_, "-o", ":- not win."}), HasSubstr("log P(O)  -2.3"));
    // the model of least cost that satisfies it is {-a}, with 0.7 / 2
    EXPECT_EQ(text({"prob", weighed_, "--optimal", "-q", "b"}),
              "P(some model of least cost)  0.35\n"
              "P(b | least cost)            0\n"
              "P(b, least cost)             0\n");
    for (const char *command : {"prob", "marginals", "gradient"}) {
        EXPECT_THAT(text({command, weighed_}), testing::Not(HasSubstr("P(O)"))) << command;
        EXPECT_THAT(text({command, weighed_, "--optimal"}), testing::Not(HasSubstr("P(O)")));
    }
}

TEST_F(Instances, MapIsTruncatedIfThereAreMoreModels) {
    EXPECT_EQ(ask({"map", coin_})["truncated"], true);
    EXPECT_EQ(ask({"map", coin_, "-k", "2"})["truncated"], false);
    EXPECT_EQ(ask({"map", coin_, "-k", "9"})["truncated"], false);
    EXPECT_EQ(ask({"map", weighed_, "--optimal"})["truncated"], false);
    EXPECT_EQ(ask({"models", coin_, "-n", "1"})["truncated"], true);
    EXPECT_EQ(ask({"models", coin_, "-n", "2"})["truncated"], false);
    EXPECT_EQ(ask({"models", coin_})["truncated"], false);
    EXPECT_EQ(ask({"sample", coin_})["truncated"], false);
}

} // namespace
} // namespace neurasp::test
