// Helpers of the tests of networks.
#pragma once

#include "neural/network.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <sstream>
#include <string>

#include <unistd.h>

namespace neurasp::neural {

// A layer on line `line` of "net.toml".
inline data::LayerSpec layer(std::string kind, std::map<std::string, double> numbers = {},
                             std::uint32_t line = 1) {
    return {std::move(kind), std::move(numbers), {"net.toml", line, 1, line, 2}};
}

inline std::unique_ptr<Network> network_of(std::vector<data::LayerSpec> layers,
                                           const Shape &input) {
    data::NetworkSpec spec;
    spec.name = "m";
    spec.layers = std::move(layers);
    return make_network(spec, input);
}

inline std::unique_ptr<Network> preset(const std::string &name, const Shape &input) {
    data::NetworkSpec spec;
    spec.name = "m";
    spec.preset = name;
    return make_network(spec, input);
}

inline std::unique_ptr<Network> script(const std::filesystem::path &file, const Shape &input = {}) {
    data::NetworkSpec spec;
    spec.name = "m";
    spec.script = file.string();
    return make_network(spec, input);
}

// The diagnostics of the InputError that `action` throws.
template <class Action> std::vector<Diagnostic> errors_of(Action action) {
    try {
        action();
    } catch (const InputError &error) {
        return error.diagnostics();
    }
    ADD_FAILURE() << "no InputError";
    return {Diagnostic{}};
}

inline torch::Tensor counting(const Shape &shape) {
    std::int64_t size = 1;
    for (const auto length : shape) size *= length;
    return torch::arange(size, torch::kFloat).div_(static_cast<double>(size)).reshape(shape);
}

// A folder of its own for each test, removed afterwards.
class NetworkFiles : public testing::Test {
  protected:
    NetworkFiles() {
        folder = std::filesystem::temp_directory_path() /
                 ("neurasp-neural-" + std::to_string(::getpid()) + "-" +
                  testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(folder);
    }
    ~NetworkFiles() override {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    }

    static std::string bytes_of(const std::filesystem::path &file) {
        std::ifstream in(file, std::ios::binary);
        std::ostringstream bytes;
        bytes << in.rdbuf();
        return bytes.str();
    }

    std::filesystem::path write(const std::string &name, const std::string &bytes) {
        std::ofstream(folder / name, std::ios::binary) << bytes;
        return folder / name;
    }

    std::filesystem::path folder;
};

} // namespace neurasp::neural
