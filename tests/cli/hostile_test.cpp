// Malicious input: scripts in programs, terms that could overflow a stack, endless files. No code runs, only named
// files are read, and nothing crashes.
#include "cli/process.hpp"
#include "cli/programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace neurasp::test {
namespace {

using testing::HasSubstr;

std::string repeated(const std::string &text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) result += text;
    return result;
}

class Hostile : public testing::Test {
  protected:
    // Expects that the input is refused with a short message.
    static void expect_refused(const Words &arguments) {
        const Result result = neurasp(arguments);
        EXPECT_EQ(result.exit_code, 3)
            << arguments.back().substr(0, 80) << result.err.substr(0, 500);
        EXPECT_EQ(result.out, "");
        EXPECT_LT(result.err.size(), 20'000U);
    }
    std::string program(const std::string &text) { return folder_.file("hostile.lp", text); }

    Folder folder_;
    std::string coin_ = folder_.file("coin.lp", coin);
    std::string addition_ = folder_.file("addition.lp", addition);
};

TEST_F(Hostile, NoSpellingOfAScriptRuns) {
    const std::string mark = folder_.path("mark");
    const std::string lua = " io.open('" + mark + "','w'):close() #end.";
    const std::string python = " open('" + mark + "','w').close()\n#end.";
    for (const std::string &script :
         {"#script (lua)" + lua, "#script(lua)" + lua, "#script\n\n(\nlua\n)\n" + lua,
          "#script %* c *% (lua)" + lua, "#script % c\n(python)\n" + python,
          "a.#script(python)\n" + python, "a :- b.\r#script\t(python)\n" + python,
          "%* %* *% *%#script (python)\n" + python, "a #script (lua)" + lua,
          "p(#script (lua)" + lua + ").", "0.5 : a #script (lua)" + lua,
          "\xEF\xBB\xBF#script (lua)" + lua, "#include \"x\" #script (lua)" + lua}) {
        expect_refused({"prob", program(script)});
        expect_refused({"prob", coin_, "-o", script});
        expect_refused({"prob", coin_, "-q", script});
        expect_refused({"prob", coin_, "--observe-file", program(script)});
        expect_refused({"ground", program(script)});
    }
    EXPECT_FALSE(std::filesystem::exists(mark));
}

TEST_F(Hostile, CommentsAndStringsMayTalkAboutScripts) {
    const Result result = neurasp({"prob", program("%* #script (lua) os.exit(7) #end. *%\n"
                                                   "% #include \"/etc/passwd\".\n"
                                                   "0.5 : a(\"#script (lua)\").")});
    EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(Hostile, NoSpellingOfAnIncludeIsRead) {
    const std::string secret = folder_.file("secret.lp", "secret_fact_of_somebody.");
    const Words texts = {"#include \"" + secret + "\".", "#include\n\"secret.lp\".",
                         "#include<incmode>.",           "#include %* c *% \"secret.lp\".",
                         "a.#include \"secret.lp\".",    "p(#include \"secret.lp\"."};
    for (const std::string &text : texts) {
        for (const Words &arguments :
             {Words{"models", program(text), "--atoms", "all"}, Words{"models", coin_, "-o", text},
              Words{"prob", coin_, "-q", text}}) {
            const Result result = neurasp(arguments);
            EXPECT_EQ(result.exit_code, 3) << text;
            EXPECT_THAT(result.out + result.err, testing::Not(HasSubstr("secret_fact")));
        }
    }
}

TEST_F(Hostile, ConstantsAreTermsAndNothingElse) {
    for (const char *value :
         {"1). #script (lua) os.exit(7) #end. p(1", "1. #include \"/etc/passwd\".", "1,2", "\"a",
          "@f(1", "p(", "%*", "1 --mode=gringo", "X", "1..3", "99999999999"}) {
        expect_refused(
            {"prob", program("0.5 : a(n). #const n=1."), "-c", std::string("n=") + value});
    }
    expect_refused({"prob", program("0.5 : a(n)."), "-c", "n=" + repeated("-", 100'000) + "1"});
    // an undefined function has no value
    const Result call = neurasp({"prob", program("0.5 : a. b(n)."), "-c", "n=@f(1)"});
    EXPECT_TRUE(call.exit_code == 0 || call.exit_code == 3) << call.err;
}

TEST_F(Hostile, FilesWithoutAnEndAreRefused) {
    expect_refused({"check", "/dev/zero"});
    expect_refused({"prob", coin_, "-p", "/dev/zero"});
    expect_refused({"prob", coin_, "--observe-file", "/dev/zero"});
}

TEST_F(Hostile, DeepTermsDoNotOverflowTheStack) {
    for (const std::string &term :
         {repeated("f(", 100'000) + "1" + repeated(")", 100'000), repeated("1+", 100'000) + "1",
          repeated("-", 100'000) + "1", repeated("1..", 100'000) + "1",
          repeated("|", 100'000) + "1" + repeated("|", 100'000)}) {
        expect_refused({"check", program("p(" + term + ").")});
        expect_refused({"check", program("0.5 : p(" + term + ").")});
        expect_refused({"check", program("nn(d(1," + term + "), [0,1]).")});
        expect_refused({"check", program("a :- { b : X = " + term + " } 1.")});
    }
}

TEST_F(Hostile, TermsThatGrowDeepWhileGroundingDoNotOverflowTheStack) {
    const std::string deep = "p(0,0). p(f(X),N+1) :- p(X,N), N<200000.";
    for (const char *command : {"models", "marginals", "check"}) {
        EXPECT_EQ(neurasp({command, program(deep)}).exit_code, 5) << command;
    }
    EXPECT_EQ(neurasp({"models", program("p(0,0). p(f(X,X),N+1) :- p(X,N), N<60.")}).exit_code, 5);
    // clingo prints shown terms recursively and runs out of stack
    const Result shown = neurasp({"models", program(deep + " #show X : p(X,200000).")});
    EXPECT_EQ(shown.exit_code, 5) << shown.err;
    EXPECT_EQ(shown.out, "");
}

TEST_F(Hostile, DeepKeysOfNetworkOutputsDoNotOverflowTheStack) {
    for (const std::string &key :
         {repeated("f(", 100'000) + "1" + repeated(")", 100'000), repeated("-", 100'000) + "1",
          repeated("(", 6'000) + "1" + repeated(",)", 6'000),
          std::string("i1,) #script (lua) os.exit(7) #end. (")}) {
        const std::string outputs =
            folder_.file("outputs.json", "{\"digit\": {\"" + key + "\": [[0.2, 0.3, 0.5]]}}");
        expect_refused({"prob", addition_, "-p", outputs});
    }
    const std::string arrays = repeated("[", 100'000) + repeated("]", 100'000);
    expect_refused({"prob", addition_, "-p", folder_.file("deep.json", arrays)});
    expect_refused({"prob", addition_, "-p",
                    folder_.file("deep.json", "{\"digit\": {\"i1\": " + arrays + "}}")});
    expect_refused(
        {"prob", addition_, "-p", folder_.file("deep.json", repeated("{\"a\":", 100'000) + "1")});
}

TEST_F(Hostile, AVeryLongLineIsNotShownWhole) {
    const std::string line = repeated("a(1). ", 100'000);
    const Result result = neurasp({"check", program(line + "p(. " + line)});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_LT(result.err.size(), 1000U);
    EXPECT_THAT(result.err, HasSubstr("p(."));
    EXPECT_THAT(result.err, HasSubstr(":1:600002: error:"));
}

TEST_F(Hostile, InvalidLimitsAreUsageErrors) {
    for (const char *seconds : {"0", "-1", "nan", "inf", "-inf", "1e999", "x", "", "1s"}) {
        EXPECT_EQ(neurasp({"prob", coin_, "--time-limit", seconds}).exit_code, 2) << seconds;
    }
    for (const char *option : {"--ground-limit", "--model-limit", "--memory-limit"}) {
        for (const char *count : {"0", "-1", "1.5", "nan", "1e3", ""}) {
            EXPECT_EQ(neurasp({"prob", coin_, option, count}).exit_code, 2) << option << count;
        }
        EXPECT_EQ(neurasp({"prob", coin_, option, "18446744073709551615"}).exit_code, 0) << option;
    }
    EXPECT_EQ(neurasp({"prob", coin_, "--time-limit", "1e300"}).exit_code, 0);
}

} // namespace
} // namespace neurasp::test
