// TorchScript is code, so networks may do anything; here they break each expectation.
#include "neural/probabilities.hpp"
#include "neural/testing.hpp"

#include <gmock/gmock.h>
#include <torch/script.h>

namespace neurasp::neural {
namespace {

using testing::HasSubstr;

class Misbehaviour : public NetworkFiles {
  protected:
    // A network whose forward computes this from a tensor x of shape batch x 4.
    std::unique_ptr<Network> network(const std::string &lines) {
        torch::jit::Module module("Test");
        module.define("def forward(self, x: Tensor):\n" + lines);
        const auto file = (folder / "test.pt").string();
        module.save(file);
        return script(file);
    }
    Diagnostic error_of(const std::string &lines) {
        const auto net = network(lines);
        return errors_of([&] { net->forward(torch::ones({2, 4})); })[0];
    }
    // The error about its rows as distributions over four outcomes.
    Diagnostic row_error_of(const std::string &lines) {
        const auto net = network(lines);
        const auto output = net->forward(torch::ones({2, 4})).to(torch::kFloat);
        return errors_of([&] {
            const auto rows = probabilities(output, {"m", 1, 4, false});
            check_distributions(rows, "m", [](std::size_t row) { return std::to_string(row); });
        })[0];
    }
};

TEST_F(Misbehaviour, AnExceptionIsReported) {
    const Diagnostic error = error_of("    assert x.size(0) < 2, 'not today'\n    return x\n");
    EXPECT_EQ(error.code, "network-input");
    EXPECT_THAT(error.message, HasSubstr("network 'm' cannot take a batch of shape 2 x 4"));
    EXPECT_THAT(error.message, HasSubstr("not today"));
}

TEST_F(Misbehaviour, AnOutputThatIsNotAPlainTensorIsReported) {
    for (const std::string lines :
         {"    return (x, x)\n", "    return [x]\n", "    return {'x': x}\n", "    return None\n",
          "    return 1\n", "    return x.to_sparse()\n", "    return torch.complex(x, x)\n"}) {
        const Diagnostic error = error_of(lines);
        EXPECT_EQ(error.code, "network-output") << lines;
        EXPECT_THAT(error.message, HasSubstr("network 'm'")) << lines;
    }
}

TEST_F(Misbehaviour, OutputsOfOtherSizesAreReported) {
    for (const std::string lines : {"    return x.sum()\n", "    return x[:1]\n",
                                    "    return torch.cat([x, x])\n", "    return x[:0]\n"}) {
        EXPECT_EQ(error_of(lines).code, "network-output") << lines;
    }
    for (const std::string lines :
         {"    return x[:, :3]\n", "    return x[:, :0]\n", "    return torch.cat([x, x], 1)\n"}) {
        EXPECT_EQ(row_error_of(lines).code, "output-shape") << lines;
    }
}

TEST_F(Misbehaviour, RowsThatAreNotDistributionsAreReportedWithTheReason) {
    const auto flaw = [&](const std::string &lines) {
        const Diagnostic error = row_error_of(lines);
        EXPECT_EQ(error.code, "output-not-distribution") << lines;
        return error.message;
    };
    EXPECT_THAT(flaw("    return x * float('nan')\n"), HasSubstr("entry 0 is nan"));
    EXPECT_THAT(flaw("    return x / 0.0\n"), HasSubstr("entry 0 is inf"));
    EXPECT_THAT(flaw("    return -x\n"), HasSubstr("entry 0 is negative (-1)"));
    EXPECT_THAT(flaw("    return x\n"), HasSubstr("it sums to 4"));
    EXPECT_THAT(flaw("    return x.to(4)\n"), HasSubstr("it sums to 4"));
    EXPECT_THAT(row_error_of("    return x / 0.0\n").hint, HasSubstr("not finite"));
}

TEST_F(Misbehaviour, OtherTypesOfNumbersAreAccepted) {
    for (const auto type : {torch::kDouble, torch::kHalf, torch::kBFloat16}) {
        const auto number = std::to_string(static_cast<int>(type)); // as scripts name it
        const auto net = network("    return (x / 4).to(" + number + ")\n");
        const auto output = net->forward(torch::ones({2, 4})).to(torch::kFloat);
        const auto rows = probabilities(output, {"m", 1, 4, false});
        EXPECT_NO_THROW(check_distributions(rows, "m", [](std::size_t) { return ""; })) << type;
    }
}

TEST_F(Misbehaviour, AnEmptyBatchIsAccepted) {
    const auto net = network("    return x / 4\n");
    EXPECT_EQ(net->forward(torch::ones({0, 4})).size(0), 0);
}

} // namespace
} // namespace neurasp::neural
