// Nothing of an earlier run is lost: a run that cannot work touches no file, and one that could does not replace another
// without being told to. And mistakes in an experiment are found before LibTorch is loaded.
#include "cli/points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>

namespace neurasp::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class KeptRuns : public testing::Test {
  protected:
    void SetUp() override {
        if (!has_torch()) GTEST_SKIP() << "this build has no neurasp-torch";
        write_points(folder_);
    }
    Result train(Words more = {}) {
        more.insert(more.begin(), {"train", folder_.path("points.toml"), "--no-report", "--set",
                                   "training.epochs=2"});
        return neurasp(more);
    }
    std::map<std::string, std::string> files() const {
        std::map<std::string, std::string> all;
        for (const auto &entry : fs::directory_iterator(folder_.path("out"))) {
            all[entry.path().filename().string()] = bytes_of(entry.path());
        }
        return all;
    }

    Folder folder_;
};

TEST_F(KeptRuns, ARunIsReplacedOnlyOnRequest) {
    EXPECT_EQ(train().exit_code, 0);
    const auto before = files();
    EXPECT_EQ(before.size(), 4U); // checkpoint, weights, log, epochs.csv
    const Result again = train({"--set", "seed=2"});
    EXPECT_EQ(again.exit_code, 4);
    EXPECT_THAT(again.err, AllOf(HasSubstr("'" + folder_.path("out") + "' already holds a run"),
                                 HasSubstr("--resume"), HasSubstr("--overwrite"),
                                 HasSubstr("--set output=DIR")));
    EXPECT_EQ(files(), before);
    EXPECT_EQ(train({"--set", "seed=2", "--overwrite"}).exit_code, 0);
    EXPECT_NE(files()["kind.pt"], before.at("kind.pt"));
    EXPECT_EQ(train({"--set", "seed=2", "--overwrite", "--resume"}).exit_code, 2);
}

TEST_F(KeptRuns, ARunThatDidNotEndIsKeptAsWell) {
    EXPECT_EQ(train({"--set", "training.stop_after=5"}).exit_code, 0);
    fs::remove(folder_.path("out/kind.pt")); // as if the process had been killed
    const auto before = files();
    EXPECT_THAT(train().err, HasSubstr("already holds a run (checkpoint.pt)"));
    EXPECT_EQ(files(), before);
    EXPECT_EQ(train({"--resume"}).exit_code, 0);
    EXPECT_TRUE(files().contains("kind.pt"));
}

TEST_F(KeptRuns, WeightsWithoutACheckpointAreKeptAsWell) {
    folder_.file("out/kind.pt", "of a run whose checkpoint was removed to save space");
    EXPECT_THAT(train().err, HasSubstr("already holds a run (kind.pt)"));
}

// Each mistake shows only once networks, labels or questions are tried.
TEST_F(KeptRuns, ARunThatCannotWorkReplacesNothing) {
    ASSERT_EQ(train().exit_code, 0);
    const auto before = files();
    folder_.file("wide.csv", "0,1,2\n0,1,2\n0,1,2\n0,1,2\n0,1,2\n0,1,2\n");
    folder_.file("fifth.csv", "5\n5\n5\n5\n5\n5\n");
    const std::map<std::string, std::string> mistakes = {
        {"networks.kind.layers=[{kind=\"linear\", out=4}, {kind=\"softmax\"}]", "[output-shape]"},
        {"networks.kind.layers=[{kind=\"linear\", out=3}]", "[output-not-distribution]"},
        {"example.observation=:- not sum({sum})", "expected '.'"},
        {"splits.test.arrays.points.file=wide.csv", "[network-input]"},
        {"splits.test.arrays.kinds.file=fifth.csv", "[label]"},
        {"evaluation.queries=[\"sum(\"]", "<query>"},
        {"evaluation.constraints=[{name=\"c\", text=\":- sum(\"}]", "c:1:"},
        {"training.alpha=0.5", "[no-labels]"},
    };
    for (const auto &[setting, message] : mistakes) {
        for (const char *option : {"--overwrite", "--resume"}) {
            const Result result = train({"--set", setting, option});
            EXPECT_EQ(result.exit_code, 3) << setting << "\n" << result.err;
            EXPECT_THAT(result.err, HasSubstr(message)) << setting;
            EXPECT_EQ(files(), before) << setting << " " << option;
        }
        EXPECT_EQ(train({"--set", setting, "--set", "output=new"}).exit_code, 3);
        EXPECT_FALSE(fs::exists(folder_.path("new"))) << setting;
    }
}

