// The events of a run.
#include "protocol/run_events.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace neurasp::protocol {
namespace {

using nlohmann::json;

TEST(RunEvents, TheStartDescribesTheRun) {
    runs::RunSummary run;
    run.title = "addition.toml";
    run.configuration_json = R"({"seed": 7})";
    run.networks = {{"digit", "44,426 parameters"}};
    EXPECT_EQ(start_event(run, "2024-05-01T12:00:00Z"),
              R"({"event":"start","time":"2024-05-01T12:00:00Z","title":"addition.toml",)"
              R"("epochs_done":0,"networks":{"digit":"44,426 parameters"},)"
              R"("configuration":{"seed":7}})");
}

TEST(RunEvents, BatchesEpochsAndEvaluationsHoldTheirNumbers) {
    runs::EpochRecord record;
    record.epoch = 3;
    record.batches = 469;
    record.examples = 30000;
    record.loss = 0.1;
    record.mean_log_probability = -0.25;
    record.impossible = 2;
    record.seconds = {0.5, 6.0, 1.5, 0.75};
    record.learning_rates = {{"digit", 0.001}};
    const json batch = {
        {"event", "batch"}, {"batch", 100}, {"loss", 1.5}, {"examples_per_second", 9000.5}};
    EXPECT_EQ(json::parse(batch_event({100, 1.5, 9000.5})), batch);
    const json epoch = {
        {"event", "epoch"},
        {"epoch", 3},
        {"batches", 469},
        {"examples", 30000},
        {"loss", 0.1},
        {"mean_log_probability", -0.25},
        {"impossible", 2},
        {"seconds", {{"data", 0.5}, {"network", 6.0}, {"symbolic", 1.5}, {"compile", 0.75}}},
        {"learning_rates", {{"digit", 0.001}}}};
    EXPECT_EQ(json::parse(epoch_event(record)), epoch);
    const json evaluation = {{"event", "evaluation"},
                             {"epoch", 3},
                             {"batch", 1407},
                             {"split", "test"},
                             {"examples", 5000},
                             {"seconds", 0.125},
                             {"metrics", {{"accuracy of digit", 0.975}}}};
    EXPECT_EQ(json::parse(evaluation_event(
                  3, 1407, {"test", 5000, {{"accuracy of digit", 0.975, true}}, 0.125})),
              evaluation);
}

TEST(RunEvents, WarningsAndTheEndAreLines) {
    runs::RunSummary run;
    run.seconds = 12.5;
    run.finished = "interrupted";
    run.history.epochs.resize(2);
    run.rules = {{"0.5::a.", {{"a", 0.25}}}};
    const std::string warning =
        warning_event("impossible-example", "P(O) = 0 in \"train.csv:3\"\nand more");
    EXPECT_EQ(warning.find('\n'), std::string::npos);
    EXPECT_EQ(json::parse(warning), (json{{"event", "warning"},
                                          {"code", "impossible-example"},
                                          {"message", "P(O) = 0 in \"train.csv:3\"\nand more"}}));
    EXPECT_EQ(json::parse(end_event(run, "2024-05-01T12:00:12Z")),
              (json{{"event", "end"},
                    {"time", "2024-05-01T12:00:12Z"},
                    {"seconds", 12.5},
                    {"epochs", 2},
                    {"finished", "interrupted"},
                    {"rules", {{"0.5::a.", {{"a", 0.25}}}}}}));
}

TEST(RunEvents, NumbersThatAreNotFiniteAreNull) {
    const json event = json::parse(batch_event(
        {1, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}));
    EXPECT_TRUE(event.at("loss").is_null());
    EXPECT_TRUE(event.at("examples_per_second").is_null());
}

TEST(RunEvents, TextsThatAreNotUtf8OrNotJsonStayReadable) {
    runs::RunSummary run;
    run.title = "a\xff";
    run.configuration_json = "{seed";
    const json event = json::parse(start_event(run, ""));
    EXPECT_EQ(event.at("title"), "a�");
    EXPECT_EQ(event.at("configuration"), "{seed");
}

TEST(RunEvents, AResumedRunStartsWithTheEpochsOfItsHistory) {
    runs::RunSummary run;
    run.history.epochs.resize(4);
    EXPECT_EQ(json::parse(start_event(run, "")).at("epochs_done"), 4);
}

} // namespace
} // namespace neurasp::protocol
