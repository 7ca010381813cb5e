// `neurasp check` of an experiment file: text, JSON, limits, mistakes.
#include "cli/points.hpp"
#include "cli/process.hpp"
#include "support/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace neurasp::test {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;

constexpr auto xor_program = R"(img(a). img(b).
nn(bit(1,P),[0,1]) :- img(P).
xor((X+Y) \ 2) :- bit(0,a,X), bit(0,b,Y).
)";

// Labels are the columns x and y of the table.
constexpr auto xor_experiment = R"toml(program = "xor.lp"
[networks.bit]
layers = [{ kind = "linear", out = 2 }, { kind = "softmax" }]
[example]
observation = ":- not xor({out})."
[example.inputs]
a = "points[#]"
b = "points[#]"
[example.labels]
"bit(a)" = "{x}"
"bit(b)" = "{y}"
[splits.train]
table = "xor.csv"
arrays.points = { file = "points.csv" }
)toml";

class CheckExperiment : public testing::Test {
  protected:
    CheckExperiment() {
        write_points(folder_);
        folder_.file("xor.lp", xor_program);
        folder_.file("xor.toml", xor_experiment);
        folder_.file("xor.csv", "x,y,out\n0,1,1\n1,1,0\n0,0,0\n");
    }
    Result check(const std::string &file, Words more = {}) {
        more.insert(more.begin(), {"check", folder_.path(file)});
        return neurasp(more);
    }
    json ask(const std::string &file, Words more = {}) {
        more.insert(more.end(), {"--format", "json"});
        const Result result = check(file, more);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(result.err, "");
        EXPECT_EQ(schema_violation(load_schema("check-experiment"), result.json()), "")
            << result.out;
        return result.json();
    }

    Folder folder_;
};

TEST_F(CheckExperiment, XorCanBeLearnedWithTheBitsSwapped) {
    const Result result = check("xor.toml");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, ContainsRegex("split +train: 3 examples, 2 observations\n"));
    EXPECT_THAT(result.out, ContainsRegex("labels +all true outcomes are known\n"));
    EXPECT_THAT(result.out, ContainsRegex("maps +2, the identity included\n"));
    EXPECT_THAT(result.out, ContainsRegex("the smallest +0 and 1 can be swapped\n"));
    EXPECT_THAT(result.out, ContainsRegex("bit +true +0 +1\n +read as +1 +0\n"));
    const json shortcuts = ask("xor.toml")["shortcuts"];
    EXPECT_EQ(shortcuts["at_least"], "2");
    EXPECT_EQ(shortcuts["exact"], true);
    EXPECT_EQ(shortcuts["smallest"]["changes"], 2);
}

TEST_F(CheckExperiment, SumsHaveNoShortcutsWithAndWithoutLabels) {
    const json train = ask("points.toml");
    EXPECT_EQ(train["labelled"], 0);
    EXPECT_EQ(train["truth_known"], false);
    EXPECT_EQ(train["shortcuts"]["at_most"], "1");
    EXPECT_EQ(train["shortcuts"]["smallest"], nullptr);
    const json test = ask("points.toml", {"--split", "test"});
    EXPECT_EQ(test["labelled"], 36);
    EXPECT_EQ(test["truth_known"], true);
    EXPECT_EQ(test["shortcuts"]["at_most"], "1");
    EXPECT_THAT(check("points.toml").out, HasSubstr("1: only the identity, so there are no"));
}

