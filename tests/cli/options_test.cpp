// Every option that the other tests do not use.
#include "cli/process.hpp"
#include "cli/programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class OptionsTest : public testing::Test {
  protected:
    json ask(Words arguments, const std::string &input = {}) {
        arguments.insert(arguments.end(), {"--format", "json"});
        const Result result = neurasp(arguments, input);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return result.json();
    }
    double probability(const Words &arguments, const std::string &input = {}) {
        return ask(arguments, input)["probability"];
    }

    Folder folder_;
    std::string coin_ = folder_.file("coin.lp", coin);
    std::string addition_ = folder_.file("addition.lp", addition);
    std::string digits_ = folder_.file("digits.json", digits);
};

TEST_F(OptionsTest, SeveralFilesAreOneProgram) {
    const std::string more = folder_.file("more.lp", "lose :- not win.\n");
    EXPECT_NEAR(probability({"prob", coin_, more, "-o", ":- not lose."}), 0.9, rounding);
}

TEST_F(OptionsTest, ObservationsAreAConjunction) {
    EXPECT_NEAR(probability({"prob", addition_, "-p", digits_, "-o", ":- not sum(2).", "--observe",
                             ":- digit(0,i1,2)."}),
                0.2 * 0.1 + 0.3 * 0.3, rounding);
}

TEST_F(OptionsTest, ObservationsComeFromFilesAsWell) {
    const std::string one = folder_.file("one.lp", ":- not sum(2).");
    const std::string two = folder_.file("two.lp", "% one more\n:- digit(0,i1,2).\n");
    EXPECT_NEAR(probability({"prob", addition_, "-p", digits_, "--observe-file", one,
                             "--observe-file", two}),
                0.2 * 0.1 + 0.3 * 0.3, rounding);
}

TEST_F(OptionsTest, FactsInAnObservationExtendTheProgram) {
    const std::string empty = folder_.file("empty.lp", "nn(digit(1,X), [0,1,2]) :- img(X).\n");
    EXPECT_NEAR(probability({"prob", empty, "-p", digits_, "-o",
                             "img(i1). img(i2). :- not digit(0,i1,0)."}),
                0.2, rounding);
}

TEST_F(OptionsTest, StandardInputCanBeAnyOneInput) {
    EXPECT_NEAR(probability({"prob", "-", "-o", ":- not win."}, coin), 0.1, rounding);
    EXPECT_NEAR(probability({"prob", coin_, "--observe-file", "-"}, ":- not win."), 0.1, rounding);
    EXPECT_NEAR(probability({"prob", addition_, "-p", "-", "-o", ":- not sum(0)."}, digits), 0.12,
                rounding);
}

TEST_F(OptionsTest, MistakesInStandardInputAreNamed) {
    EXPECT_THAT(neurasp({"prob", coin_, "-p", "-"}, "[").err, testing::StartsWith("<stdin>:1:"));
    EXPECT_THAT(neurasp({"prob", "-"}, "a :- b(.").err, testing::StartsWith("<stdin>:1:"));
}

TEST_F(OptionsTest, OutputFilesAreMergedAndLaterOnesWin) {
    const std::string one =
        folder_.file("one.json", R"({"digit": {"i1": [1,0,0], "i2": [0,1,0]}})");
    const std::string two = folder_.file("two.json", R"({"digit": {"i2": [0,0,1]}})");
    EXPECT_NEAR(probability({"prob", addition_, "-p", one, "--probs", two, "-o", ":- not sum(2)."}),
                1.0, rounding);
}

TEST_F(OptionsTest, ABareNumberIsTheProbabilityOfTheFirstOutcome) {
    const std::string program = folder_.file("safe.lp", "nn(safe(1,x), [yes,no]).\n");
    const std::string outputs = folder_.file("safe.json", R"({"safe": {"x": 0.3}})");
    EXPECT_NEAR(probability({"prob", program, "-p", outputs, "-o", ":- not safe(0,x,yes)."}), 0.3,
                rounding);
}

TEST_F(OptionsTest, SoftmaxIsAppliedToLogits) {
    const std::string program = folder_.file("safe.lp", "nn(safe(1,x), [yes,no]).\n");
    const std::string outputs = folder_.file("safe.json", R"({"safe": {"x": [1000, 1000]}})");
    EXPECT_NEAR(probability({"prob", program, "-p", outputs, "--logits", "safe", "-o",
                             ":- not safe(0,x,yes)."}),
                0.5, rounding);
    EXPECT_EQ(neurasp({"prob", program, "-p", outputs}).exit_code, 3);
}

TEST_F(OptionsTest, ConstantsAreSet) {
    const std::string program = folder_.file("const.lp", "#const n=1.\n0.5 : a(X) :- X=1..n.\n");
    EXPECT_EQ(ask({"check", program})["summary"]["random_variables"], 1);
    EXPECT_EQ(ask({"check", program, "-c", "n=4"})["summary"]["random_variables"], 4);
    EXPECT_EQ(ask({"check", program, "--const=n=3"})["summary"]["random_variables"], 3);
}

TEST_F(OptionsTest, EnginesCanBeNamed) {
    EXPECT_NEAR(probability({"prob", coin_, "--engine", "auto", "-o", ":- not win."}), 0.1,
                rounding);
    const json answer = ask({"prob", coin_, "--engine", "enumerate", "-o", ":- not win."});
    EXPECT_NEAR(answer["probability"], 0.1, rounding);
    EXPECT_EQ(answer["engine"], "enumerate");
    EXPECT_EQ(ask({"prob", coin_, "--engine", "circuit", "-o", ":- not win."})["engine"],
              "circuit");
}

