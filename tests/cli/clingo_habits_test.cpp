// Command lines that users of clingo type by habit work, or the hint says how to do the same here.
#include "cli/process.hpp"
#include "cli/programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace neurasp::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class ClingoHabits : public testing::Test {
  protected:
    // 2 * 2 models
    std::string coins_ = folder().file("coins.lp", "0.5 : a. 0.25 : b. #show a/0. #show b/0.");

    static const Folder &folder() {
        static const Folder one;
        return one;
    }
    static long lines(const Words &arguments, const std::string &input = {}) {
        const Result result = neurasp(arguments, input);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(result.err, "");
        return std::count(result.out.begin(), result.out.end(), '\n');
    }
    static void expect_hint(const Words &arguments, const std::string &message,
                            const std::string &hint) {
        const Result result = neurasp(arguments);
        EXPECT_EQ(result.exit_code, 2) << arguments.back();
        EXPECT_EQ(result.out, "");
        EXPECT_THAT(result.err, StartsWith("error: " + message));
        EXPECT_THAT(result.err, HasSubstr("\n  hint: "));
        EXPECT_THAT(result.err, HasSubstr(hint));
    }
};

TEST_F(ClingoHabits, ANumberAmongTheFilesIsTheNumberOfModels) {
    EXPECT_EQ(lines({"models", coins_, "0"}), 4);
    EXPECT_EQ(lines({"models", coins_, "3"}), 3);
    EXPECT_EQ(lines({"models", "1", coins_}), 1);
    EXPECT_EQ(lines({"models", coins_, "9"}), 4);
    EXPECT_EQ(lines({"models", coins_, "--models=2"}), 2);
    EXPECT_EQ(lines({"models", "--models", "2", coins_}), 2);
    EXPECT_EQ(lines({"models", "-n2", coins_}), 2);
    EXPECT_EQ(lines({"models", "-", "1"}, "0.5 : a."), 1);
}

TEST_F(ClingoHabits, NumbersOfModelsMustAgree) {
    EXPECT_EQ(lines({"models", coins_, "2", "-n", "2"}), 2);
    EXPECT_EQ(lines({"models", coins_, "0", "-n", "0"}), 4);
    expect_hint({"models", coins_, "2", "-n", "3"}, "-n 3 and '2' among the files disagree",
                "leave one of them out");
    expect_hint({"models", coins_, "2", "-n", "0"}, "-n 0 and '2' among the files disagree", "");
    expect_hint({"models", "0"}, "'0' is the number of models, and no program is named",
                "name a file");
    EXPECT_THAT(neurasp({"models", coins_, "1", "2"}).err, HasSubstr("given twice"));
    EXPECT_THAT(neurasp({"models", coins_, "99999999999999999999999"}).err, HasSubstr("too large"));
}

TEST_F(ClingoHabits, ANumberIsNotAProgramElsewhere) {
    expect_hint({"map", coins_, "3"}, "'3' is not a program", "`neurasp map` has -k");
    expect_hint({"prob", coins_, "0"}, "'0' is not a program", "`neurasp models`");
    expect_hint({"map", coins_, "-n", "3"}, "unknown option '-n'", "`neurasp map` has -k");
}

TEST_F(ClingoHabits, OutfIsTheFormat) {
    EXPECT_EQ(neurasp({"models", coins_, "--outf=2"}).json()["models"].size(), 4u);
    EXPECT_EQ(neurasp({"models", coins_, "--outf", "2"}).out,
              neurasp({"models", coins_, "--format", "json"}).out);
    EXPECT_EQ(neurasp({"prob", coins_, "--outf=0"}).out, neurasp({"prob", coins_}).out);
    expect_hint({"prob", coins_, "--outf=1"}, "--outf=1: there is no such format here",
                "--outf=2 is --format json");
    // errors are JSON as well
    const Result wrong = neurasp({"prob", coins_, "--outf=2", "--nosuch"});
    EXPECT_EQ(wrong.error_json()["error"]["kind"], "usage");
    EXPECT_EQ(neurasp({"prob", coins_, "--nosuch", "--outf", "2"}).error_json()["error"]["kind"],
              "usage");
}

TEST_F(ClingoHabits, NothingNeedsToBeSilenced) {
    EXPECT_EQ(neurasp({"prob", coins_, "-V0"}).out, neurasp({"prob", coins_}).out);
    EXPECT_EQ(lines({"models", "--verbose=0", coins_, "0"}), 4);
    expect_hint({"prob", coins_, "-V2"}, "unknown option '-V2'", "--stats");
    expect_hint({"prob", coins_, "-V"}, "unknown option '-V'", "--stats");
    expect_hint({"prob", coins_, "--verbose"}, "unknown option '--verbose'", "--stats");
}

