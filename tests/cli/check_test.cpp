// `neurasp check`: summary, coherence, most probable outcomes.
#include "cli/process.hpp"
#include "cli/programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::test {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;

class Check : public testing::Test {
  protected:
    json ask(Words arguments) {
        arguments.insert(arguments.begin(), "check");
        arguments.insert(arguments.end(), {"--format", "json"});
        const Result result = neurasp(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return result.json();
    }

    Folder folder_;
    std::string coin_ = folder_.file("coin.lp", coin);
    std::string addition_ = folder_.file("addition.lp", addition);
    std::string digits_ = folder_.file("digits.json", digits);
    std::string incoherent_ = folder_.file("incoherent.lp", incoherent);
};

TEST_F(Check, SummarisesWithoutNetworkOutputs) {
    const json summary = ask({addition_})["summary"];
    EXPECT_EQ(summary["neural_rules"], 1);
    EXPECT_EQ(summary["probabilistic_rules"], 0);
    EXPECT_EQ(summary["random_variables"], 2);
    EXPECT_NEAR(summary["log10_total_choices"], 0.954, 0.001);
    EXPECT_EQ(summary["tight"], true);
    EXPECT_EQ(summary["determined"], true);
    EXPECT_THAT(summary["engines"], testing::Contains("enumerate"));
}

TEST_F(Check, CountsOfOneAreSingular) {
    const Result result = neurasp({"check", incoherent_});
    EXPECT_THAT(result.out, HasSubstr(" (1 constraint)\n"));
    EXPECT_THAT(neurasp({"prob", coin_, "-q", "win", "--samples", "1"}).out,
                HasSubstr("Estimated from 1 sample,"));
}

TEST_F(Check, PeopleReadTheSummary) {
    const Result result = neurasp({"check", addition_});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, ContainsRegex("random variables +2\n"));
    EXPECT_THAT(result.out, ContainsRegex("total choices +9\n"));
    EXPECT_THAT(result.out, ContainsRegex("tight +yes\n"));
}

TEST_F(Check, CoherenceIsProvedOrRefutedWithAWitness) {
    const json proved = ask({addition_, "--coherence"})["coherence"];
    EXPECT_EQ(proved["result"], "coherent");
    EXPECT_TRUE(proved["witness"].is_null());
    const json refuted = ask({incoherent_, "--coherence"})["coherence"];
    EXPECT_EQ(refuted["result"], "incoherent");
    EXPECT_THAT(refuted["witness"], testing::UnorderedElementsAre("a", "b"));
    EXPECT_THAT(neurasp({"check", incoherent_, "--coherence"}).out,
                ContainsRegex("coherent +no\n  no stable model with +a b\n"));
}

TEST_F(Check, TheMostProbableOutcomesAreComparedWithTheProgram) {
    const json fine = ask({addition_, "-p", digits_, "--argmax", "-o", ":- not sum(2)."})["argmax"];
    EXPECT_THAT(fine["choice"], testing::UnorderedElementsAre("digit(0,i1,2)", "digit(0,i2,0)"));
    EXPECT_EQ(fine["satisfies_program"], true);
    EXPECT_EQ(fine["satisfies_observation"], true);
    const json other =
        ask({addition_, "-p", digits_, "--argmax", "-o", ":- not sum(3)."})["argmax"];
    EXPECT_EQ(other["satisfies_program"], true);
    EXPECT_EQ(other["satisfies_observation"], false);
    EXPECT_THAT(neurasp({"check", addition_, "-p", digits_, "-o", ":- not sum(3)."}).out,
                ContainsRegex("satisfy the observation +no\n"));
}

TEST_F(Check, ArgmaxNeedsOutputsOfNetworksOnly) {
    EXPECT_EQ(ask({coin_, "--argmax"})["argmax"]["choice"], json{"coin(tail)"});
    EXPECT_EQ(neurasp({"check", addition_, "--argmax"}).exit_code, 3);
}

TEST_F(Check, NetworkOutputsAreChecked) {
    const std::string bad =
        folder_.file("bad.json", R"({"digit": {"i1": [[0.2, 0.3, 0.9]], "i2": [1, 0, 0]}})");
    const Result result = neurasp({"check", addition_, "-p", bad});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, HasSubstr("bad.json:1:12"));
}

TEST_F(Check, MistakesAreReportedTogether) {
    const std::string bad = folder_.file("bad.lp", "nn(a(1,x), [0]).\nnn(b(0,x), [0,1]).\n");
    const Result result = neurasp({"check", bad, "--format", "json"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_EQ(result.out, "");
    const json diagnostics = result.error_json()["error"]["diagnostics"];
    ASSERT_EQ(diagnostics.size(), 2u);
    EXPECT_EQ(diagnostics[0]["line"], 1);
    EXPECT_EQ(diagnostics[1]["line"], 2);
}

} // namespace
} // namespace neurasp::test
