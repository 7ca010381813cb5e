// Training with rules against the bare network: MNIST addition through the trainer, and after each epoch as
// many batches of supervised training of the same network on the same pictures, by hand, with all pictures
// ready in memory. Both run in turn on one thread, so that a noisy machine disturbs them alike.
//
// usage: training_bench [--batch N] [--epochs N] [--seed N] [--pairs N] [--folder DIR]
//
// Reads data/mnist and data/addition (scripts/fetch-data mnist, examples/addition/make-pairs full).
// The result is right if digits are read better than by chance after the run.
#include "data/array_file.hpp"
#include "data/experiment_file.hpp"
#include "learning/trainer.hpp"

#include <ATen/Parallel.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <torch/optim.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>

using namespace neurasp;

namespace {

using Clock = std::chrono::steady_clock;

struct Arguments {
    std::size_t batch = 64;
    std::size_t epochs = 3;
    std::size_t seed = 1;
    std::size_t pairs = 30'000;
    std::string folder = ".";
};

Arguments parse(int argc, char **argv) {
    Arguments arguments;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string name = argv[i];
        const std::string value = argv[i + 1];
        if (name == "--folder") arguments.folder = value;
        if (name == "--batch") arguments.batch = std::stoul(value);
        if (name == "--epochs") arguments.epochs = std::stoul(value);
        if (name == "--seed") arguments.seed = std::stoul(value);
        if (name == "--pairs") arguments.pairs = std::stoul(value);
    }
    return arguments;
}

// The network alone, on labelled pictures.
class Bare {
  public:
    Bare(const data::Experiment &experiment, std::size_t batch)
        : batch_(static_cast<std::int64_t>(batch)) {
        data::ArrayStore arrays;
        const data::Dataset dataset(experiment, "train", arrays);
        const data::DatasetArray &images = dataset.arrays().at(0);
        pictures_ = torch::empty({static_cast<std::int64_t>(images.array().rows()), 1, 28, 28});
        for (std::size_t i = 0; i < images.array().rows(); ++i) {
            images.copy_input(i, {pictures_.data_ptr<float>() + i * 784, 784});
        }
        for (std::size_t e = 0; e < dataset.size(); ++e) {
            for (const std::uint32_t row : dataset.rows(e)) order_.push_back(row);
        }
        const auto labels = data::read_array(
            (std::filesystem::path(images.array().name()).parent_path() / "train-labels-idx1-ubyte")
                .string(),
            {});
        std::vector<std::int64_t> digits;
        for (const std::int64_t row : order_) {
            digits.push_back(labels.integer(static_cast<std::size_t>(row)));
        }
        digits_ = torch::tensor(digits);
        network_ = neural::make_network(experiment.networks.at(0).spec, {1, 28, 28});
        adam_ = std::make_unique<torch::optim::Adam>(network_->parameters(),
                                                     torch::optim::AdamOptions(0.001));
    }
    // One epoch: as many pictures per batch as the pairs of the other side have.
    double epoch() {
        const auto begin = Clock::now();
        const torch::Tensor order = torch::tensor(order_);
        for (std::int64_t first = 0; first < order.size(0); first += 2 * batch_) {
            const auto last = std::min(first + 2 * batch_, order.size(0));
            adam_->zero_grad();
            const torch::Tensor batch = pictures_.index_select(0, order.slice(0, first, last));
            const torch::Tensor log = network_->forward(batch).log();
            torch::nll_loss(log, digits_.slice(0, first, last)).backward();
            adam_->step();
        }
        return std::chrono::duration<double>(Clock::now() - begin).count();
    }

  private:
    std::int64_t batch_;
    torch::Tensor pictures_;
    std::vector<std::int64_t> order_;
    torch::Tensor digits_;
    std::unique_ptr<neural::Network> network_;
    std::unique_ptr<torch::optim::Adam> adam_;
};

double peak_megabytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

} // namespace

int main(int argc, char **argv) {
    const Arguments arguments = parse(argc, argv);
    const auto output = std::filesystem::temp_directory_path() /
                        ("neurasp-training-bench-" + std::to_string(arguments.seed));
    const data::Experiment experiment = data::read_experiment_file(
        arguments.folder + "/examples/addition/addition-full.toml",
        std::vector<std::string>{"seed=" + std::to_string(arguments.seed),
                                 "training.batch_size=" + std::to_string(arguments.batch),
                                 "training.epochs=" + std::to_string(arguments.epochs),
                                 "splits.train.rows=\"0:" + std::to_string(arguments.pairs) + "\"",
                                 "output=\"" + output.string() + "\""});
    double bare_seconds = 0.0;
    double rule_seconds = 0.0;
    learning::PhaseSeconds phases;
    std::unique_ptr<Bare> bare;
    learning::TrainerHooks hooks;
    hooks.on_epoch = [&](const learning::EpochRecord &record) {
        rule_seconds += record.seconds.total();
        phases.data += record.seconds.data;
        phases.network += record.seconds.network;
        phases.symbolic += record.seconds.symbolic;
        phases.compile += record.seconds.compile;
        const double alone = bare->epoch();
        bare_seconds += alone;
        std::cerr << "epoch " << record.epoch << ": rules " << record.seconds.total() << " s, bare "
                  << alone << " s\n";
    };
    learning::Trainer trainer(experiment, false, hooks);
    const double peak_before = peak_megabytes();
    bare = std::make_unique<Bare>(experiment, arguments.batch);
    const learning::TrainingResult result = trainer.run();
    const auto &metrics = result.history.epochs.back().evaluations.at(0).metrics;
    nlohmann::ordered_json line{{"name", "addition"},
                                {"batch", arguments.batch},
                                {"pairs", arguments.pairs},
                                {"epochs", arguments.epochs},
                                {"seed", arguments.seed},
                                {"rules_seconds", rule_seconds},
                                {"bare_seconds", bare_seconds},
                                {"ratio", rule_seconds / bare_seconds},
                                {"symbolic_share", phases.symbolic / rule_seconds},
                                {"data_share", phases.data / rule_seconds},
                                {"compile_seconds", phases.compile},
                                {"digit_accuracy", metrics.at(0).value},
                                {"megabytes_before_bare", peak_before},
                                {"megabytes", peak_megabytes()}};
    const bool correct = metrics.at(0).value > 0.2;
    line["correct"] = correct;
    std::cout << line.dump() << std::endl;
    std::filesystem::remove_all(output);
    return correct ? 0 : 1;
}