// Two models; the one with a costs 1.
TEST_F(ClingoHabits, OptModeChoosesOptimalModels) {
    const std::string costly = folder().file("cost.lp", "0.5 : c. {a}. :~ a. [1]");
    EXPECT_EQ(lines({"models", costly}), 4);
    EXPECT_EQ(neurasp({"models", costly, "--opt-mode=optN"}).out,
              neurasp({"models", costly, "--optimal"}).out);
    EXPECT_EQ(lines({"models", costly, "--opt-mode", "ignore"}), 4);
    expect_hint({"models", costly, "--opt-mode=opt"}, "--opt-mode=opt: there is no such mode",
                "--opt-mode=optN is --optimal");
    expect_hint({"models", costly, "--opt-strategy=usc"}, "unknown option '--opt-strategy'",
                "--optimal");
}

TEST_F(ClingoHabits, OptionsWithoutCounterpartAreExplained) {
    const std::vector<std::pair<std::string, std::string>> habits = {
        {"-q", "here -q asks for the probability of a query"},
        {"--quiet=1", "here -q asks for the probability of a query"},
        {"-s", "--stats"},
        {"-Wnone", "#defined"},
        {"--warn=none", "#defined"},
        {"-ebrave", "neurasp marginals"},
        {"--enum-mode=cautious", "neurasp marginals"},
        {"--text", "neurasp ground"},
        {"--mode=gringo", "neurasp ground"},
        {"--output=text", "neurasp ground"},
        {"--project", "neurasp marginals"},
        {"--seed=7", "neurasp sample"},
        {"--solve-limit=9", "--time-limit"},
        {"-t4", "threads"},
        {"--parallel-mode=2", "threads"},
        {"--configuration=trendy", "--engine"},
        {"--out-ifs=,", "--format"}};
    for (const auto &[option, hint] : habits) {
        expect_hint({"models", coins_, option}, "unknown option '-", hint);
    }
    expect_hint({"prob", "-q", coins_}, "FILES is required", "in clingo it hides models");
    expect_hint({"prob", coins_, "--time-limit=0"}, "--time-limit: expected a positive number", "");
    EXPECT_THAT(neurasp({"prob", coins_, "--time-limit=0"}).err,
                HasSubstr("without the option there is no limit"));
}

TEST_F(ClingoHabits, OptionsOfTheSameMeaningWork) {
    const std::string sized = folder().file("sized.lp", "#const n=1. 0.5 : a(X) :- X=1..n.");
    EXPECT_EQ(lines({"models", sized, "--const", "n=2", "0"}), 4);
    EXPECT_EQ(lines({"models", sized, "-c", "n=3", "0"}), 8);
    EXPECT_EQ(lines({"models", coins_, "--time-limit=10"}), 4);
    const Result stats = neurasp({"models", coins_, "--stats=2"});
    EXPECT_EQ(stats.exit_code, 0);
    EXPECT_THAT(stats.err, HasSubstr("models seen"));
}

TEST_F(ClingoHabits, WithoutACommandTheHintShowsOne) {
    expect_hint({"f.lp"}, "a command is missing", "`neurasp models f.lp` lists stable models");
    expect_hint({"f.lp", "0"}, "a command is missing", "`neurasp models f.lp 0` lists");
    expect_hint({"0", "f.lp"}, "a command is missing", "`neurasp models 0 f.lp` lists");
    expect_hint({"-n", "0", "f.lp"}, "a command is missing", "`neurasp models -n 0 f.lp` lists");
    expect_hint({"-"}, "a command is missing", "`neurasp models -` lists");
    expect_hint({"my program.lp"}, "a command is missing",
                "`neurasp models 'my program.lp'` lists");
    const std::string other = folder().file("program", "a.");
    expect_hint({other}, "a command is missing", "`neurasp models " + other + "` lists");
    expect_hint({"models"}, "FILES is required", "- is standard input");
}

TEST_F(ClingoHabits, BareCommandShowsAShortHelp) {
    const Result bare = neurasp(Words{});
    EXPECT_EQ(bare.exit_code, 2);
    EXPECT_EQ(bare.err, "");
    EXPECT_THAT(bare.out, StartsWith("Usage: neurasp COMMAND FILES... [OPTIONS]\n"));
    EXPECT_THAT(bare.out, HasSubstr("\n  models      Stable models with their probabilities\n"));
    EXPECT_THAT(bare.out, HasSubstr("`neurasp help COMMAND`"));
    EXPECT_LE(std::count(bare.out.begin(), bare.out.end(), '\n'), 24); // a small terminal
}

TEST_F(ClingoHabits, HelpIsACommand) {
    EXPECT_EQ(neurasp({"help"}).out, neurasp({"--help"}).out);
    EXPECT_EQ(neurasp({"help"}).exit_code, 0);
    for (const char *command : {"map", "models", "compile", "train", "help"}) {
        EXPECT_EQ(neurasp({"help", command}).out, neurasp({command, "--help"}).out);
        EXPECT_EQ(neurasp({"help", command}).exit_code, 0);
    }
    expect_hint({"help", "mapp"}, "unknown command 'mapp'; did you mean 'map'?",
                "see `neurasp help`");
    expect_hint({"help", "nosuch"}, "unknown command 'nosuch'\n", "see `neurasp help`");
    EXPECT_EQ(neurasp({"help", "map", "prob"}).exit_code, 2);
}

} // namespace
} // namespace neurasp::test
