// Every exit code, and the message that comes with it.
#include "cli/process.hpp"
#include "cli/programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

class Errors : public testing::Test {
  protected:
    void expect_usage_error(const Words &arguments, const std::string &message) {
        const Result result = neurasp(arguments);
        EXPECT_EQ(result.exit_code, 2);
        EXPECT_EQ(result.out, "");
        EXPECT_THAT(result.err, StartsWith("error: " + message));
    }

    Folder folder_;
    std::string coin_ = folder_.file("coin.lp", coin);
    std::string addition_ = folder_.file("addition.lp", addition);
    std::string digits_ = folder_.file("digits.json", digits);
};

TEST_F(Errors, HelpAndVersionAreFine) {
    const Result help = neurasp({"--help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_THAT(help.out, HasSubstr("Examples:"));
    EXPECT_EQ(neurasp({"--version"}).exit_code, 0);
}

TEST_F(Errors, EveryCommandHasHelpWithExamples) {
    for (const char *command : {"check", "models", "map", "prob", "marginals", "sample", "gradient",
                                "explain", "compile", "ground", "completion", "help"}) {
        const Result help = neurasp({command, "--help"});
        EXPECT_EQ(help.exit_code, 0);
        EXPECT_THAT(help.out, HasSubstr(std::string("Usage: neurasp ") + command));
        EXPECT_THAT(help.out, HasSubstr("Examples:\n"));
        EXPECT_EQ(help.err, "");
    }
}

TEST_F(Errors, UsageErrorsSuggestWhatWasMeant) {
    expect_usage_error({"chec", coin_}, "unknown command 'chec'; did you mean 'check'?");
    expect_usage_error({"--helpp"}, "unknown option '--helpp'; did you mean '--help'?");
    expect_usage_error({"prob", coin_, "--observ", "x"},
                       "unknown option '--observ'; did you mean '--observe'?");
    expect_usage_error({"prob", coin_, "--engine", "enumerat"},
                       "--engine: 'enumerat' is not one of auto, ");
    expect_usage_error({"prob"}, "FILES is required");
    expect_usage_error({"prob", coin_, "-o"}, "--observe: 1 required TEXT missing");
    expect_usage_error({"prob", coin_, "--format", "xml"},
                       "--format: 'xml' is not one of text, json");
    expect_usage_error({"prob", coin_, "-c", "X=1"}, "--const: expected name=value, found 'X=1'");
    expect_usage_error({"prob", coin_, "-c", "n"}, "--const: expected name=value, found 'n'");
    expect_usage_error({"prob", coin_, "--time-limit", "-1"}, "--time-limit: expected a positive");
    expect_usage_error({"prob", coin_, "--time-limit", "nan"}, "--time-limit: expected a positive");
    expect_usage_error({"prob", coin_, "--model-limit", "0"}, "--model-limit: expected a whole");
    expect_usage_error({"map", coin_, "-k", "1.5"}, "--count: expected a whole");
    expect_usage_error({"sample", coin_, "-n", "x"}, "--count: expected a whole");
    expect_usage_error({"gradient", coin_, "--convention", "x"}, "--convention: 'x' is not one of");
    expect_usage_error({"completion", "tcsh"}, "SHELL: 'tcsh' is not one of bash, zsh, fish");
    expect_usage_error({"prob", "-", "-p", "-"}, "standard input (-) can be read only once");
    expect_usage_error(
        {"prob", addition_, "-p", digits_, "--logits", "digits"},
        "--logits digits: no outputs of this network are given; did you mean 'digit'?");
}

TEST_F(Errors, FilesInTheWrongPlaceGetAHint) {
    expect_usage_error({"prob", addition_, digits_}, "'" + digits_ + "' is not a program\n");
    EXPECT_THAT(neurasp({"prob", addition_, digits_}).err, HasSubstr("with -p " + digits_));
    expect_usage_error({"prob", "some.toml"}, "'some.toml' is not a program\n");
    expect_usage_error({"prob", addition_, "-p", digits_, "--input", "i1=3.png"},
                       "--input needs a network to run on it\n");
    EXPECT_THAT(neurasp({"addition.lp"}).err, HasSubstr("`neurasp models addition.lp`"));
    EXPECT_THAT(neurasp({"train", addition_}).err, HasSubstr("expected an experiment file"));
    const Result result = neurasp({"prob", addition_});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, HasSubstr("put them into a file for -p, or run a network with --net"));
}

TEST_F(Errors, MistakesInNetworkOutputsShowTheirLine) {
    const std::string line = R"({"digit": {"i1": [0.5, 0.5], "i2": [0.6, 0.3, 0.1]}})";
    const std::string file = folder_.file("short.json", "\n" + line + "\n");
    const Result result = neurasp({"prob", addition_, "-p", file});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, HasSubstr(file + ":2:12: error:"));
    EXPECT_THAT(result.err, HasSubstr("  2 | " + line + "\n    |            ^\n"));
}

