// Training, evaluation and prediction as processes: files and exit codes.
#include "cli/points.hpp"
#include "cli/process.hpp"
#include "support/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>

namespace neurasp::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class Training : public testing::Test {
  protected:
    // One finished run that several tests look at.
    static void SetUpTestSuite() {
        if (!has_torch()) return;
        folder_ = std::make_unique<Folder>();
        write_points(*folder_);
        trained_ = neurasp({"train", path("points.toml")});
    }
    static void TearDownTestSuite() { folder_.reset(); }

    void SetUp() override {
        if (!has_torch()) GTEST_SKIP() << "this build has no neurasp-torch";
    }

    static std::string path(const std::string &name) { return folder_->path(name); }
    // Runs a command on the experiment, with the weights in `out` of this folder.
    static Result run(const std::string &command, Words more = {}) {
        more.insert(more.begin(), {command, path("points.toml")});
        return neurasp(more);
    }

    static std::unique_ptr<Folder> folder_;
    static Result trained_;
};

std::unique_ptr<Folder> Training::folder_;
Result Training::trained_;

TEST_F(Training, WritesOneLinePerEpochAndLeavesItsFiles) {
    EXPECT_EQ(trained_.exit_code, 0) << trained_.err;
    EXPECT_EQ(trained_.err, "");
    EXPECT_THAT(trained_.out, testing::StartsWith("epoch 1  loss "));
    EXPECT_THAT(trained_.out, HasSubstr("\nepoch 20  loss "));
    EXPECT_THAT(trained_.out, HasSubstr("accuracy of kind 100.00 %, the sum 100.00 %"));
    for (const char *name : {"kind.pt", "checkpoint.pt", "log.jsonl", "report.html"}) {
        EXPECT_TRUE(fs::exists(path("out") + "/" + name)) << name;
    }
    std::istringstream log(bytes_of(path("out/log.jsonl")));
    std::size_t epochs = 0;
    for (std::string line; std::getline(log, line);) {
        const auto event = nlohmann::json::parse(line);
        EXPECT_EQ(schema_violation(load_schema("run-event"), event), "") << line;
        if (event["event"] == "start") {
            EXPECT_EQ(schema_violation(load_schema("experiment"), event["configuration"]), "");
        }
        if (event["event"] == "epoch") ++epochs;
    }
    EXPECT_EQ(epochs, 20u);
    EXPECT_THAT(bytes_of(path("out/report.html")), HasSubstr("</html>"));
}

TEST_F(Training, JsonAndItsWarningsFitTheirSchemas) {
    folder_->file("impossible.csv", "a,b,sum\n0,1,0\n2,3,7\n");
    const Result result = neurasp({"train", path("points.toml"), "--format", "json", "--no-report",
                                   "--set", "splits.train.table=impossible.csv", "--set",
                                   "output=json", "--set", "training.epochs=2"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(schema_violation(load_schema("train"), result.json()), "") << result.out;
    EXPECT_EQ(result.json()["epochs"].size(), 2u);
    EXPECT_EQ(result.json()["epochs"][1]["impossible"], 1);
    EXPECT_EQ(schema_violation(load_schema("warnings"), result.error_json()), "") << result.err;
    EXPECT_THAT(result.err, HasSubstr("impossible.csv:3: P(O) = 0"));
    EXPECT_FALSE(fs::exists(path("json/report.html")));
}

TEST_F(Training, StatsSayHowObservationsWerePrepared) {
    const Words words = {"train",      path("points.toml"), "--stats", "--no-report",
                         "--set",      "output=stats",      "--set",   "training.epochs=1",
                         "--overwrite"};
    const Result text = neurasp(words);
    EXPECT_EQ(text.exit_code, 0) << text.err;
    EXPECT_THAT(text.err, testing::ContainsRegex("observations +number +family +shared grounding"));
    EXPECT_THAT(text.err, HasSubstr(":- not sum("));
    Words as_json = words;
    as_json.insert(as_json.end(), {"--format", "json"});
    const Result result = neurasp(as_json);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(schema_violation(load_schema("train"), result.json()), "") << result.out;
    const auto stats = result.json()["stats"];
    std::size_t prepared = 0;
    for (const auto &kind : stats["kinds"]) {
        EXPECT_EQ(kind["in_families"].get<int>() + kind["grounded_together"].get<int>() +
                      kind["alone"].get<int>(),
                  kind["observations"].get<int>());
        prepared += kind["observations"].get<std::size_t>();
    }
    EXPECT_EQ(stats["observations"], prepared);
    EXPECT_EQ(prepared, 5u) << "sums of two numbers from 0 to 2";
}

TEST_F(Training, AnUnknownKeyIsReportedWithItsPlaceAndASuggestion) {
    std::string text = points_experiment;
    text.replace(text.find("epochs ="), 8, "epoch =");
    const std::string file = folder_->file("unknown.toml", text);
    const Result result = neurasp({"train", file});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, HasSubstr(file + ":25:1: error: there is no key 'epoch'"));
    EXPECT_THAT(result.err, HasSubstr("did you mean 'epochs'?"));
}

TEST_F(Training, MissingFilesAreNamed) {
    Result result = neurasp({"train", path("nothing.toml")});
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_THAT(result.err, HasSubstr("nothing.toml"));
    result = run("evaluate", {"--weights", path("nowhere")});
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_THAT(result.err, HasSubstr("nowhere/kind.pt"));
    EXPECT_THAT(result.err, HasSubstr("train the experiment first"));
}

TEST_F(Training, MistakesInTheExperimentAreReportedWithAHint) {
    const auto changed = [](const std::string &from, const std::string &to) {
        std::string text = points_experiment;
        text.replace(text.find(from), from.size(), to);
        return neurasp({"train", folder_->file("changed.toml", text), "--set", "output=changed"});
    };
    folder_->file("other.lp", "nn(knid(1,a), [0,1,2]).");
    Result result = changed("points.lp", "other.lp");
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, HasSubstr("hint: there is [networks.kind]"));
    result = changed("\"linear\"", "\"linaer\"");
    EXPECT_THAT(result.err, HasSubstr("  4 | layers = [{ kind = \"linaer\""));
    result = changed(", { kind = \"softmax\" }", "");
    EXPECT_THAT(result.err, HasSubstr("logits = true in [networks.kind]"));
    EXPECT_THAT(result.err, Not(HasSubstr("--logits"))); // an option of other commands
    result = changed("not sum({sum}).", "not sum({sum})");
    EXPECT_THAT(result.err, HasSubstr("sums.csv:2>:1:13: error: expected '.'"));
    result = changed("points.lp", "nothing.lp");
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_THAT(result.err, HasSubstr("nothing.lp': No such file"));
}

