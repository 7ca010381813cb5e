// The completion scripts know every subcommand and option, and those in src/cli/completions are current.
#include "cli/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

namespace neurasp::test {
namespace {

using testing::HasSubstr;

const Words commands = {"check",  "models",   "map",     "prob",       "marginals",
                        "sample", "gradient", "explain", "compile",    "ground",
                        "train",  "evaluate", "predict", "completion", "help"};

std::string script(const std::string &shell) {
    const Result result = neurasp({"completion", shell});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    return result.out;
}

// The options that --help lists.
std::set<std::string> options_of(const Words &arguments) {
    const std::string help = neurasp(arguments).out;
    std::set<std::string> names;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
        // "  -q,--query TEXT ..." or "  --optimal ..."
        const std::size_t begin = line.find("--");
        if (!line.starts_with("  -") || (begin != 2 && begin != 5)) continue;
        names.insert(line.substr(
            begin, line.find_first_not_of("-abcdefghijklmnopqrstuvwxyz", begin) - begin));
    }
    return names;
}

bool shell_exists(const std::string &shell) {
    return Process({"/bin/sh", "-c", "command -v " + shell}).finish().exit_code == 0;
}

std::string shipped(const std::string &name) {
    std::ifstream file(source_folder() / "src" / "cli" / "completions" / name);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Completion, KnowsEverySubcommandAndOption) {
    for (const char *shell : {"bash", "zsh", "fish"}) {
        const std::string text = script(shell);
        for (const std::string &command : commands) {
            EXPECT_THAT(text, HasSubstr(command)) << shell;
            const auto options = options_of({command, "--help"});
            EXPECT_GE(options.size(), 1u);
            for (const std::string &option : options) {
                const std::string written =
                    std::string(shell) == "fish" ? "-l " + option.substr(2) : option;
                EXPECT_THAT(text, HasSubstr(written)) << shell;
            }
        }
    }
}

TEST(Completion, ShippedScriptsAreCurrent) {
    const auto hint = "; run `neurasp completion` and store its output in src/cli/completions";
    EXPECT_EQ(shipped("neurasp.bash"), script("bash")) << hint;
    EXPECT_EQ(shipped("_neurasp"), script("zsh")) << hint;
    EXPECT_EQ(shipped("neurasp.fish"), script("fish")) << hint;
}

TEST(Completion, ScriptsAreValid) {
    EXPECT_EQ(Process({"/bin/bash", "-n", "/dev/stdin"}, script("bash")).finish().err, "");
    if (shell_exists("zsh")) {
        EXPECT_EQ(Process({"/bin/sh", "-c", "zsh -n /dev/stdin"}, script("zsh")).finish().err, "");
    }
    if (shell_exists("fish")) {
        EXPECT_EQ(Process({"/bin/sh", "-c", "fish -n /dev/stdin"}, script("fish")).finish().err,
                  "");
    }
}

// Completes the last of `words` as bash would.
std::string complete(const std::string &words) {
    const std::string driver = script("bash") + "COMP_WORDS=(" + words +
                               ")\nCOMP_CWORD=$((${#COMP_WORDS[@]}-1))\n_neurasp\n"
                               "echo \"${COMPREPLY[*]}\"\n";
    return Process({"/bin/bash", "/dev/stdin"}, driver).finish().out;
}

TEST(Completion, BashCompletesCommandsOptionsAndValues) {
    EXPECT_EQ(complete("neurasp ma"), "map marginals\n");
    EXPECT_EQ(complete("neurasp map --ti"), "--ties --time-limit\n");
    EXPECT_EQ(complete("neurasp prob f.lp --format j"), "json\n");
    EXPECT_EQ(complete("neurasp completion f"), "fish\n");
    EXPECT_EQ(complete("neurasp help ma"), "map marginals\n");
    EXPECT_EQ(complete("neurasp --ver"), "--version\n");
    EXPECT_THAT(complete("neurasp prob /etc/passw"), HasSubstr("/etc/passwd"));
    EXPECT_EQ(complete("neurasp prob --engine c"), "circuit\n");
    EXPECT_EQ(complete("neurasp prob --circuit-cache /et"), "/etc\n");
    // the meaning of -o depends on the subcommand
    EXPECT_EQ(complete("neurasp prob -o /etc/passw"), "\n");
    EXPECT_THAT(complete("neurasp compile -o /etc/passw"), HasSubstr("/etc/passwd"));
}

} // namespace
} // namespace neurasp::test
