// The table of network outputs.
#include "neurasp/network_outputs.hpp"

#include <gtest/gtest.h>

namespace neurasp {
namespace {

TEST(NetworkOutputs, KeepsWhatWasSet) {
    NetworkOutputs outputs;
    EXPECT_TRUE(outputs.empty());
    outputs.set("digit", "i1", {0.25, 0.75}, OutputKind::probabilities, "here");
    const auto &entry = outputs.table().at("digit").at("i1");
    EXPECT_EQ(entry.values, (std::vector<double>{0.25, 0.75}));
    EXPECT_EQ(entry.kind, OutputKind::probabilities);
    EXPECT_EQ(entry.origin, "here");
}

TEST(NetworkOutputs, SettingAgainReplaces) {
    NetworkOutputs outputs;
    outputs.set("digit", "i1", {0.25, 0.75}).set("digit", "i1", {1.0, 0.0});
    EXPECT_EQ(outputs.table().at("digit").size(), 1u);
    EXPECT_EQ(outputs.table().at("digit").at("i1").values, (std::vector<double>{1.0, 0.0}));
}

TEST(NetworkOutputs, LogitsCanBeDeclaredBeforeOrAfterTheValues) {
    NetworkOutputs outputs;
    outputs.set("a", "x", {3.0, -1.0});
    outputs.declare_logits("a").declare_logits("b");
    outputs.set("b", "x", {5.0, 5.0}).set("c", "x", {0.5, 0.5});
    EXPECT_EQ(outputs.table().at("a").at("x").kind, OutputKind::logits);
    EXPECT_EQ(outputs.table().at("b").at("x").kind, OutputKind::logits);
    EXPECT_EQ(outputs.table().at("c").at("x").kind, OutputKind::probabilities);
}

TEST(NetworkOutputs, DeclaringLogitsMakesNoEntry) {
    NetworkOutputs outputs;
    outputs.declare_logits("a");
    EXPECT_TRUE(outputs.empty());
}

} // namespace
} // namespace neurasp
