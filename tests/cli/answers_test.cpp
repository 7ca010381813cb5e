// The answers of the subcommands, as text and as JSON.
#include "cli/process.hpp"
#include "cli/programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace neurasp::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Answers : public testing::Test {
  protected:
    json ask(Words arguments) {
        arguments.insert(arguments.end(), {"--format", "json"});
        const Result result = neurasp(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(result.err, "");
        return result.json();
    }
    std::string text(const Words &arguments) {
        const Result result = neurasp(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(result.err, "");
        return result.out;
    }

    Folder folder_;
    std::string coin_ = folder_.file("coin.lp", coin);
    std::string addition_ = folder_.file("addition.lp", addition);
    std::string digits_ = folder_.file("digits.json", digits);
    std::string incoherent_ = folder_.file("incoherent.lp", incoherent);
};

TEST_F(Answers, ProbGivesTheProbabilityOfTheObservation) {
    const json answer = ask({"prob", coin_, "-o", ":- not win."});
    EXPECT_NEAR(answer["probability"], 0.1, rounding);
    EXPECT_NEAR(answer["log_probability"], std::log(0.1), rounding);
    EXPECT_NEAR(answer["mass"], 1.0, rounding);
    EXPECT_NEAR(answer["given_consistency"], 0.1, rounding);
    EXPECT_EQ(answer["exact"], true);
    EXPECT_EQ(answer["queries"], json::array());
    EXPECT_FALSE(answer.contains("bounds"));
    EXPECT_EQ(text({"prob", coin_, "-o", ":- not win."}), "P(O)  0.1\n");
}

TEST_F(Answers, ProbGivesConditionalAndJointProbabilitiesOfQueries) {
    const json answer = ask({"prob", addition_, "-p", digits_, "-o", ":- not sum(1).", "-q",
                             "digit(0,i1,0)", "--query", "not digit(0,i1,0), sum(1)"});
    EXPECT_NEAR(answer["probability"], 0.2 * 0.3 + 0.3 * 0.6, rounding);
    ASSERT_EQ(answer["queries"].size(), 2u);
    EXPECT_EQ(answer["queries"][0]["query"], "digit(0,i1,0)");
    EXPECT_NEAR(answer["queries"][0]["joint"], 0.06, rounding);
    EXPECT_NEAR(answer["queries"][0]["probability"], 0.25, rounding);
    EXPECT_NEAR(answer["queries"][1]["probability"], 0.75, rounding);
}

TEST_F(Answers, ProbOfAQueryIsNullIfTheObservationIsImpossible) {
    const json answer = ask({"prob", coin_, "-o", ":- win. :- not win.", "-q", "win"});
    EXPECT_EQ(answer["probability"], 0.0);
    EXPECT_TRUE(answer["log_probability"].is_null());
    EXPECT_TRUE(answer["queries"][0]["probability"].is_null());
    EXPECT_EQ(answer["queries"][0]["joint"], 0.0);
    EXPECT_THAT(text({"prob", coin_, "-o", ":- win. :- not win.", "-q", "win"}),
                HasSubstr("P(win | O)  undefined"));
}

TEST_F(Answers, ProbShowsTheMassOfIncoherentPrograms) {
    const json answer = ask({"prob", incoherent_, "-o", ":- not a."});
    EXPECT_NEAR(answer["mass"], 0.75, rounding);
    EXPECT_NEAR(answer["probability"], 0.25, rounding);
    EXPECT_NEAR(answer["given_consistency"], 1.0 / 3.0, rounding);
    EXPECT_EQ(text({"prob", incoherent_, "-o", ":- not a."}),
              "P(O)                      0.25\n"
              "P(some stable model)      0.75\n"
              "P(O | some stable model)  0.33333333\n");
}

TEST_F(Answers, ProbWithoutObservationShowsTheMassAndTheQueries) {
    EXPECT_EQ(text({"prob", coin_}), "P(some stable model)  1\n");
    EXPECT_EQ(text({"prob", coin_, "-q", "win"}), "P(win)  0.1\n");
}

TEST_F(Answers, ModelsListsAllWithTheirProbabilities) {
    const json answer = ask({"models", addition_, "-p", digits_});
    ASSERT_EQ(answer["models"].size(), 9u);
    double total = 0.0;
    for (const json &model : answer["models"]) {
        total += model["probability"].get<double>();
        EXPECT_NEAR(std::log(model["probability"].get<double>()), model["log_probability"],
                    rounding);
        EXPECT_EQ(model["atoms"].size(), 3u);
        EXPECT_EQ(model["cost"], json::array());
    }
    EXPECT_NEAR(total, 1.0, rounding);
    EXPECT_EQ(answer["exact"], true);
    EXPECT_EQ(answer["truncated"], false);
}

TEST_F(Answers, ModelsCanBeLimitedInNumber) {
    const json answer = ask({"models", addition_, "-p", digits_, "-n", "4"});
    EXPECT_EQ(answer["models"].size(), 4u);
    EXPECT_EQ(answer["truncated"], true);
}

TEST_F(Answers, ModelsAreLinesOfProbabilityAndAtoms) {
    EXPECT_EQ(text({"models", coin_, "-o", ":- not win."}), "0.1           win coin(head)\n");
    EXPECT_EQ(text({"models", coin_, "-o", ":- win. :- not win."}),
              "no stable model satisfies the observation\n");
    EXPECT_EQ(text({"models", folder_.file("none.lp", "a. :- a.")}),
              "the program has no stable model\n");
}

TEST_F(Answers, MapGivesTheMostProbableInOrder) {
    const json answer = ask({"map", addition_, "-p", digits_, "-k", "3"});
    ASSERT_EQ(answer["models"].size(), 3u);
    EXPECT_NEAR(answer["models"][0]["probability"], 0.30, rounding);
    EXPECT_NEAR(answer["models"][1]["probability"], 0.18, rounding);
    EXPECT_NEAR(answer["models"][2]["probability"], 0.15, rounding);
    EXPECT_EQ(ask({"map", addition_, "-p", digits_})["models"].size(), 1u);
    EXPECT_EQ(text({"map", coin_}), "0.9           coin(tail)\n");
}

TEST_F(Answers, MapListsTiesOnRequest) {
    EXPECT_EQ(ask({"map", incoherent_})["models"].size(), 1u);
    EXPECT_EQ(ask({"map", incoherent_, "--ties"})["models"].size(), 3u);
}

TEST_F(Answers, SampleDrawsTheSameWithTheSameSeed) {
    const Words arguments = {"sample", addition_, "-p", digits_, "-n", "50", "--seed", "7"};
    const json answer = ask(arguments);
    EXPECT_EQ(answer["models"].size(), 50u);
    EXPECT_EQ(answer["seed"], 7);
    EXPECT_EQ(answer["models"], ask(arguments)["models"]);
    EXPECT_NE(answer["models"],
              ask({"sample", addition_, "-p", digits_, "-n", "50", "--seed", "8"})["models"]);
}

TEST_F(Answers, SampleRespectsTheObservation) {
    const json answer =
        ask({"sample", addition_, "-p", digits_, "-o", ":- not sum(0).", "-n", "5"});
    ASSERT_EQ(answer["models"].size(), 5u);
    for (const json &model : answer["models"]) EXPECT_NEAR(model["probability"], 0.12, rounding);
    EXPECT_THAT(text({"sample", addition_, "-p", digits_, "-o", ":- not sum(9)."}),
                HasSubstr("no possible stable model satisfies the observation"));
}

TEST_F(Answers, MarginalsGiveAtomsAndVariables) {
    const json answer = ask({"marginals", addition_, "-p", digits_, "-o", ":- not sum(1)."});
    EXPECT_NEAR(answer["atoms"]["sum(1)"], 1.0, rounding);
    EXPECT_NEAR(answer["atoms"]["digit(0,i1,0)"], 0.25, rounding);
    ASSERT_EQ(answer["variables"].size(), 2u);
    EXPECT_EQ(answer["variables"][0]["atoms"],
              (json{"digit(0,i1,0)", "digit(0,i1,1)", "digit(0,i1,2)"}));
    EXPECT_NEAR(answer["variables"][0]["values"][1], 0.75, rounding);
    EXPECT_THAT(text({"marginals", addition_, "-p", digits_, "-o", ":- not sum(1)."}),
                HasSubstr("  digit(0,i1,1)  0.75\n"));
}

TEST_F(Answers, MarginalsOfAnImpossibleObservationAreEmpty) {
    const Words arguments = {"marginals", addition_, "-p", digits_, "-o", ":- not sum(9)."};
    EXPECT_EQ(ask(arguments)["atoms"], json::object());
    EXPECT_EQ(ask(arguments)["variables"], json::array());
    EXPECT_THAT(text(arguments), HasSubstr("no possible stable model satisfies the observation"));
}

TEST_F(Answers, MarginalsOfAProgramThatShowsNothingKnowThatItHasAModel) {
    const std::string file = folder_.file("empty.lp", "#show.\n");
    EXPECT_THAT(text({"marginals", file}), HasSubstr("P(some stable model)  1"));
}

TEST_F(Answers, GradientHasTheOutcomesInOrder) {
    const json answer = ask({"gradient", addition_, "-p", digits_, "-o", ":- not sum(1)."});
    EXPECT_NEAR(answer["log_probability"], std::log(0.24), rounding);
    ASSERT_EQ(answer["gradients"].size(), 2u);
    const json &first = answer["gradients"][0];
    EXPECT_EQ(first["atoms"], (json{"digit(0,i1,0)", "digit(0,i1,1)", "digit(0,i1,2)"}));
    EXPECT_NEAR(first["values"][0], 0.3 / 0.24, rounding);
    EXPECT_NEAR(first["values"][1], 0.6 / 0.24, rounding);
    EXPECT_NEAR(first["values"][2], 0.0, rounding);
}

TEST_F(Answers, GradientConventionsDiffer) {
    const Words plain = {"gradient", coin_, "-o", ":- not win."};
    const json first = ask({"gradient", coin_, "-o", ":- not win.", "--convention", "plain"});
    EXPECT_EQ(first["gradients"], ask(plain)["gradients"]);
    EXPECT_NEAR(first["gradients"][0]["values"][0], 10.0, 1e-9);
    EXPECT_NEAR(first["gradients"][0]["values"][1], 0.0, 1e-9);
    const json other =
        ask({"gradient", coin_, "-o", ":- not win.", "--convention", "proposition1"});
    EXPECT_EQ(other["convention"], "proposition1");
    EXPECT_NEAR(other["gradients"][0]["values"][0], 10.0, 1e-9);
    EXPECT_NEAR(other["gradients"][0]["values"][1], -10.0, 1e-9);
    EXPECT_EQ(other["gradients"][0]["learnable"], false);
}

TEST_F(Answers, GradientOfAnImpossibleObservationIsUndefined) {
    const Words arguments = {"gradient", coin_, "-o", ":- win. :- not win."};
    const json answer = ask(arguments);
    EXPECT_TRUE(answer["log_probability"].is_null());
    EXPECT_TRUE(answer["gradients"].is_null());
    EXPECT_THAT(answer["undefined"].get<std::string>(), HasSubstr("P(O) = 0"));
    EXPECT_THAT(text(arguments), HasSubstr("undefined: P(O) = 0"));
}

TEST_F(Answers, GroundPrintsClingoText) {
    EXPECT_THAT(text({"ground", coin_}), HasSubstr("win :- coin(head)."));
    EXPECT_EQ(ask({"ground", coin_})["format"], "clingo");
}

TEST_F(Answers, GroundPrintsAspif) {
    EXPECT_THAT(text({"ground", coin_, "--aspif"}), testing::StartsWith("asp 1 0 0\n"));
    EXPECT_NE(text({"ground", coin_, "--aspif"}),
              text({"ground", coin_, "--aspif", "-o", ":- win."}));
    EXPECT_EQ(neurasp({"ground", coin_, "-o", ":- win."}).exit_code, 2);
}

TEST_F(Answers, TinyProbabilitiesDoNotVanish) {
    std::string program = "#show.\n";
    for (int i = 0; i < 150; ++i)
        program +=
            "0.001 : a(" + std::to_string(i) + ",t) | 0.999 : a(" + std::to_string(i) + ",f).\n";
    const std::string file = folder_.file("tiny.lp", program);
    const json answer = ask({"prob", file, "-o", ":- not a(X,t), X = 0..149."});
    EXPECT_EQ(answer["probability"], 0.0);
    EXPECT_NEAR(answer["log_probability"], 150 * std::log(0.001), 1e-9);
    EXPECT_EQ(text({"prob", file, "-o", ":- not a(X,t), X = 0..149."}),
              "P(O)  1e-450  (log -1036.1633)\n");
}

} // namespace
} // namespace neurasp::test
