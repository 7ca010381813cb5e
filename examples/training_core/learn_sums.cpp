// A model written by hand learns digits from sums: one layer and a softmax, no framework. For each pair of pictures
// it gets the sum of two digits, never a digit; the rules do the rest. Usage: learn_sums EXAMPLES_FOLDER
#include <neurasp/training.hpp>

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

constexpr std::size_t pixels = 28 * 28, digits = 10, batch_size = 32;

// The bytes of an IDX file after its header.
std::vector<unsigned char> read_idx(const std::string &path, std::size_t head) {
    std::vector<unsigned char> bytes(1 << 23);
    gzFile file = gzopen(path.c_str(), "rb");
    const int count = file == nullptr ? -1 : gzread(file, bytes.data(), 1 << 23);
    gzclose(file);
    if (count < 0) throw std::runtime_error("cannot read " + path);
    bytes.resize(static_cast<std::size_t>(count));
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(head));
    return bytes;
}

struct Pair {
    std::size_t first, second;
    std::string sum;
};

std::vector<Pair> read_pairs(const std::string &path) {
    std::ifstream file(path);
    std::vector<Pair> pairs;
    std::string line, first, second;
    for (std::getline(file, line); std::getline(file, first, ',');) {
        Pair &pair = pairs.emplace_back();
        std::getline(file, second, ',');
        std::getline(file, pair.sum);
        pair.first = std::stoul(first);
        pair.second = std::stoul(second);
    }
    return pairs;
}

// Scores are linear in the pixels; probabilities are their softmax.
struct Model {
    std::vector<float> weights = std::vector<float>(pixels * digits);

    std::vector<float> look_at(const unsigned char *picture) const {
        std::vector<float> p(digits);
        for (std::size_t d = 0; d < digits; ++d) {
            for (std::size_t i = 0; i < pixels; ++i) {
                p[d] += weights[d * pixels + i] * static_cast<float>(picture[i]) / 255.0F;
            }
        }
        const float greatest = *std::max_element(p.begin(), p.end());
        for (float &x : p) x = std::exp(x - greatest);
        const float sum = std::accumulate(p.begin(), p.end(), 0.0F);
        for (float &x : p) x /= sum;
        return p;
    }
    // One step uphill: `gradient` is d log P(O) / d p; by the scores before the softmax, it is p * (gradient - mean
    // gradient).
    void learn(const unsigned char *picture, const float *p, const float *gradient, float rate) {
        const float mean = std::inner_product(p, p + digits, gradient, 0.0F);
        for (std::size_t d = 0; d < digits; ++d) {
            const float change = rate * p[d] * (gradient[d] - mean);
            for (std::size_t i = 0; i < pixels; ++i) {
                weights[d * pixels + i] += change * static_cast<float>(picture[i]) / 255.0F;
            }
        }
    }
};

int main(int argc, char **argv) {
    const std::string folder = argc > 1 ? argv[1] : "examples";
    const std::string mnist = folder + "/data/mnist-subset-";
    const auto pictures = read_idx(mnist + "train-images-idx3-ubyte.gz", 16);
    const auto pairs = read_pairs(folder + "/addition/sums-train.csv");

    // Each distinct sum is grounded and compiled once.
    neurasp::TrainingOptions options;
    options.threads = 2;
    neurasp::TrainingProgram program(
        neurasp::Program::from_files({folder + "/addition/addition.lp"}), options);
    std::vector<neurasp::Observation> observations;
    for (const Pair &pair : pairs) {
        observations.push_back({":- not addition(i1,i2,{}).", {pair.sum}});
    }
    const auto ids = program.prepare(observations);
    std::printf("%zu pairs, %zu different sums\n", pairs.size(), program.statistics().observations);

    Model model;
    std::vector<std::uint32_t> rows(2 * batch_size); // of the batch's outputs, two for each pair
    std::iota(rows.begin(), rows.end(), 0U);
    for (int epoch = 1; epoch <= 4; ++epoch) {
        double sum = 0.0, seen = 0.0;
        for (std::size_t first = 0; first + batch_size <= pairs.size(); first += batch_size) {
            std::vector<float> outputs;
            std::vector<neurasp::BatchExample> examples;
            for (std::size_t e = 0; e < batch_size; ++e) {
                const Pair &pair = pairs[first + e];
                for (const std::size_t picture : {pair.first, pair.second}) {
                    const auto p = model.look_at(&pictures[picture * pixels]);
                    outputs.insert(outputs.end(), p.begin(), p.end());
                }
                // one row for each of the observation's calls; program.at(id).calls says which is which, but
                // in a sum neither picture comes first
                examples.push_back({ids[first + e], std::span(rows).subspan(2 * e, 2)});
            }
            std::vector<float> gradients(outputs.size());
            std::vector<double> log(batch_size);
            const neurasp::NetworkShape &shape = program.networks()[0];
            program.run({{neurasp::Rows<const float>::contiguous(outputs, shape)}, {}, examples},
                        neurasp::TrainingResult<float>{
                            log, {}, {neurasp::Rows<float>::contiguous(gradients, shape)}, {}});
            sum += std::accumulate(log.begin(), log.end(), 0.0);
            seen += batch_size;
            for (std::size_t e = 0; e < 2 * batch_size; ++e) {
                const Pair &pair = pairs[first + e / 2];
                const std::size_t picture = e % 2 == 0 ? pair.first : pair.second;
                model.learn(&pictures[picture * pixels], &outputs[e * digits],
                            &gradients[e * digits], 0.02F);
            }
        }
        std::printf("epoch %d: mean log P(O) %.3f\n", epoch, sum / seen);
    }

    const auto test = read_idx(mnist + "test-images-idx3-ubyte.gz", 16);
    const auto labels = read_idx(mnist + "test-labels-idx1-ubyte.gz", 8);
    std::size_t right = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const auto p = model.look_at(&test[i * pixels]);
        right += std::max_element(p.begin(), p.end()) - p.begin() == labels[i] ? 1 : 0;
    }
    std::printf("%zu %% of %zu new digits recognised\n", 100 * right / labels.size(),
                labels.size());
}