TEST_F(OptionsTest, OptimalModeKeepsLeastCost) {
    const std::string program = folder_.file("costly.lp", costly);
    const json all = ask({"models", program, "-o", ":- c(w)."});
    ASSERT_EQ(all["models"].size(), 2u);
    const json best = ask({"models", program, "-o", ":- c(w).", "--optimal"});
    ASSERT_EQ(best["models"].size(), 1u);
    EXPECT_EQ(best["models"][0]["cost"], (json{0, 1}));
    EXPECT_EQ(best["models"][0]["atoms"], json{"cheap"});
    EXPECT_NEAR(best["models"][0]["probability"], 0.5, rounding);
    EXPECT_EQ(neurasp({"models", program, "-o", ":- c(w).", "--optimal"}).out,
              "0.5           cost 0 1  cheap\n");
}

TEST_F(OptionsTest, AtomsAreTheShownOnesOrAll) {
    const std::string program =
        folder_.file("hidden.lp", "1 : c=v | 0 : c=w. a. b :- c(v). #show b/0.");
    EXPECT_EQ(ask({"map", program})["models"][0]["atoms"], json{"b"});
    EXPECT_EQ(ask({"map", program, "--atoms", "shown"})["models"][0]["atoms"], json{"b"});
    EXPECT_THAT(ask({"map", program, "--atoms", "all"})["models"][0]["atoms"],
                testing::UnorderedElementsAre("a", "b", "c(v)"));
    const std::string nothing = folder_.file("nothing.lp", "1 : c=v | 0 : c=w. #show.");
    EXPECT_EQ(neurasp({"map", nothing}).out, "1             (no atoms)\n");
}

TEST_F(OptionsTest, StatisticsAreAddedOnRequest) {
    const json stats = ask({"prob", coin_, "--stats"})["stats"];
    EXPECT_EQ(stats["engine"], "circuit");
    EXPECT_THAT(stats["detail"].get<std::string>(), HasSubstr("a circuit of "));
    EXPECT_EQ(stats["program"]["random_variables"], 1);
    EXPECT_GE(stats["seconds"]["answering"].get<double>(), 0.0);
    EXPECT_TRUE(ask({"models", coin_, "--stats"}).contains("stats"));
    const Result text = neurasp({"prob", coin_, "--stats"});
    EXPECT_EQ(text.out, neurasp({"prob", coin_}).out);
    EXPECT_THAT(text.err, HasSubstr("solver calls"));
    EXPECT_THAT(text.err, HasSubstr("a circuit of "));
    EXPECT_FALSE(
        ask({"prob", coin_, "--engine", "enumerate", "--stats"})["stats"].contains("detail"));
}

TEST_F(OptionsTest, ScriptsAndIncludesNeedPermission) {
    const std::string script =
        folder_.file("script.lp", "#script (lua) function f() return 1 end #end.\n"
                                  "0.5 : a.\n");
    const Result refused = neurasp({"prob", script});
    EXPECT_EQ(refused.exit_code, 3);
    EXPECT_THAT(refused.err, HasSubstr("#script"));
    folder_.file("lib.lp", "b :- a.\n");
    const std::string including = folder_.file("including.lp", "#include \"lib.lp\".\n0.5 : a.\n");
    EXPECT_EQ(neurasp({"prob", including}).exit_code, 3);
    EXPECT_NEAR(probability({"prob", including, "--allow-include", "-o", ":- not b."}), 0.5,
                rounding);
}

TEST_F(OptionsTest, PermittedScriptsAreNotRefused) {
    const std::string script =
        folder_.file("script.lp", "#script (lua) function f() return 1 end #end.\n"
                                  "0.5 : a.\n");
    EXPECT_THAT(neurasp({"prob", script, "--allow-script"}).err,
                testing::Not(HasSubstr("--allow-script")));
}

TEST_F(OptionsTest, UnicodeGoesThrough) {
    const std::string program =
        folder_.file("größe.lp", "nn(größe(1,\"Straße 1\"), [\"groß\",\"klein\"]).\n");
    const Result failed = neurasp({"check", program});
    EXPECT_EQ(failed.exit_code, 3); // clingo's identifiers are ASCII
    const std::string fine =
        folder_.file("fein.lp", "nn(size(1,\"Straße 1\"), [\"groß\",\"klein\"]).\n#show size/3.\n");
    const std::string outputs =
        folder_.file("o.json", R"({"size": {"\"Straße 1\"": [0.25, 0.75]}})");
    const json answer = ask({"map", fine, "-p", outputs});
    EXPECT_EQ(answer["models"][0]["atoms"], json{"size(0,\"Straße 1\",\"klein\")"});
    EXPECT_EQ(neurasp({"map", fine, "-p", outputs}).out,
              "0.75          size(0,\"Straße 1\",\"klein\")\n");
}

TEST_F(OptionsTest, BytesThatAreNotUtf8StillBecomeJson) {
    const std::string program =
        folder_.file("latin.lp", "1 : a(\"\xE4\") | 0 : a(\"b\"). #show a/1.\n");
    const Result result = neurasp({"map", program, "--format", "json"});
    if (result.exit_code == 0) {
        EXPECT_EQ(result.json()["models"].size(), 1u);
    } else {
        EXPECT_TRUE(result.error_json().contains("error"));
    }
}

TEST_F(OptionsTest, ColoursCanBeForced) {
    EXPECT_THAT(neurasp({"models", coin_, "--color", "always"}).out, HasSubstr("\033["));
    EXPECT_THAT(neurasp({"prob", coin_, "-o", "x", "--color=always"}).err, HasSubstr("\033["));
    EXPECT_THAT(neurasp({"models", coin_, "--color", "auto"}).out,
                testing::Not(HasSubstr("\033[")));
}

} // namespace
} // namespace neurasp::test
