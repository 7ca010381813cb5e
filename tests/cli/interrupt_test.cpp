// Ctrl-C: the answer so far, then exit code 130; the second time it kills.
#include "cli/process.hpp"
#include "cli/programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace neurasp::test {
namespace {

using testing::HasSubstr;

class Interrupt : public testing::Test {
  protected:
    Folder folder_;
    std::string endless_ = folder_.file("endless.lp", endless);
};

TEST_F(Interrupt, ModelsEndsWithTheModelsFound) {
    Process process({command_path(), "models", endless_});
    EXPECT_THAT(process.first_line(), HasSubstr("e-13"));
    process.send(SIGINT);
    const Result result = process.finish();
    EXPECT_EQ(result.exit_code, 130);
    EXPECT_THAT(result.out, testing::EndsWith("\n"));
    EXPECT_THAT(result.out, HasSubstr("\nnot exact: interrupted"));
}

TEST_F(Interrupt, JsonIsStillComplete) {
    Process process({command_path(), "models", endless_, "--format", "json"});
    process.first_line();
    process.send(SIGTERM);
    const Result result = process.finish();
    EXPECT_EQ(result.exit_code, 130);
    EXPECT_EQ(result.json()["exact"], false);
    EXPECT_GE(result.json()["models"].size(), 1u);
}

// There is no output to wait for, and a signal may come before the search begins, so this is repeated until one comes
// later.
TEST_F(Interrupt, ProbGivesBounds) {
    for (int delay = 100; delay < 10'000; delay *= 2) {
        Process process({command_path(), "prob", endless_, "-o", ":- #count{X : flip(X)} > 20.",
                         "--engine", "enumerate", "--format", "json"});
        std::this_thread::sleep_for(std::chrono::milliseconds(delay));
        process.send(SIGINT);
        const Result result = process.finish();
        if (result.ended_too_early()) continue;
        EXPECT_EQ(result.exit_code, 130);
        EXPECT_EQ(result.json()["exact"], false);
        EXPECT_TRUE(result.json().contains("bounds"));
        return;
    }
    FAIL() << "no signal was handled";
}

} // namespace
} // namespace neurasp::test
