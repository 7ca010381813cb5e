// The small task with a split for validation, also with pictures, and its gradients by hand.
#pragma once

#include "learning/small_task.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace neurasp::learning {

// The small task with a split to choose weights by.
inline std::string with_validation(const std::string &text) {
    return text + R"toml([splits.validation]
table = "pairs.csv"
rows = "0:10"
[splits.validation.arrays]
points = {file = "points.csv"}
labels = {file = "labels.csv"}
)toml";
}

class HabitsTest : public TrainerTest {
  protected:
    data::Experiment settings(std::vector<std::string> assignments) const {
        return experiment(assignments, with_validation(toml()));
    }
    void write_noisy_sums() const {
        std::string pairs = "a,b,sum\n";
        for (std::size_t i = 0; i < 20; i += 2) {
            const int sum = kinds_[i] + kinds_[i + 1];
            pairs += std::to_string(i) + "," + std::to_string(i + 1) + "," +
                     std::to_string(i < 8 ? (sum + 1) % 5 : sum) + "\n";
        }
        write("noisy.csv", pairs);
    }
    static double value(const runs::EpochRecord &epoch, const std::string &name) {
        for (const runs::Evaluation &evaluation : epoch.evaluations) {
            if (evaluation.split == "validation") return metric(evaluation, name);
        }
        ADD_FAILURE() << "no evaluation on validation";
        return 0.0;
    }
    // The points as pictures of 3 x 3 pixels: the brightest row is the kind.
    void write_pictures() const {
        std::string bytes("\0\0\x08\x03\0\0\0\x3c\0\0\0\x03\0\0\0\x03", 16); // IDX: 60 x 3 x 3
        for (int i = 0; i < 60; ++i) {
            for (int p = 0; p < 9; ++p) {
                const int noise = (i * 37 + p * 11) % 60;
                bytes += static_cast<char>(
                    (p / 3 == kinds_[static_cast<std::size_t>(i)] ? 190 : 0) + noise);
            }
        }
        write("pictures.idx", bytes);
    }
    // The task with these pictures; `train` has more settings for those of the split train.
    std::string picture_task(const std::string &train = "") const {
        std::string text = with_validation(toml());
        const std::string array = "points = {file = \"points.csv\"}";
        std::string more = train;
        for (std::size_t at = 0; (at = text.find(array, at)) != std::string::npos;) {
            text.replace(at, array.size(),
                         "points = {file = \"pictures.idx\", scale = 255" + more + "}");
            more.clear();
        }
        const std::string first = "[{kind=\"linear\"";
        return text.replace(text.find(first), first.size(),
                            "[{kind=\"flatten\"}, {kind=\"linear\"");
    }
    std::vector<torch::Tensor> first_weights(Trainer &trainer) const {
        std::vector<torch::Tensor> own;
        for (const auto &[name, tensor] : trainer.model().networks()[0]->state()) {
            own.push_back(tensor.to(torch::kDouble));
        }
        return own;
    }
};

inline std::vector<std::string> with(std::vector<std::string> first,
                                     const std::vector<std::string> &more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
}

// The numbers of the points, and the gradient of the mean cross-entropy of a linear layer with softmax.
struct LinearTask {
    torch::Tensor points = torch::empty({60, 3}, torch::kDouble);
    torch::Tensor truth;

    LinearTask(const std::filesystem::path &file, const std::vector<int> &kinds)
        : truth(torch::tensor(std::vector<std::int64_t>(kinds.begin(), kinds.end()))) {
        std::ifstream in(file);
        for (int i = 0; i < 60; ++i) {
            for (int c = 0; c < 3; ++c) {
                double x = 0;
                in >> x;
                in.get();
                points[i][c] = x;
            }
        }
    }
    // By weights and bias, for points [first, last).
    std::vector<torch::Tensor> gradient(const std::vector<torch::Tensor> &own, int first,
                                        int last) const {
        const torch::Tensor x = points.slice(0, first, last);
        const torch::Tensor p = (x.matmul(own[0].t()) + own[1]).softmax(1);
        const torch::Tensor y =
            torch::zeros_like(p).scatter_(1, truth.slice(0, first, last).view({-1, 1}), 1.0);
        const torch::Tensor d = (p - y) / static_cast<double>(last - first);
        return {d.t().matmul(x), d.sum(0)};
    }
};

} // namespace neurasp::learning
