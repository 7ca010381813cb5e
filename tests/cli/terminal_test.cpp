// Colours and progress appear on a terminal, and only there.
#include "cli/process.hpp"
#include "cli/programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Terminal : public testing::Test {
  protected:
    Folder folder_;
    std::string coin_ = folder_.file("coin.lp", coin);
    std::string endless_ = folder_.file("endless.lp", endless);
    const Words color_ = {"TERM=xterm", "NO_COLOR="};
};

TEST_F(Terminal, ShowsColours) {
    EXPECT_THAT(neurasp_on_terminal({"models", coin_}, color_).out, HasSubstr("\033[1m"));
    EXPECT_THAT(neurasp_on_terminal({"prob", coin_, "-o", "x"}, color_).out, HasSubstr("\033["));
}

TEST_F(Terminal, ShowsNoColoursIfTheyAreSwitchedOff) {
    EXPECT_THAT(neurasp_on_terminal({"models", coin_}, {"TERM=xterm", "NO_COLOR=1"}).out,
                Not(HasSubstr("\033[1m")));
    EXPECT_THAT(neurasp_on_terminal({"models", coin_}, {"TERM=dumb", "NO_COLOR="}).out,
                Not(HasSubstr("\033[1m")));
    EXPECT_THAT(neurasp_on_terminal({"models", coin_, "--color", "never"}, color_).out,
                Not(HasSubstr("\033[")));
}

TEST_F(Terminal, ShowsProgressOfLongWorkAndRemovesIt) {
    const Result result =
        neurasp_on_terminal({"prob", endless_, "-o", ":- #count{X : flip(X)} > 20.", "--engine",
                             "enumerate", "--time-limit", "1.6"},
                            color_);
    EXPECT_THAT(result.out, HasSubstr("answering 1 s"));
    const auto cleared = result.out.rfind("\r\033[K");
    ASSERT_NE(cleared, std::string::npos);
    EXPECT_THAT(result.out.substr(cleared), testing::StartsWith("\r\033[KP(O)"));
}

TEST_F(Terminal, ShowsNoProgressOfShortWork) {
    EXPECT_THAT(neurasp_on_terminal({"prob", coin_}, color_).out, Not(HasSubstr("\r\033[K")));
}

TEST_F(Terminal, IsNotAssumedForPipes) {
    const Result result =
        neurasp({"prob", endless_, "-o", ":- #count{X : flip(X)} > 20.", "--time-limit", "1.6"}, "",
                color_);
    EXPECT_THAT(result.err, Not(HasSubstr("\r")));
    EXPECT_THAT(result.err, Not(HasSubstr("\033")));
}

} // namespace
} // namespace neurasp::test
