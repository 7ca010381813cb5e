// Training, evaluation and prediction as processes: files, exit codes, Ctrl-C, kill, a full disk.
#include "cli/process.hpp"
#include "cli/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/mount.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <thread>

namespace neurasp::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr auto points_program = R"(nn(kind(1,P), [0,1,2]) :- point(P).
point(a). point(b).
sum(N1+N2) :- kind(0,a,N1), kind(0,b,N2).
#show kind/3.
)";

// Lines 1 to 25; the tests below name some of them.
constexpr auto points_experiment = R"toml(program = "points.lp"
output = "out"
[networks.kind]
layers = [{ kind = "linear", out = 3 }, { kind = "softmax" }]
optimizer = { kind = "adam", learning_rate = 0.1 }
[example]
observation = ":- not sum({sum})."
[example.inputs]
a = "points[a]"
b = "points[b]"
[example.labels]
"kind(a)" = "kinds[a]"
"kind(b)" = "kinds[b]"
[splits.train]
table = "sums.csv"
arrays.points = { file = "points.csv" }
[splits.test]
table = "sums.csv"
arrays.points = { file = "points.csv" }
arrays.kinds = { file = "kinds.csv" }
[evaluation]
queries = [{ name = "the sum", query = "sum({sum})" }]
[training]
batch_size = 4
epochs = 20
)toml";

// Three kinds of points in the plane, all pairs of them with the sum of their kinds.
void write_points(const Folder &folder) {
    folder.file("points.lp", points_program);
    folder.file("points.toml", points_experiment);
    folder.file("points.csv", "0,0.9\n0.2,1.1\n1,0.1\n0.9,-0.1\n-0.9,-1\n-1.1,-0.8\n");
    folder.file("kinds.csv", "0\n0\n1\n1\n2\n2\n");
    std::string sums = "a,b,sum\n";
    for (int a = 0; a < 6; ++a) {
        for (int b = 0; b < 6; ++b) {
            sums += std::to_string(a) + "," + std::to_string(b) + "," +
                    std::to_string(a / 2 + b / 2) + "\n";
        }
    }
    folder.file("sums.csv", sums);
    folder.file("right.csv", "1.1,0.1\n");
    folder.file("left.csv", "-0.9,-0.9\n");
}

std::string bytes_of(const fs::path &file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

class Training : public testing::Test {
  protected:
    static bool has_torch() {
        return fs::exists(fs::path(command_path()).parent_path() / "neurasp-torch");
    }

    static bool make_folder() {
        if (!has_torch()) return false;
        folder_ = std::make_unique<Folder>();
        write_points(*folder_);
        return true;
    }

    // One finished run that several tests look at.
    static void SetUpTestSuite() {
        if (!make_folder()) return;
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

TEST_F(Training, WritesAnEpochALineAndLeavesItsFiles) {
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
        if (nlohmann::json::parse(line)["event"] == "epoch") ++epochs;
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

TEST_F(Training, AnUnknownKeyIsToldWithItsPlaceAndASuggestion) {
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
}

TEST_F(Training, WrongCommandLinesAreUsageErrors) {
    EXPECT_EQ(neurasp({"train"}).exit_code, 2);
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

TEST_F(Training, EvaluateTellsTheMetrics) {
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

TEST_F(Training, PredictSaysWhatTheTimeLimitLeftOpen) {
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
    EXPECT_THAT(result.err, HasSubstr("there is: a, b"));
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

// A run of one or two seconds that can be disturbed, and what it ends with if nothing does.
class DisturbedTraining : public Training {
  protected:
    static void SetUpTestSuite() {
        if (!make_folder()) return;
        EXPECT_EQ(neurasp(long_run("whole")).exit_code, 0);
    }

    static Words long_run(const std::string &output, Words more = {}) {
        Words words = {"train", path("points.toml")};
        for (const std::string &setting :
             {"output=" + output, std::string("training.batch_size=1"),
              std::string("training.epochs=100"), std::string("training.evaluate_every=0"),
              std::string("networks.kind.optimizer.learning_rate=0.001")}) {
            words.insert(words.end(), {"--set", setting});
        }
        words.emplace_back("--no-report");
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    static Words command(const std::string &output) {
        Words words = long_run(output);
        words.insert(words.begin(), command_path());
        return words;
    }
    static void wait_for_file(const std::string &file) {
        for (int i = 0; i < 1000 && !fs::exists(file); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }

    // Resuming must end with the weights of the run that was not disturbed.
    static void expect_resumes(const std::string &output) {
        const Result result = neurasp(long_run(output, {"--resume"}));
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_THAT(result.out, HasSubstr("epoch 100 "));
        EXPECT_EQ(bytes_of(fs::path(path(output)) / "kind.pt"), bytes_of(path("whole/kind.pt")));
    }
};

TEST_F(DisturbedTraining, CtrlCLeavesACheckpointToResumeFrom) {
    Process process(command("interrupted"));
    process.first_line();
    process.send(SIGINT);
    const Result result = process.finish();
    EXPECT_EQ(result.exit_code, 130);
    EXPECT_THAT(result.err, HasSubstr("interrupted"));
    EXPECT_THAT(result.err, HasSubstr("--resume"));
    EXPECT_THAT(result.out, testing::Not(HasSubstr("epoch 100 ")));
    expect_resumes("interrupted");
}

TEST_F(DisturbedTraining, AKilledRunLeavesACheckpointToResumeFrom) {
    Process process(command("killed"));
    wait_for_file(path("killed/checkpoint.pt"));
    process.send(SIGKILL);
    EXPECT_EQ(process.finish().signal, SIGKILL);
    EXPECT_FALSE(fs::exists(path("killed/kind.pt"))); // it did not come to its end
    expect_resumes("killed");
}

TEST_F(DisturbedTraining, ALogThatCannotBeWrittenIsAnErrorOfTheEnvironment) {
    if (!fs::exists("/dev/full")) GTEST_SKIP();
    fs::create_directories(path("full"));
    fs::create_symlink("/dev/full", path("full/log.jsonl"));
    const Result result = neurasp(long_run("full"));
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_THAT(result.err, HasSubstr("log.jsonl': No space left on device"));
}

// A small disk of its own; only root can make one.
class SmallDisk {
  public:
    explicit SmallDisk(std::string folder) : folder_(std::move(folder)) {
        fs::create_directories(folder_);
        mounted_ = ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=96k") == 0;
    }
    ~SmallDisk() {
        if (mounted_) ::umount(folder_.c_str());
    }
    SmallDisk(const SmallDisk &) = delete;
    SmallDisk &operator=(const SmallDisk &) = delete;

    bool is_there() const { return mounted_; }
    bool grow() const {
        return ::mount("tmpfs", folder_.c_str(), "tmpfs", MS_REMOUNT, "size=16m") == 0;
    }

  private:
    std::string folder_;
    bool mounted_ = false;
};

TEST_F(DisturbedTraining, AFullDiskLeavesACheckpointToResumeFrom) {
    const SmallDisk disk(path("small"));
    if (!disk.is_there()) GTEST_SKIP() << "only root can mount a small disk";
    const Result result = neurasp(long_run("small"));
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_THAT(result.err, HasSubstr("No space left on device"));
    ASSERT_TRUE(fs::exists(path("small/checkpoint.pt"))) << result.out;
    for (const auto &entry : fs::directory_iterator(path("small"))) {
        EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
    }
    ASSERT_TRUE(disk.grow());
    expect_resumes("small");
}

} // namespace
} // namespace neurasp::test