TEST_F(CheckExperiment, NamesTheExamplesThatTeachNothing) {
    folder_.file("sums.csv", "a,b,sum\n0,1,0\n0,2,9\n2,3,3\n4,5,4\n0,0,9\n");
    const Result result = check("points.toml", {"--split", "test"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.err,
                ContainsRegex("no total choice satisfies the observation of 2 examples: "
                              ".*sums.csv:3, .*sums.csv:6 .impossible-observation."));
    EXPECT_THAT(result.err, ContainsRegex("the labels violate the observation of 1 example: "
                                          ".*sums.csv:4 .contradictory-labels."));
    EXPECT_THAT(result.out, ContainsRegex("impossible +2 examples: .*sums.csv:3"));
    EXPECT_THAT(result.out, ContainsRegex("teach nothing +none\n"));
    const json found = ask("points.toml", {"--split", "test"});
    EXPECT_EQ(found["impossible"]["examples"], 2);
    EXPECT_EQ(found["impossible"]["observations"], 1);
    EXPECT_EQ(found["contradictory"]["examples"], 1);

    const json idle = ask("points.toml", {"--set", "example.observation=:- sum(7)."});
    EXPECT_EQ(idle["teach_nothing"]["examples"], 5);
    EXPECT_EQ(idle["networks"][0]["matters"], false);
}

TEST_F(CheckExperiment, OutcomesAndNetworksThatNeverMatterAreNamed) {
    folder_.file("sums.csv", "a,b,sum\n0,1,0\n0,2,1\n");
    EXPECT_THAT(check("points.toml").out, ContainsRegex("kind +matters; never possible: 2\n"));
    std::string text = points_experiment;
    folder_.file("more.toml", text + "[networks.other]\npreset = \"digit-cnn\"\n");
    EXPECT_THAT(check("more.toml").err,
                HasSubstr("no example calls the network 'other' of the experiment file"));
}

TEST_F(CheckExperiment, LimitsLeaveBounds) {
    const std::string text = xor_experiment;
    const std::size_t labels = text.find("[example.labels]");
    folder_.file("bare.toml", text.substr(0, labels) + text.substr(text.find("[splits.train]")));
    EXPECT_EQ(ask("bare.toml")["shortcuts"]["at_least"], "2");
    const json few = ask("bare.toml", {"--choices", "1"});
    EXPECT_EQ(few["exact"], false);
    EXPECT_EQ(few["shortcuts"]["at_least"], "1");
    EXPECT_EQ(few["shortcuts"]["smallest"]["sure"], false);
    EXPECT_EQ(few["limit"], "the limit on total choices or steps was reached");
    const json steps = ask("xor.toml", {"--steps", "1"});
    EXPECT_EQ(steps["shortcuts"]["at_most"], nullptr);
    EXPECT_THAT(check("xor.toml", {"--steps", "1"}).out, HasSubstr("not exact: "));
}

// Twelve events that must differ have 12! maps, so the search is certain to be going on; a signal that comes before
// it begins is repeated later.
TEST_F(CheckExperiment, CtrlCKeepsWhatWasFound) {
    folder_.file("cells.lp", "nn(cell(12,a),[1,2,3,4,5,6,7,8,9,10,11,12]).");
    folder_.file("cells.csv", "truth\n1 2 3 4 5 6 7 8 9 10 11 12\n");
    const std::string file = folder_.file("cells.toml", R"toml(program = "cells.lp"
[networks.cell]
layers = [{ kind = "linear", out = 144 }, { kind = "softmax" }]
[example]
observation = ":- cell(I,a,V), cell(J,a,V), I < J."
inputs = { a = "points[#]" }
labels = { "cell(a)" = "{truth}" }
[splits.train]
table = "cells.csv"
arrays.points = { file = "points.csv" }
)toml");
    for (int delay = 250; delay < 60'000; delay *= 2) {
        Process process(
            {command_path(), "check", file, "--steps", "1000000000000", "--format", "json"});
        std::this_thread::sleep_for(std::chrono::milliseconds(delay));
        process.send(SIGINT);
        const Result result = process.finish();
        if (result.signal != 0 || result.out.empty()) continue;
        const json answer = result.json();
        EXPECT_EQ(result.exit_code, 130);
        EXPECT_EQ(answer["interrupted"], true);
        EXPECT_EQ(schema_violation(load_schema("check-experiment"), answer), "");
        if (answer["shortcuts"].is_null()) continue;
        EXPECT_EQ(answer["shortcuts"]["exact"], false);
        EXPECT_EQ(answer["shortcuts"]["at_most"], nullptr);
        return;
    }
    FAIL() << "no signal was handled during the search";
}

TEST_F(CheckExperiment, MistakesAreReportedWithTheirPlaces) {
    folder_.file("xor.csv", "x,y,out\n0,1,1\n7,1,0\n");
    const Result label = check("xor.toml");
    EXPECT_EQ(label.exit_code, 3);
    EXPECT_THAT(label.err, ContainsRegex("xor.csv:3: the label '7' is not an outcome of 'bit'"));
    folder_.file("xor.lp", "nn(bit(1,a),[).");
    EXPECT_EQ(check("xor.toml").exit_code, 3);
    EXPECT_EQ(check("missing.toml").exit_code, 4);
    EXPECT_EQ(check("xor.toml", {"--split", "test"}).exit_code, 3);
}

TEST_F(CheckExperiment, OptionsOfTheOtherKindAreRefused) {
    const Result coherence = check("xor.toml", {"--coherence"});
    EXPECT_EQ(coherence.exit_code, 2);
    EXPECT_THAT(coherence.err, HasSubstr("--coherence is for programs, not for experiment files"));
    const Result split = check("xor.lp", {"--split", "test"});
    EXPECT_EQ(split.exit_code, 2);
    EXPECT_THAT(split.err, HasSubstr("--split is for experiment files"));
    EXPECT_EQ(neurasp({"check", folder_.path("xor.toml"), folder_.path("xor.lp")}).exit_code, 2);
    EXPECT_THAT(neurasp({"check", "--help"}).out, HasSubstr("--choices"));
}

} // namespace
} // namespace neurasp::test
