// The examples that train: two networks at once, and a network exported from Python.
#include "cli/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ExampleRuns : public testing::Test {
  protected:
    void SetUp() override {
        if (!fs::exists(fs::path(command_path()).parent_path() / "neurasp-torch")) {
            GTEST_SKIP() << "this build has no neurasp-torch";
        }
    }
    // The command on an example, with its output in this test's folder.
    Result run(const std::string &command, const std::string &file, Words more = {}) {
        more.insert(more.begin(),
                    {command, example(file), "--set", "output=" + folder_.path("out")});
        return neurasp(more);
    }
    static std::string example(const std::string &file) {
        return (source_folder() / "examples" / file).string();
    }
    Folder folder_;
};

TEST_F(ExampleRuns, TheParkTeachesBothNetworks) {
    const Result trained = run("train", "park/park.toml");
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    const nlohmann::json metrics =
        run("evaluate", "park/park.toml", {"--format", "json"}).json()["metrics"];
    EXPECT_GE(metrics["accuracy of weather"], 0.95);
    EXPECT_GE(metrics["accuracy of sensor"], 0.95);
    EXPECT_GE(metrics["seen"], 0.95);
    const std::string day =
        folder_.file("day.csv", "temperature,humidity,conductivity\n-0.2,0.8,0.2\n");
    const Result cold = run("predict", "park/park.toml",
                            {"--input", "air(today)=" + day, "--input", "path(today)=" + day});
    EXPECT_THAT(cold.out, HasSubstr("weather(0,air(today),snow) -open(today)")) << cold.err;
}

// Expected numbers: examples/exported/make-network computes them with Python's torch. The network returns
// 1/8, 3/8, 4/8 for the point (1,3) and 3/8, 1/8, 4/8 for (3,1).
class ExportedNetwork : public ExampleRuns {
  protected:
    static Words inputs() {
        return {"--input", "a=" + example("exported/first.csv"), "--input",
                "b=" + example("exported/second.csv")};
    }
    static nlohmann::json ask(const std::string &network) {
        Words words = inputs();
        words.insert(words.begin(),
                     {"prob", example("exported/sums.lp"), "--net", "kind=" + network, "-q",
                      "kind(0,a,1)", "-q", "sum(4)", "--format", "json"});
        return neurasp(words).json()["queries"];
    }
};

TEST_F(ExportedNetwork, AnswersWithoutAnExperiment) {
    const nlohmann::json queries = ask(example("exported/shares.pt"));
    EXPECT_DOUBLE_EQ(queries[0]["probability"], 3.0 / 8);
    EXPECT_DOUBLE_EQ(queries[1]["probability"], 4.0 / 8 * 4.0 / 8);
}

TEST_F(ExportedNetwork, IsUsedUnchangedWithoutEpochs) {
    const Result trained =
        run("train", "exported/exported.toml", {"--set", "training.epochs=0", "--no-report"});
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    Words words = inputs();
    words.insert(words.end(), {"-q", "sum(4)", "--format", "json"});
    const nlohmann::json answer = run("predict", "exported/exported.toml", words).json();
    EXPECT_DOUBLE_EQ(answer["networks"]["kind(a)"]["0"], 1.0 / 8);
    EXPECT_DOUBLE_EQ(answer["networks"]["kind(b)"]["0"], 3.0 / 8);
    EXPECT_DOUBLE_EQ(answer["queries"]["sum(4)"], 0.25);
}

TEST_F(ExportedNetwork, TakesTheStepThatPythonTakes) {
    constexpr double float_precision = 1e-6; // networks compute in float
    const Result trained = run("train", "exported/exported.toml", {"--format", "json"});
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    EXPECT_NEAR(trained.json()["epochs"][0]["loss"], 1.638856291770935, float_precision);
    const nlohmann::json queries = ask(folder_.path("out/kind.pt"));
    EXPECT_NEAR(queries[0]["probability"], 0.38631775975227356, float_precision);
    EXPECT_NEAR(queries[1]["probability"], 0.250556617975235, float_precision);
}

} // namespace
} // namespace neurasp::test
