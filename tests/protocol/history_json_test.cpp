// A run's history as JSON and back.
#include "protocol/history_json.hpp"

#include "neurasp/diagnostic.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace neurasp::protocol {
namespace {

std::string code_of(const std::string &text) {
    try {
        history_from_json(text);
    } catch (const InputError &error) {
        return error.diagnostics().front().code;
    }
    return "";
}

TEST(HistoryJson, ComesBackAsItWas) {
    runs::History history;
    history.epochs.resize(2);
    history.epochs[1].epoch = 2;
    history.epochs[1].loss = 0.1;
    history.epochs[1].learning_rates = {{"digit", 0.001}};
    history.epochs[1].evaluations = {{"test", 30, {{"mean log P(O)", -0.5, false}}, 0.25}};
    history.early.push_back({3, 0.75, {"test", 30, {}, 0.5}});
    history.points = {{100, 1.5, 9000.5}};
    history.impossible_examples = {"train.csv:3"};
    history.best = {"right", 0.75, true, 8, 2.0, 3, 20};
    history.confusions = {{"test", "digit", {"0", "1"}, {12, 1, 2, 15}}};
    const runs::History read = history_from_json(history_to_json(history));
    ASSERT_EQ(read.epochs.size(), 2U);
    EXPECT_EQ(read.epochs[1].epoch, 2U);
    EXPECT_EQ(read.epochs[1].loss, 0.1);
    EXPECT_EQ(read.epochs[1].learning_rates, history.epochs[1].learning_rates);
    EXPECT_EQ(read.epochs[1].evaluations.at(0).metrics.at(0).value, -0.5);
    EXPECT_FALSE(read.epochs[1].evaluations.at(0).metrics.at(0).is_share);
    EXPECT_EQ(read.early.at(0).epoch, 0.75);
    EXPECT_EQ(read.points.at(0).examples_per_second, 9000.5);
    EXPECT_EQ(read.impossible_examples, history.impossible_examples);
    ASSERT_EQ(read.confusions.size(), 1U);
    EXPECT_EQ(read.confusions[0].network, "digit");
    EXPECT_EQ(read.confusions[0].counts, history.confusions[0].counts);
    ASSERT_TRUE(read.best);
    EXPECT_EQ(read.best->metric, "right");
    EXPECT_EQ(read.best->value, 0.75);
    EXPECT_EQ(read.best->since, 3U);
    EXPECT_EQ(read.best->judged, 20U);
    EXPECT_FALSE(history_from_json(history_to_json({})).best);
}

TEST(HistoryJson, ANumberThatIsNotFiniteComesBackAsZero) {
    runs::History history;
    history.points = {{1, std::numeric_limits<double>::quiet_NaN(), 2.0}};
    const runs::History read = history_from_json(history_to_json(history));
    EXPECT_EQ(read.points.at(0).loss, 0.0);
    EXPECT_EQ(read.points.at(0).examples_per_second, 2.0);
}

TEST(HistoryJson, OtherTextsAreRejected) {
    for (const char *text : {"", "{", "[]", "7", R"({"epochs": []})", R"({"epochs": 7})"}) {
        EXPECT_EQ(code_of(text), "checkpoint") << text;
    }
}

TEST(HistoryJson, CountsMustFitTheirOutcomes) {
    runs::History history;
    history.confusions = {{"test", "digit", {"0", "1"}, {12, 1, 2}}};
    EXPECT_EQ(code_of(history_to_json(history)), "checkpoint");
}

TEST(HistoryJson, ADeeplyNestedHistoryIsRejected) {
    EXPECT_EQ(code_of(std::string(1'000'000, '[')), "checkpoint");
    EXPECT_EQ(
        code_of("{\"epochs\":" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}"),
        "checkpoint");
}

} // namespace
} // namespace neurasp::protocol
