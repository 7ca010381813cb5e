// The log of a run: whole lines, also after crashes and on full disks.
#include "neurasp/diagnostic.hpp"
#include "runs/run_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <limits>

namespace neurasp::runs {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

// A log file that is removed after the test.
class RunLogTest : public testing::Test {
  protected:
    RunLogTest() {
        std::string pattern = (std::filesystem::temp_directory_path() / "neurasp-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
        folder_ = pattern;
        file_ = folder_ / "log.jsonl";
    }
    ~RunLogTest() override { std::filesystem::remove_all(folder_); }

    std::string content() const {
        std::ifstream in(file_, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void write(std::string_view text) const { std::ofstream(file_, std::ios::binary) << text; }

    // Every line, parsed.
    std::vector<json> lines() const {
        std::vector<json> result;
        std::ifstream in(file_);
        for (std::string line; std::getline(in, line);) result.push_back(json::parse(line));
        return result;
    }

    std::filesystem::path folder_;
    std::filesystem::path file_;
};

// A line of the kind that a run writes.
std::string event(std::uint64_t batch, double loss = 1.0) {
    return json{{"event", "batch"}, {"batch", batch}, {"loss", loss}}.dump();
}

template <class Action> std::string environment_error(Action action) {
    try {
        action();
    } catch (const EnvironmentError &error) {
        return error.what();
    }
    return "";
}

TEST_F(RunLogTest, ALineIsInTheFileAtOnceAndThePositionIsItsEnd) {
    RunLog log(file_);
    EXPECT_EQ(log.position(), 0u);
    for (std::uint64_t batch = 1; batch <= 3; ++batch) {
        log.append(event(batch));
        EXPECT_EQ(lines().size(), batch);
        EXPECT_EQ(log.position(), std::filesystem::file_size(file_));
    }
}

TEST_F(RunLogTest, ANewLogReplacesAnOldOne) {
    write("old\n");
    RunLog(file_).append(event(1));
    EXPECT_EQ(lines().size(), 1u);
}

TEST_F(RunLogTest, AResumedLogIsCutBackToThePositionOfTheCheckpoint) {
    std::uint64_t position = 0;
    {
        RunLog log(file_);
        log.append(event(1));
        position = log.position();
        log.append(event(2));
        log.append(event(3));
    }
    RunLog log(file_, position);
    EXPECT_EQ(log.position(), position);
    log.append(event(2, 2.5));
    ASSERT_EQ(lines().size(), 2u);
    EXPECT_EQ(lines()[0].at("batch"), 1);
    EXPECT_EQ(lines()[1].at("loss"), 2.5);
    EXPECT_EQ(log.position(), std::filesystem::file_size(file_));
}

TEST_F(RunLogTest, ALineThatAKilledProcessLeftUnfinishedIsRemoved) {
    const std::uint64_t everything = std::numeric_limits<std::uint64_t>::max();
    write("{\"event\":\"batch\"}\n{\"event\":\"ba");
    EXPECT_EQ(RunLog(file_, everything).position(), 18u);
    EXPECT_EQ(content(), "{\"event\":\"batch\"}\n");
    write("{\"event\":\"ba");
    EXPECT_EQ(RunLog(file_, everything).position(), 0u);
    EXPECT_EQ(content(), "");
}

TEST_F(RunLogTest, APositionWithinALineCutsThatLine) {
    write("{\"a\":1}\n{\"a\":2}\n");
    EXPECT_EQ(RunLog(file_, 12).position(), 8u);
    EXPECT_EQ(content(), "{\"a\":1}\n");
}

TEST_F(RunLogTest, AnUnfinishedLineMayBeLong) {
    const std::string first = "{\"a\":1}\n";
    for (const std::size_t length : {4087u, 4088u, 4095u, 4096u, 4097u, 20000u}) {
        write(first + std::string(length, 'x'));
        EXPECT_EQ(RunLog(file_, first.size() + length).position(), first.size()) << length;
    }
}

TEST_F(RunLogTest, AMissingOrShorterLogIsContinuedAsItIs) {
    RunLog(file_, 1000).append(event(1));
    EXPECT_EQ(lines().size(), 1u);
    RunLog(file_, 1000).append(event(2));
    EXPECT_EQ(lines().size(), 2u);
}

TEST_F(RunLogTest, AMovedLogGoesOn) {
    RunLog log(file_);
    log.append(event(1));
    RunLog moved = std::move(log);
    moved.append(event(2));
    RunLog other(folder_ / "other.jsonl");
    other = std::move(moved);
    other.append(event(3));
    EXPECT_EQ(lines().size(), 3u);
    EXPECT_EQ(other.position(), std::filesystem::file_size(file_));
}

TEST_F(RunLogTest, AFileThatCannotBeOpenedIsAnEnvironmentErrorWithItsName) {
    const std::filesystem::path missing = folder_ / "none" / "log.jsonl";
    EXPECT_EQ(environment_error([&] { RunLog log(missing); }),
              "cannot write '" + missing.string() + "': No such file or directory");
    EXPECT_EQ(environment_error([&] { RunLog log(folder_, 0); }),
              "cannot write '" + folder_.string() + "': Is a directory");
}

TEST_F(RunLogTest, AFullDiskIsAnEnvironmentErrorWithTheFilesName) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
    RunLog log("/dev/full");
    EXPECT_EQ(environment_error([&] { log.append(event(1)); }),
              "cannot write '/dev/full': No space left on device");
}

// While this object lives, files of this process can be at most `bytes` long.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit &) = delete;
    FileSizeLimit &operator=(const FileSizeLimit &) = delete;

  private:
    rlimit before_{};
    void (*handler_)(int);
};

TEST_F(RunLogTest, ALineThatDoesNotFitOnTheDiskIsNotLeftInParts) {
    RunLog log(file_);
    log.append(event(1));
    const std::uint64_t position = log.position();
    std::string error;
    {
        const FileSizeLimit limit(position + 10);
        error = environment_error([&] { log.append(event(2)); });
    }
    EXPECT_THAT(error, AllOf(HasSubstr("cannot write '"), HasSubstr("log.jsonl")));
    EXPECT_EQ(std::filesystem::file_size(file_), position);
    EXPECT_EQ(log.position(), position);
    log.append(event(2));
    EXPECT_EQ(lines().size(), 2u);
}

} // namespace
} // namespace neurasp::runs
