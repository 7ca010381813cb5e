// The task that the tests of training share.
#pragma once

#include "data/experiment_file.hpp"
#include "learning/trainer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

namespace neurasp::learning {

// A folder of its own with a task: three kinds of points, learned from the sums of two of them.
class TrainerTest : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
        std::replace(name.begin(), name.end(), '/', '-'); // in names of parameterised tests
        folder_ = std::filesystem::temp_directory_path() /
                  ("neurasp-trainer-" + name + "-" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_);
        write("sum.lp", R"(img(i1). img(i2).
nn(kind(1,X),[0,1,2]) :- img(X).
sum(S) :- kind(0,i1,A), kind(0,i2,B), S = A + B.)");
        std::string points;
        std::string labels;
        std::string pairs = "a,b,sum\n";
        for (int i = 0; i < 60; ++i) {
            const int kind = (i % 2 == 0 ? i / 2 : i / 6) % 3; // pairs in all combinations
            for (int c = 0; c < 3; ++c) {
                const double noise = 0.1 * std::sin(12.9898 * (3 * i + c));
                points += (c > 0 ? "," : "") + std::to_string((c == kind ? 1.0 : 0.0) + noise);
            }
            points += "\n";
            labels += std::to_string(kind) + "\n";
            kinds_.push_back(kind);
        }
        for (int i = 0; i < 60; i += 2) {
            pairs += std::to_string(i) + "," + std::to_string(i + 1) + "," +
                     std::to_string(kinds_[i] + kinds_[i + 1]) + "\n";
        }
        write("points.csv", points);
        write("labels.csv", labels);
        write("pairs.csv", pairs);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    void write(const std::string &name, const std::string &text) const {
        std::ofstream(folder_ / name) << text;
    }
    static std::string toml() {
        return R"toml(program = "sum.lp"
output = "out"
seed = 3
[networks.kind]
layers = [{kind="linear", out=3}, {kind="softmax"}]
optimizer = {kind="adam", learning_rate=0.1}
[example]
observation = ":- not sum({sum})."
[example.inputs]
i1 = "points[a]"
i2 = "points[b]"
[example.labels]
"kind(i1)" = "labels[a]"
"kind(i2)" = "labels[b]"
[splits.train]
table = "pairs.csv"
[splits.train.arrays]
points = {file = "points.csv"}
labels = {file = "labels.csv"}
[splits.test]
table = "pairs.csv"
[splits.test.arrays]
points = {file = "points.csv"}
labels = {file = "labels.csv"}
[training]
batch_size = 8
epochs = 12
[evaluation]
queries = [{name = "sums", query = "sum({sum})"}]
constraints = [{name = "even", text = ":- sum(S), S \\ 2 = 1."}]
)toml";
    }
    data::Experiment experiment(const std::vector<std::string> &assignments = {},
                                const std::string &text = toml()) const {
        return data::read_experiment(text, (folder_ / "x.toml").string(), assignments);
    }
    static std::vector<float> weights(Trainer &trainer) {
        std::vector<float> all;
        for (const auto &network : trainer.model().networks()) {
            for (const auto &[name, tensor] : network->state()) {
                const torch::Tensor flat = tensor.contiguous().to(torch::kFloat);
                all.insert(all.end(), flat.data_ptr<float>(),
                           flat.data_ptr<float>() + flat.numel());
            }
        }
        return all;
    }
    static double metric(const runs::Evaluation &evaluation, const std::string &name) {
        for (const runs::Metric &metric : evaluation.metrics) {
            if (metric.name == name) return metric.value;
        }
        ADD_FAILURE() << "no metric " << name;
        return -1.0;
    }

    std::filesystem::path folder_;
    std::vector<int> kinds_;
};

} // namespace neurasp::learning
