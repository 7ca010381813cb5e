// Networks saved and loaded as TorchScript, and damaged files.
#include "data/presets.hpp"
#include "neural/random.hpp"
#include "neural/script_file.hpp"
#include "neural/testing.hpp"

#include <gmock/gmock.h>
#include <torch/script.h>

namespace neurasp::neural {
namespace {

using data::NumberKind;
using data::Numbers;
using data::preset_layers;
using data::presets;
using testing::HasSubstr;
using torch::Tensor;

class ScriptFiles : public NetworkFiles {
  protected:
    // A TorchScript module with this source.
    std::filesystem::path module_file(const std::string &source) {
        torch::jit::Module module("Test");
        module.define(source);
        module.save((folder / "test.pt").string());
        return folder / "test.pt";
    }

    std::string message_of(const std::filesystem::path &file) {
        const auto error = errors_of([&] { script(file, {4}); })[0];
        EXPECT_EQ(error.code, "network-file");
        EXPECT_EQ(error.location.file, file.string());
        return error.message;
    }
};

// Every kind of layer at least once.
std::unique_ptr<Network> network_of_all_kinds() {
    return network_of(
        {layer("conv", {{"out", 6}, {"kernel", 3}, {"stride", 2}, {"padding", 1}}),
         layer("batch-norm"), layer("relu"), layer("dropout", {{"p", 0.1}}),
         layer("max-pool", {{"size", 2}, {"stride", 1}}),
         layer("conv", {{"out", 4}, {"kernel", 1}, {"bias", 0}}),
         layer("avg-pool", {{"size", 2}, {"stride", 1}}),
         layer("grid-pool", {{"rows", 2}, {"columns", 3}}), layer("tanh"), layer("cells"),
         layer("linear", {{"out", 8}}), layer("flatten"), layer("dropout", {{"p", 0}}),
         layer("reshape", {{"rows", 12}, {"columns", 4}}), layer("sigmoid"), layer("softmax")},
        {2, 12, 12});
}

// The outputs and the final state of some steps of training, all from one seed.
std::pair<Tensor, NamedTensors> trained(Network &network, const Tensor &batch) {
    seed_everything(9);
    Tensor output;
    for (int step = 0; step < 4; ++step) {
        output = network.forward(batch);
        output.select(-1, 0).log().sum().backward();
        const torch::NoGradGuard no_grad;
        for (Tensor &parameter : network.parameters()) {
            parameter.add_(parameter.grad(), 0.01);
            parameter.mutable_grad() = Tensor();
        }
    }
    return {output.detach(), network.state()};
}

TEST_F(ScriptFiles, ASavedNetworkComputesTheSameBitsAsAScript) {
    const auto network = network_of_all_kinds();
    network->save(folder / "net.pt");
    const auto loaded = script(folder / "net.pt", {2, 12, 12});
    EXPECT_EQ(loaded->parameter_count(), network->parameter_count());
    const auto batch = torch::rand({5, 2, 12, 12});
    network->train(false);
    loaded->train(false);
    EXPECT_TRUE(torch::equal(network->forward(batch), loaded->forward(batch)));
}

TEST_F(ScriptFiles, BothLearnTheSame) {
    const auto network = network_of_all_kinds();
    network->train(
        false); // a loaded network is in training mode, whatever it was when it was saved
    network->save(folder / "net.pt");
    network->train(true);
    const auto loaded = script(folder / "net.pt", {2, 12, 12});
    const auto batch = torch::rand({5, 2, 12, 12});
    const auto [output, state] = trained(*network, batch);
    const auto [loaded_output, loaded_state] = trained(*loaded, batch);
    EXPECT_TRUE(torch::equal(output, loaded_output));
    network->set_state(loaded_state); // the names agree
    for (const auto &[name, tensor] : state) {
        const auto found = std::find_if(loaded_state.begin(), loaded_state.end(),
                                        [&](const auto &entry) { return entry.first == name; });
        ASSERT_NE(found, loaded_state.end());
        EXPECT_TRUE(torch::equal(found->second, tensor)) << name;
    }
}

TEST_F(ScriptFiles, GlobalPoolingIsSavedToo) {
    const auto network =
        network_of({layer("global-avg-pool"), layer("linear", {{"out", 2}})}, {3, 4, 4});
    network->save(folder / "net.pt");
    const auto batch = torch::rand({5, 3, 4, 4});
    EXPECT_TRUE(torch::equal(network->forward(batch), script(folder / "net.pt")->forward(batch)));
}

TEST_F(ScriptFiles, OneHotIsSavedToo) {
    const auto network = network_of(
        {layer("one-hot", {{"classes", 3}}), layer("cells"), layer("linear", {{"out", 2}})},
        {1, 2, 2});
    network->save(folder / "net.pt");
    const auto batch = torch::tensor({0.F, 2.F, 1.F, 5.F}).reshape({1, 1, 2, 2});
    EXPECT_TRUE(torch::equal(network->forward(batch), script(folder / "net.pt")->forward(batch)));
}

TEST_F(ScriptFiles, EveryPresetIsSavedAndFillsAnother) {
    for (const data::Preset &entry : presets()) {
        Numbers small;
        for (const NumberKind &number : entry.numbers) {
            if (number.name == "width") small["width"] = 4;
        }
        const auto layers = preset_layers(entry.name, small);
        const auto network = network_of(layers, entry.input);
        const auto other = network_of(layers, entry.input);
        const auto file = folder / (entry.name + ".pt");
        network->save(file);
        other->load(file);
        network->train(false);
        other->train(false);
        Shape batch = entry.input;
        batch.insert(batch.begin(), 2);
        const auto inputs = torch::rand(batch);
        EXPECT_TRUE(torch::equal(network->forward(inputs), other->forward(inputs))) << entry.name;
    }
}

TEST_F(ScriptFiles, AScriptIsSavedAndLoadedAgain) {
    const auto network = network_of_all_kinds();
    network->save(folder / "net.pt");
    const auto loaded = script(folder / "net.pt");
    loaded->save(folder / "again.pt");
    const auto again = script(folder / "again.pt");
    again->load(folder / "net.pt");
    const auto batch = torch::rand({2, 2, 12, 12});
    again->train(false);
    network->train(false);
    EXPECT_TRUE(torch::equal(network->forward(batch), again->forward(batch)));
}

TEST_F(ScriptFiles, DescriptionsNameFileAndParameters) {
    network_of({layer("linear", {{"out", 2}})}, {3})->save(folder / "net.pt");
    EXPECT_EQ(script(folder / "net.pt")->description(),
              "m: TorchScript '" + (folder / "net.pt").string() +
                  "', 8 parameters\n"
                  "  linear1.weight                                 2 x 3\n"
                  "  linear1.bias                                   2\n");
}

TEST_F(ScriptFiles, WeightsOfAnotherArchitectureAreRefused) {
    network_of({layer("linear", {{"out", 2}})}, {3})->save(folder / "net.pt");
    const auto other = network_of({layer("linear", {{"out", 4}})}, {3});
    const auto errors = errors_of([&] { other->load(folder / "net.pt"); });
    EXPECT_EQ(errors.size(), 2u);
    EXPECT_EQ(errors[0].code, "network-weights");
    EXPECT_THAT(errors[0].message, HasSubstr("net.pt"));
}

TEST_F(ScriptFiles, AFileThatCannotBeReadIsAnEnvironmentError) {
    EXPECT_THROW(script(folder / "none.pt"), EnvironmentError);
    EXPECT_THROW(script(folder), EnvironmentError);
    EXPECT_THROW(network_of_all_kinds()->load(folder / "none.pt"), EnvironmentError);
}

TEST_F(ScriptFiles, FilesThatAreNotTorchScriptAreReported) {
    EXPECT_THAT(message_of(write("empty.pt", "")), HasSubstr("not an intact TorchScript file"));
    EXPECT_THAT(message_of(write("text.pt", "weights: none\n")),
                HasSubstr("not an intact TorchScript file"));
}

// Any bytes lead to an error or a network, never to a crash.
TEST_F(ScriptFiles, BrokenFilesAreReported) {
    network_of({layer("linear", {{"out", 2}}), layer("softmax")}, {3})->save(folder / "net.pt");
    const std::string bytes = bytes_of(folder / "net.pt");
    for (std::size_t length = 0; length < bytes.size(); length += 97) {
        EXPECT_THROW(script(write("broken.pt", bytes.substr(0, length))), InputError) << length;
    }
    for (std::size_t at = 0; at < bytes.size(); at += 7) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ 0x41);
        try {
            script(write("broken.pt", changed), {3});
        } catch (const InputError &) {
        }
    }
}

