// The parts of python_exchange.py that need this library; skipped unless that script passes its folder.
#include "neural/random.hpp"
#include "neural/testing.hpp"

#include <cstdlib>

namespace neurasp::neural {
namespace {

std::filesystem::path exchange_folder() {
    const char *folder = std::getenv("NEURASP_EXCHANGE_FOLDER");
    return folder == nullptr ? "" : folder;
}

void write_floats(const std::filesystem::path &file, const torch::Tensor &tensor) {
    const auto numbers = tensor.detach().to(torch::kFloat).contiguous();
    std::ofstream out(file, std::ios::binary);
    out.write(static_cast<const char *>(numbers.data_ptr()),
              static_cast<std::streamsize>(numbers.nbytes()));
}

torch::Tensor read_floats(const std::filesystem::path &file, const Shape &shape) {
    torch::Tensor numbers = torch::zeros(shape, torch::kFloat);
    std::ifstream in(file, std::ios::binary);
    in.read(static_cast<char *>(numbers.data_ptr()),
            static_cast<std::streamsize>(numbers.nbytes()));
    EXPECT_TRUE(in.good());
    return numbers;
}

TEST(PythonExchange, WritesANetworkForPython) {
    const auto folder = exchange_folder();
    if (folder.empty()) GTEST_SKIP();
    seed_everything(7);
    const auto network = preset("digit-cnn", {1, 28, 28});
    network->save(folder / "ours.pt");
    const auto batch = counting({3, 1, 28, 28});
    write_floats(folder / "ours.input", batch);
    write_floats(folder / "ours.output", network->forward(batch));
}

TEST(PythonExchange, ReadsANetworkOfPython) {
    const auto folder = exchange_folder();
    if (folder.empty()) GTEST_SKIP();
    const auto network = script(folder / "theirs.pt", {5});
    network->train(false);
    const auto output = network->forward(read_floats(folder / "theirs.input", {4, 5}));
    EXPECT_TRUE(torch::allclose(output, read_floats(folder / "theirs.output", {4, 3}), 1e-6, 1e-7));
    const auto broken = errors_of([&] { script(folder / "weights.pt"); })[0];
    EXPECT_EQ(broken.code, "network-file");
}

} // namespace
} // namespace neurasp::neural
