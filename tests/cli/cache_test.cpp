// Trouble with --circuit-cache: killed writers, several at once, damaged files, full disks. Answers stay right.
#include "cli/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <memory>
#include <random>
#include <thread>

namespace neurasp::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Twelve fair coins; at most six heads: (2^12 + C(12,6)) / 2 of 2^12 outcomes, 2510 / 4096.
constexpr auto coins = "0.5 : flip(X) :- X = 1..12.\n";

class CacheTrouble : public testing::Test {
  protected:
    Words question(const std::string &cache) const {
        return {"prob",    program_,          "-o", ":- #count{X : flip(X)} > 6.", "--engine",
                "circuit", "--circuit-cache", cache};
    }
    Words command(const std::string &cache) const {
        Words words = question(cache);
        words.insert(words.begin(), command_path());
        return words;
    }
    void expect_answer(const Result &result) const {
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_THAT(result.out, HasSubstr("0.61279")) << result.err;
    }
    static std::vector<fs::path> files_in(const std::string &folder) {
        std::vector<fs::path> files;
        for (const auto &entry : fs::directory_iterator(folder)) files.push_back(entry.path());
        return files;
    }

    Folder folder_;
    std::string program_ = folder_.file("coins.lp", coins);
    std::string cache_ = folder_.path("cache");
};

TEST_F(CacheTrouble, KilledWritersDoNoHarm) {
    constexpr unsigned seed = 6;
    std::mt19937 random(seed);
    for (int kills = 0; kills < 10; ++kills) {
        Process process(command(cache_));
        for (int i = 0; i < 10'000 && !fs::exists(cache_); ++i) {
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
        process.send(SIGKILL);
        process.finish();
        expect_answer(neurasp(question(cache_)));
        for (const fs::path &file : files_in(cache_)) {
            if (file.extension() == ".circuit") fs::remove(file); // to be written again
        }
    }
}

TEST_F(CacheTrouble, HalfAFileIsReplaced) {
    expect_answer(neurasp(question(cache_)));
    ASSERT_EQ(files_in(cache_).size(), 1u);
    const fs::path file = files_in(cache_).front();
    const auto size = fs::file_size(file);
    fs::copy_file(file, file.string() + ".AbCdEf"); // as a killed writer leaves it
    for (const auto rest : {size / 2, std::uintmax_t{0}}) {
        fs::resize_file(file, rest);
        fs::resize_file(file.string() + ".AbCdEf", rest);
        expect_answer(neurasp(question(cache_)));
        EXPECT_EQ(fs::file_size(file), size);
    }
}

// Other programs may write to the folder; here a circuit of a different question has this question's name.
TEST_F(CacheTrouble, AnIntactCircuitOfAnotherFormIsNotUsed) {
    expect_answer(neurasp(question(cache_)));
    const fs::path file = files_in(cache_).front();
    const std::string other = folder_.path("other");
    EXPECT_EQ(
        neurasp({"prob", folder_.file("few.lp", "0.5 : flip(X) :- X = 1..3.\n"), "-o",
                 ":- #count{X : flip(X)} > 1.", "--engine", "circuit", "--circuit-cache", other})
            .exit_code,
        0);
    ASSERT_EQ(files_in(other).size(), 1u);
    std::string head, rest;
    std::ifstream own(file), foreign(files_in(other).front());
    std::getline(own, head);
    std::getline(foreign, rest);
    rest.assign(std::istreambuf_iterator<char>(foreign), {});
    std::ofstream(file) << head << "\n" << rest;
    expect_answer(neurasp(question(cache_)));
}

TEST_F(CacheTrouble, SeveralWritersAgree) {
    std::vector<std::unique_ptr<Process>> processes;
    for (int i = 0; i < 4; ++i) processes.push_back(std::make_unique<Process>(command(cache_)));
    for (const auto &process : processes) expect_answer(process->finish());
    EXPECT_EQ(files_in(cache_).size(), 1u);
    expect_answer(neurasp(question(cache_)));
}

TEST_F(CacheTrouble, AFolderThatCannotBeCreatedIsReported) {
    const Result result = neurasp(question("/dev/null/cache"));
    expect_answer(result);
    EXPECT_THAT(result.err, HasSubstr("warning: circuits are not kept in '/dev/null/cache': "));
    EXPECT_THAT(result.err, HasSubstr("[circuit-cache]"));
}

TEST_F(CacheTrouble, AFullDiskIsReported) {
    Words words = {"/bin/sh", "-c", "ulimit -f 1 && exec \"$@\"", "sh"};
    const Words limited = command(cache_);
    words.insert(words.end(), limited.begin(), limited.end());
    const Result result = Process(words).finish();
    expect_answer(result);
    EXPECT_THAT(result.err, HasSubstr("circuits are not kept in '" + cache_ + "': File too large"));
    EXPECT_TRUE(files_in(cache_).empty());
}

} // namespace
} // namespace neurasp::test