TEST_F(Errors, UsageErrorsCanBeJson) {
    const Result result = neurasp({"prob", coin_, "--observ", "x", "--format", "json"});
    EXPECT_EQ(result.exit_code, 2);
    const json error = result.error_json()["error"];
    EXPECT_EQ(error["kind"], "usage");
    EXPECT_EQ(error["exit_code"], 2);
    EXPECT_EQ(error["diagnostics"][0]["hint"], "see `neurasp prob --help`");
}

TEST_F(Errors, MistakesInProgramsHaveTheirPlace) {
    const std::string bad = folder_.file("bad.lp", "a.\nb :- c(.\n");
    const Result result = neurasp({"prob", bad});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, StartsWith(bad + ":2:"));
    EXPECT_THAT(result.err, HasSubstr("\n  2 | b :- c(.\n"));
    EXPECT_THAT(result.err, testing::Not(HasSubstr("\033")));
    const json error = neurasp({"prob", bad, "--format=json"}).error_json()["error"];
    EXPECT_EQ(error["kind"], "input");
    EXPECT_EQ(error["diagnostics"][0]["file"], bad);
    EXPECT_EQ(error["diagnostics"][0]["line"], 2);
}

TEST_F(Errors, MistakesInObservationsAndQueriesAreInputErrors) {
    const Result one = neurasp({"prob", coin_, "-o", ":- win"});
    EXPECT_EQ(one.exit_code, 3);
    EXPECT_THAT(one.err, StartsWith("<observe>:1:"));
    const Result two = neurasp({"prob", coin_, "-o", ":- win.", "-o", ":- lose(."});
    EXPECT_EQ(two.exit_code, 3);
    EXPECT_THAT(two.err, StartsWith("<observe 2>:1:"));
    EXPECT_EQ(neurasp({"prob", coin_, "-q", "win,"}).exit_code, 3);
}

TEST_F(Errors, MistakesInNetworkOutputsAreInputErrors) {
    const std::string syntax = folder_.file("syntax.json", "{\"digit\": [}");
    EXPECT_THAT(neurasp({"prob", addition_, "-p", syntax}).err, StartsWith(syntax + ":1:"));
    const Result missing = neurasp(
        {"prob", addition_, "-p", folder_.file("i1.json", R"({"digit": {"i1": [1,0,0]}})")});
    EXPECT_EQ(missing.exit_code, 3);
    EXPECT_THAT(missing.err, HasSubstr("i2"));
    EXPECT_EQ(neurasp({"prob", addition_}).exit_code, 3);
}

TEST_F(Errors, MissingFilesAreEnvironmentErrors) {
    for (const Words &arguments :
         {Words{"prob", folder_.path("none.lp")},
          Words{"prob", coin_, "-p", folder_.path("none.json")},
          Words{"prob", coin_, "--observe-file", folder_.path("none.lp")},
          Words{"prob", coin_, "-p", folder_.path("")}, Words{"check", folder_.path("")},
          Words{"ground", folder_.path("none.lp")}}) {
        const Result result = neurasp(arguments);
        EXPECT_EQ(result.exit_code, 4) << result.err;
        EXPECT_EQ(result.out, "");
        EXPECT_THAT(result.err, StartsWith("error: "));
        EXPECT_THAT(result.err, HasSubstr(folder_.path("")));
    }
    const Result result = neurasp({"prob", folder_.path("none.lp"), "--format", "json"});
    EXPECT_EQ(result.error_json()["error"]["kind"], "environment");
}

TEST_F(Errors, AFullDiskIsAnEnvironmentError) {
    const Result result =
        Process({"/bin/sh", "-c", "exec \"$0\" models \"$1\" > /dev/full", command_path(), coin_})
            .finish();
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_THAT(result.err, HasSubstr("cannot write to standard output"));
}

TEST_F(Errors, AClosedOutputEndsQuietly) {
    Process process({command_path(), "models", folder_.file("endless.lp", endless)});
    process.first_line();
    process.close_output();
    const Result result = process.finish();
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
}

TEST_F(Errors, WarningsDoNotMixWithAnswers) {
    const Result result = neurasp({"prob", coin_, "-o", ":- unknown_atom.", "--format", "json"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_NEAR(result.json()["probability"], 1.0, 1e-12);
    if (!result.err.empty()) {
        EXPECT_TRUE(result.error_json().contains("diagnostics"));
    }
}

} // namespace
} // namespace neurasp::test