TEST_F(Training, HintsNameOnlyOptionsThatTheCommandHas) {
    std::string text = points_experiment;
    text.replace(text.find("points.lp"), 9, "script.lp");
    const std::string program = folder_->file("script.lp", "#script (lua) #end.\n");
    const std::string experiment = folder_->file("script.toml", text);
    for (const char *command : {"train", "evaluate"}) {
        const Result result = neurasp({command, experiment, "--set", "output=script"});
        EXPECT_EQ(result.exit_code, 3);
        EXPECT_THAT(result.err, HasSubstr("hint: "));
        EXPECT_THAT(result.err, Not(HasSubstr("--allow-script")));
    }
    EXPECT_THAT(neurasp({"check", program}).err, HasSubstr("--allow-script"));
}

TEST_F(Training, EndsIfNoExampleIsPossible) {
    const Result result = run("train", {"--set", "example.observation=:- not total({sum}).",
                                        "--set", "output=impossible"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, HasSubstr("P(O) = 0 for all 36 examples"));
    EXPECT_THAT(result.out, Not(HasSubstr("epoch")));
}

TEST_F(Training, EvaluateSaysHowManyExamplesWereImpossible) {
    folder_->file("impossible.csv", "a,b,sum\n0,1,0\n2,3,7\n");
    const Result result =
        run("evaluate", {"--split", "train", "--set", "splits.train.table=impossible.csv"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, testing::ContainsRegex("impossible +1 of 2 examples\n"));
}

TEST_F(Training, PredictWarnsAboutAtomsThatNoRuleDerives) {
    const Result result =
        run("predict", {"--input", "a=" + path("right.csv"), "--input", "b=" + path("left.csv"),
                        "-q", "total(3)", "-q", "kind(0,a,7)"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("no rule derives 'total/1', so this is never true "
                                      "[undefined-atom]"));
    EXPECT_THAT(result.err, HasSubstr("its outcomes are 0, 1, 2"));
}

TEST_F(Training, WrongCommandLinesAreUsageErrors) {
    EXPECT_EQ(neurasp({"train"}).exit_code, 2);
    EXPECT_THAT(neurasp({"train", path("points.lp")}).err, HasSubstr("found the program"));
    EXPECT_THAT(run("train", {"--epochs", "3"}).err, HasSubstr("--set training.epochs=5"));
    EXPECT_EQ(run("evaluate", {"--split", "tests"}).exit_code, 2);
    const Result result = run("train", {"--resum"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("did you mean '--resume'?"));
}

TEST_F(Training, ResumingNeedsACheckpointOfTheSameExperiment) {
    Result result = run("train", {"--resume", "--set", "training.batch_size=5"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, HasSubstr("other settings [checkpoint]"));
    result = run("train", {"--resume", "--set", "output=never"});
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_THAT(result.err, HasSubstr("nothing to resume"));
}

TEST_F(Training, ADamagedCheckpointIsRefused) {
    const std::string whole = bytes_of(path("out/checkpoint.pt"));
    folder_->file("damaged/checkpoint.pt", whole.substr(0, whole.size() / 2));
    const Result result = run("train", {"--resume", "--set", "output=damaged"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, HasSubstr("damaged/checkpoint.pt"));
}

TEST_F(Training, EvaluateShowsTheMetrics) {
    Result result = run("evaluate");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, testing::StartsWith("test, 36 examples"));
    EXPECT_THAT(result.out, HasSubstr("accuracy of kind  100.00 %\nthe sum           100.00 %\n"));
    result = run("evaluate", {"--split", "train", "--format", "json"});
    EXPECT_EQ(schema_violation(load_schema("evaluate"), result.json()), "") << result.out;
    EXPECT_EQ(result.json()["examples"], 36);
    EXPECT_EQ(result.json()["metrics"]["the sum"], 1.0);
    EXPECT_FALSE(result.json()["metrics"].contains("accuracy of kind")); // no labels there
}

TEST_F(Training, PredictAnswersAboutOtherInputs) {
    const Words inputs = {"--input", "a=" + path("right.csv"), "--input", "b=" + path("left.csv")};
    Words words = inputs;
    words.insert(words.end(), {"-q", "sum(3)", "-k", "2"});
    Result result = run("predict", words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("most probable: kind(0,a,1) kind(0,b,2)  (P = 0.9"));
    EXPECT_THAT(result.out, HasSubstr("P(sum(3))  0.9"));
    words = inputs;
    words.insert(words.end(), {"-o", ":- not sum(4).", "--format", "json"});
    result = run("predict", words);
    const nlohmann::json answer = result.json();
    EXPECT_EQ(schema_violation(load_schema("predict"), answer), "") << result.out;
    EXPECT_EQ(answer["models"][0]["atoms"], (Words{"kind(0,a,2)", "kind(0,b,2)"}));
    EXPECT_EQ(answer["networks"]["kind(a)"].size(), 3u);
    EXPECT_EQ(answer["proven"], true);
}

TEST_F(Training, PredictGoesThroughASplit) {
    Result result = run("predict", {"--split", "test"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, testing::StartsWith("sums.csv:2: kind(0,a,0) kind(0,b,0)\n"));
    EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 36);
    result = run("predict", {"--split", "test", "--format", "json"});
    const nlohmann::json answer = result.json();
    EXPECT_EQ(schema_violation(load_schema("predict-split"), answer), "") << result.out;
    // Row 35 of the table has the points 5 and 5, both of kind 2.
    const nlohmann::json &last = answer["examples"][35];
    EXPECT_EQ(last["atoms"], (Words{"kind(0,a,2)", "kind(0,b,2)"}));
    EXPECT_EQ(last["networks"]["kind(b)"]["outcomes"], "2");
    EXPECT_EQ(last["networks"]["kind(b)"]["label"], "2");
    EXPECT_EQ(last["right"], true);
    EXPECT_EQ(run("predict", {"--split", "test", "-q", "sum(1)"}).exit_code, 2);
}

TEST_F(Training, PredictMarksWrongReadingsInASplit) {
    // The labels are reversed, so every reading of kind 0 or 2 is marked.
    folder_->file("swapped.csv", "2\n2\n1\n1\n0\n0\n");
    const Result result =
        run("predict", {"--split", "test", "--set", "splits.test.arrays.kinds.file=swapped.csv",
                        "--set", "evaluation.queries=[\"sum(9)\"]"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, testing::StartsWith(
                                "sums.csv:2: kind(0,a,0) kind(0,b,0)  (wrong; expected sum(9))\n"
                                "  kind(a): concluded 0 (0."));
    EXPECT_THAT(result.out, HasSubstr("), expected 2\n"));
}

TEST_F(Training, PredictShowsThatTheTimeLimitWasReached) {
    const Words inputs = {"--input",      "a=" + path("right.csv"),
                          "--input",      "b=" + path("left.csv"),
                          "--time-limit", "1e-9"};
    Words words = inputs;
    EXPECT_THAT(run("predict", words).out, Not(HasSubstr("most probable")));
    words.insert(words.end(), {"--format", "json"});
    const nlohmann::json answer = run("predict", words).json();
    EXPECT_EQ(schema_violation(load_schema("predict"), answer), "");
    EXPECT_EQ(answer["proven"], false);
    EXPECT_EQ(answer["probability"], nullptr);
}

TEST_F(Training, PredictNamesMissingAndUnknownInputs) {
    Result result = run("predict");
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, HasSubstr("no input for 'a' [missing-input]"));
    result = run("predict", {"--input", "c=" + path("right.csv")});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("available: a, b"));
}

TEST_F(Training, OtherCommandsRunTrainedNetworks) {
    const auto map = [](const std::string &network) {
        return neurasp({"map", path("points.lp"), "--net", network, "--input",
                        "a=" + path("right.csv"), "--input", "b=" + path("left.csv")});
    };
    Result result = map("kind=" + path("out/kind.pt"));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("kind(0,a,1) kind(0,b,2)"));
    result = map("kind=" + path("points.csv"));
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, HasSubstr("[network-file]"));
}

} // namespace
} // namespace neurasp::test
