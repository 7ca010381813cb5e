// Trouble while training: Ctrl-C, SIGKILL at any moment, a full disk, a folder that disappears, a second run. The files
// left must be intact, and a resumed run must end as if nothing had happened.
#include "cli/points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/mount.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <random>
#include <sstream>
#include <thread>

namespace neurasp::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

void pause(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

// A run of one or two seconds that can be disturbed, and its result if nothing disturbs it.
class DisturbedTraining : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        if (!has_torch()) return;
        folder_ = std::make_unique<Folder>();
        write_points(*folder_);
        EXPECT_EQ(neurasp(long_run("whole")).exit_code, 0);
    }
    static void TearDownTestSuite() { folder_.reset(); }
    void SetUp() override {
        if (!has_torch()) GTEST_SKIP() << "this build has no neurasp-torch";
    }

    static std::string path(const std::string &name) { return folder_->path(name); }
    static Words long_run(const std::string &output, Words more = {}) {
        Words words = {"train", path("points.toml")};
        for (const std::string &setting :
             {"output=" + output, std::string("training.batch_size=1"),
              std::string("training.epochs=24"), std::string("training.evaluate_every=12"),
              std::string("training.threads=1"),
              std::string("networks.kind.optimizer.learning_rate=0.001")}) {
            words.insert(words.end(), {"--set", setting});
        }
        words.emplace_back("--no-report");
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    static Words command(const std::string &output, Words more = {}) {
        Words words = long_run(output, std::move(more));
        words.insert(words.begin(), command_path());
        return words;
    }
    static void wait_for_file(const std::string &file) {
        for (int i = 0; i < 10'000 && !fs::exists(file); ++i) pause(10);
    }

    // The epochs and evaluations in the log, without times.
    static std::vector<std::string> course(const std::string &output) {
        std::istringstream log(bytes_of(fs::path(path(output)) / "log.jsonl"));
        std::vector<std::string> lines;
        for (std::string line; std::getline(log, line);) {
            auto event = nlohmann::json::parse(line);
            if (event["event"] != "epoch" && event["event"] != "evaluation") continue;
            event.erase("seconds");
            lines.push_back(event.dump());
        }
        return lines;
    }

    // Resuming must end with the weights and the log of the run that was not disturbed.
    static void expect_resumes(const std::string &output) {
        const Result result = neurasp(long_run(output, {"--resume"}));
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(bytes_of(fs::path(path(output)) / "kind.pt"), bytes_of(path("whole/kind.pt")));
        EXPECT_EQ(course(output), course("whole"));
        std::vector<std::string> files;
        for (const auto &entry : fs::directory_iterator(path(output))) {
            files.push_back(entry.path().filename().string());
        }
        EXPECT_THAT(files, testing::UnorderedElementsAre("checkpoint.pt", "epochs.csv", "kind.pt",
                                                         "log.jsonl"));
    }

    static std::unique_ptr<Folder> folder_;
};

std::unique_ptr<Folder> DisturbedTraining::folder_;

TEST_F(DisturbedTraining, TheUndisturbedRunHasAllEpochs) {
    EXPECT_EQ(course("whole").size(), 24u + 2u); // evaluations after 12 and 24
}

TEST_F(DisturbedTraining, CtrlCLeavesACheckpointToResumeFrom) {
    Process process(command("interrupted"));
    process.first_line();
    process.send(SIGINT);
    const Result result = process.finish();
    EXPECT_EQ(result.exit_code, 130);
    EXPECT_THAT(result.err, HasSubstr("interrupted"));
    EXPECT_THAT(result.err, HasSubstr("--resume"));
    EXPECT_THAT(result.out, Not(HasSubstr("epoch 24 ")));
    expect_resumes("interrupted");
}

// Each kill comes soon after a checkpoint of that process, so that the run makes progress. Most of the time goes into
// writing checkpoints, so kills hit that as well.
TEST_F(DisturbedTraining, ARunKilledAgainAndAgainEndsLikeTheUndisturbedOne) {
    constexpr unsigned seed = 20261116;
    std::mt19937 random(seed);
    const std::string checkpoint = path("killed/checkpoint.pt");
    std::error_code missing;
    for (int kills = 0; kills < 5; ++kills) {
        const bool resume = fs::exists(checkpoint);
        const auto before = fs::last_write_time(checkpoint, missing);
        Process process(command("killed", resume ? Words{"--resume"} : Words{}));
        for (int i = 0; i < 60'000 && fs::last_write_time(checkpoint, missing) == before; ++i) {
            pause(1);
        }
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 50'000));
        process.send(SIGKILL);
        const Result result = process.finish();
        ASSERT_TRUE(result.signal == SIGKILL || result.exit_code == 0)
            << "seed " << seed << ", kill " << kills << ": " << result.err;
    }
    expect_resumes("killed");
}

TEST_F(DisturbedTraining, FilesThatAKilledRunLeftHalfWrittenAreIgnoredAndRemoved) {
    Process process(command("half"));
    wait_for_file(path("half/checkpoint.pt"));
    process.send(SIGKILL);
    EXPECT_EQ(process.finish().signal, SIGKILL);
    EXPECT_FALSE(fs::exists(path("half/kind.pt"))); // the run did not finish
    const std::string whole = bytes_of(path("half/checkpoint.pt"));
    folder_->file("half/checkpoint.pt.neurasp-4711.tmp", whole.substr(0, whole.size() / 2));
    folder_->file("half/kind.pt.neurasp-12.tmp", "");
    std::ofstream(path("half/log.jsonl"), std::ios::app) << "{\"event\":\"epo";
    expect_resumes("half");
}

TEST_F(DisturbedTraining, OneRunAtATimeWritesToAFolder) {
    Process first(command("shared"));
    wait_for_file(path("shared/checkpoint.pt"));
    first.send(SIGSTOP);
    for (const Words &more : {Words{}, Words{"--resume"}}) {
        const Result second = neurasp(long_run("shared", more));
        EXPECT_EQ(second.exit_code, 4);
        EXPECT_THAT(second.err, HasSubstr("another run is writing to the output folder '" +
                                          path("shared") + "'"));
    }
    first.send(SIGCONT);
    EXPECT_EQ(first.finish().exit_code, 0);
    expect_resumes("shared");
}

TEST_F(DisturbedTraining, AFolderThatDisappearsIsReported) {
    Process process(command("moved"));
    wait_for_file(path("moved/checkpoint.pt"));
    fs::rename(path("moved"), path("moved away"));
    const Result result = process.finish();
    EXPECT_EQ(result.exit_code, 4);
    // the next file to be written, which may be the checkpoint or the table of epochs
    EXPECT_THAT(result.err, HasSubstr("cannot write '" + path("moved/")));
    EXPECT_THAT(result.err, HasSubstr("': No such file or directory"));
    EXPECT_THAT(result.err, Not(HasSubstr("--resume"))); // there is nothing to resume from
    fs::rename(path("moved away"), path("moved"));
    expect_resumes("moved");
}

TEST_F(DisturbedTraining, AFolderThatCannotBeCreatedIsReported) {
    const Result result = neurasp(long_run("/dev/null/out"));
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_THAT(result.err, HasSubstr("cannot create the output folder '/dev/null/out'"));
}

TEST_F(DisturbedTraining, ALogThatCannotBeWrittenIsAnErrorOfTheEnvironment) {
    if (!fs::exists("/dev/full")) GTEST_SKIP();
    fs::create_directories(path("full"));
    fs::create_symlink("/dev/full", path("full/log.jsonl"));
    const Result result = neurasp(long_run("full"));
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_THAT(result.err, HasSubstr("log.jsonl': No space left on device"));
}

// Like a full disk, for one file: the log outgrows 32 blocks of 512 bytes.
TEST_F(DisturbedTraining, ALimitOnTheSizeOfFilesLeavesACheckpointToResumeFrom) {
    Words words = {"/bin/sh", "-c", "ulimit -f 32 && exec \"$@\"", "sh"};
    const Words limited = command("limited");
    words.insert(words.end(), limited.begin(), limited.end());
    const Result result = Process(words).finish();
    EXPECT_EQ(result.exit_code, 4) << "signal " << result.signal;
    EXPECT_THAT(result.err, HasSubstr(": File too large; the last checkpoint is kept\n"
                                      "  hint: fix this, then resume the run (--resume)\n"));
    expect_resumes("limited");
}

// A small disk of its own; only root can mount one.
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
    EXPECT_THAT(result.err, HasSubstr("resume the run (--resume)"));
    ASSERT_TRUE(fs::exists(path("small/checkpoint.pt"))) << result.out;
    for (const auto &entry : fs::directory_iterator(path("small"))) {
        EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
    }
    ASSERT_TRUE(disk.grow());
    expect_resumes("small");
}

// The weights are infinite after the first batch. No checkpoint contains them.
TEST_F(DisturbedTraining, ARunThatDivergesSaysSoAndKeepsItsLastGoodCheckpoint) {
    for (const char *batch_size : {"36", "4"}) { // at the end of an epoch, and within it
        const std::string output = "output=diverged" + std::string(batch_size);
        const Words words = {"--set", output,
                             "--set", "networks.kind.optimizer.learning_rate=1e39",
                             "--set", "training.batch_size=" + std::string(batch_size)};
        for (const Words &more : {Words{}, Words{"--resume"}}) { // the second reads the checkpoint
            Words all = {"train", path("points.toml")};
            all.insert(all.end(), words.begin(), words.end());
            all.insert(all.end(), more.begin(), more.end());
            const Result result = neurasp(all);
            EXPECT_EQ(result.exit_code, 3);
            EXPECT_THAT(result.err, HasSubstr("training diverged after "));
            EXPECT_THAT(result.err, HasSubstr("[training-diverged]"));
            EXPECT_THAT(result.err, HasSubstr("lower networks.kind.optimizer.learning_rate"));
        }
    }
}

} // namespace
} // namespace neurasp::test
