// Mistakes in the descriptions of networks, found without Torch.
#include "data/network_check.hpp"
#include "experiment_texts.hpp"

#include <gtest/gtest.h>

namespace neurasp::data {
namespace {

TEST(NetworkCheck, FindsAllMistakesInLayersAndPresets) {
    const Experiment experiment = read_experiment(R"toml(program = "p.lp"
[networks.a]
layers = [{kind = "linaer", out = 3}, {kind = "linear"}]
[networks.b]
preset = "digit-cn"
)toml",
                                                  "x.toml");
    try {
        check_networks(experiment);
        FAIL() << "no InputError";
    } catch (const InputError &error) {
        ASSERT_EQ(error.diagnostics().size(), 3u);
        EXPECT_EQ(error.diagnostics()[0].code, "unknown-layer-kind");
        EXPECT_EQ(error.diagnostics()[0].location.line, 3u);
        EXPECT_EQ(error.diagnostics()[1].code, "missing-layer-number");
        EXPECT_EQ(error.diagnostics()[2].code, "unknown-preset");
        EXPECT_EQ(error.diagnostics()[2].hint, "did you mean 'digit-cnn'?");
    }
}

} // namespace
} // namespace neurasp::data