// Torch's own reader would take it for another weight, or crash if it is in the description of the module.
TEST_F(ScriptFiles, AChangedByteInAMemberIsFoundByItsChecksum) {
    network_of({layer("linear", {{"out", 2}}), layer("softmax")}, {3})->save(folder / "net.pt");
    const std::string bytes = bytes_of(folder / "net.pt");
    for (const std::string part : {"/data/0", "/data.pkl", "/code/__torch__.py"}) {
        // after the member's header, whose last two numbers are the lengths of its name and its extra field
        const auto header = bytes.rfind("PK\x03\x04", bytes.find(part));
        ASSERT_NE(header, std::string::npos);
        const auto u16 = [&](std::size_t at) {
            return static_cast<unsigned char>(bytes[at]) +
                   256U * static_cast<unsigned char>(bytes[at + 1]);
        };
        const auto content = header + 30 + u16(header + 26) + u16(header + 28);
        std::string changed = bytes;
        changed[content + 1] = static_cast<char>(changed[content + 1] ^ 1);
        EXPECT_THAT(message_of(write("broken.pt", changed)), HasSubstr(part)) << part;
    }
}

TEST_F(ScriptFiles, ForwardMustTakeOneTensor) {
    const std::string expected =
        "the TorchScript module has no method 'forward' that takes one tensor";
    EXPECT_EQ(message_of(module_file("def backward(self, x: Tensor):\n    return x\n")), expected);
    EXPECT_EQ(message_of(module_file("def forward(self):\n    return 1\n")), expected);
    EXPECT_EQ(message_of(module_file("def forward(self, x: Tensor, y: Tensor):\n    return x\n")),
              expected);
    EXPECT_NO_THROW(
        script(module_file("def forward(self, x: Tensor, k: int = 2):\n    return x * k\n"), {4}));
}