TEST_F(KeptRuns, NoFolderIsCreatedForARunThatIsNotThere) {
    EXPECT_THAT(train({"--resume"}).err, HasSubstr("nothing to resume"));
    EXPECT_FALSE(fs::exists(folder_.path("out")));
}

TEST_F(KeptRuns, TheTimeOfAResumedRunIsThatOfTheWholeRun) {
    const Result first = train({"--format", "json"});
    // nothing is left to do, so the time is that of the first process and a little more
    const Result resumed = train({"--format", "json", "--resume"});
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_GE(resumed.json()["seconds"], first.json()["seconds"]);
}

// The command without neurasp-torch next to it: whatever it reports, it has found without networks.
class WithoutTorch : public KeptRuns {
  protected:
    void SetUp() override {
        KeptRuns::SetUp();
        if (IsSkipped()) return;
        fs::create_directories(folder_.path("bin"));
        fs::copy_file(command_path(), folder_.path("bin/neurasp"));
    }
    Result run(const std::string &command, Words more) {
        more.insert(more.begin(),
                    {folder_.path("bin/neurasp"), command, folder_.path("points.toml")});
        return Process(more).finish();
    }
};

TEST_F(WithoutTorch, MistakesInTheExperimentAreFound) {
    folder_.file("wrong.lp", "nn(kind(1,P), [0,1,2]) :- point(P)\n");
    const std::map<std::string, std::string> mistakes = {
        {"training.epoch=3", "did you mean 'epochs'?"},
        {"training.epochs=-3", "training.epochs"},
        {"program=wrong.lp", "wrong.lp:1:34: error: expected '.'"},
        {"program=nothing.lp", "nothing.lp': No such file"},
        {"splits.test.table=nothing.csv", "nothing.csv': No such file"},
        {"splits.test.arrays.points.file=nothing.csv", "nothing.csv': No such file"},
        {"networks.kind.layers=[{kind=\"linaer\", out=3}]", "did you mean 'linear'?"},
        {"example.inputs.a=\"pionts[a]\"", "did you mean 'points'?"},
    };
    for (const auto &[setting, message] : mistakes) {
        for (const char *command : {"train", "evaluate"}) {
            const Result result = run(command, {"--set", setting});
            EXPECT_THAT(result.err, HasSubstr(message)) << setting;
            EXPECT_THAT(result.err, Not(HasSubstr("neurasp-torch"))) << setting;
        }
    }
    EXPECT_THAT(run("train", {}).err, HasSubstr("networks need")); // nothing is wrong
    folder_.file("out/checkpoint.pt", "of another run");
    EXPECT_THAT(run("train", {}).err, HasSubstr("already holds a run"));
}

TEST_F(WithoutTorch, FilesThatTheCommandDoesNotReadMayBeMissing) {
    const Words missing = {"--set", "splits.train.table=nothing.csv"};
    EXPECT_THAT(run("evaluate", missing).err, HasSubstr("networks need"));
    EXPECT_THAT(run("predict", missing).err, HasSubstr("networks need"));
    EXPECT_THAT(run("train", {"--set", "splits.test.arrays.more.file=nothing.csv"}).err,
                HasSubstr("networks need"));
}

} // namespace
} // namespace neurasp::test