TEST_F(ScriptFiles, AnOutputThatIsNotABatchIsReported) {
    const auto error_of = [&](const std::string &source) {
        const auto error = errors_of([&] { script(module_file(source), {4}); })[0];
        EXPECT_EQ(error.code, "network-output");
        return error.message;
    };
    EXPECT_THAT(error_of("def forward(self, x: Tensor):\n    return (x, x)\n"),
                HasSubstr("returns Tuple"));
    EXPECT_THAT(error_of("def forward(self, x: Tensor):\n    return x.sum()\n"),
                HasSubstr("a single number"));
    EXPECT_THAT(error_of("def forward(self, x: Tensor):\n    return x.flatten()\n"),
                HasSubstr("shape 4"));
}

TEST_F(ScriptFiles, AnInputThatTheScriptCannotTakeIsReported) {
    network_of({layer("linear", {{"out", 2}})}, {3})->save(folder / "net.pt");
    const auto error = errors_of([&] { script(folder / "net.pt", {5}); })[0];
    EXPECT_EQ(error.code, "network-input");
    EXPECT_EQ(error.message,
              "network 'm' cannot take a batch of shape 1 x 5: mat1 and mat2 shapes cannot be "
              "multiplied (1x5 and 3x2)");
}

TEST_F(ScriptFiles, SavingReplacesAFileCompletely) {
    const auto network = network_of({layer("linear", {{"out", 2}})}, {3});
    write("net.pt", "old");
    network->save(folder / "net.pt");
    EXPECT_NO_THROW(script(folder / "net.pt"));
    const auto files = std::filesystem::directory_iterator(folder);
    EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "no temporary file is left";
}

TEST_F(ScriptFiles, AFileThatCannotBeWrittenIsReported) {
    const auto network = network_of({layer("linear", {{"out", 2}})}, {3});
    EXPECT_THROW(network->save(folder / "no" / "net.pt"), EnvironmentError);
    std::filesystem::create_directories(folder / "folder" / "full");
    EXPECT_THROW(network->save(folder / "folder"), EnvironmentError);
    const auto files = std::filesystem::directory_iterator(folder);
    EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "no temporary file is left";
}

} // namespace
} // namespace neurasp::neural
