// Training with rules compared with the bare network: MNIST addition through the trainer and, after each epoch, as
// many batches of supervised training of the same network on the same pictures, in a plain loop with all pictures
// in memory. Both run in turn on one thread; their processor times are compared.
//
// usage: training_bench [--experiment FILE] [--batch N] [--epochs N] [--seed N] [--pairs N] [--bare no] [--name NAME]
//                       [--set KEY=VALUE]...
//
// The experiment is examples/addition/addition.toml, whose data are in the repository; addition-full.toml has
// the whole of MNIST (scripts/fetch-data mnist, examples/addition/make-pairs full). Others need `--bare no`, unless each of
// their examples has pictures of MNIST only; `--pairs 0` takes all examples of the split. The first epoch of both
// sides prepares observations and warms up; it is reported and left out of the ratio. The result is right if digits are read
// far better than by chance after the run, or, where nothing measures that, if the loss became smaller.
#include "data/array_file.hpp"
#include "data/experiment_file.hpp"
#include "learning/trainer.hpp"

#include <ATen/Parallel.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <torch/optim.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>

using namespace neurasp;

namespace {

// The processor time of the only thread, which other work on the machine hardly affects.
double processor_seconds() {
    return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

struct Arguments {
    std::size_t batch = 64;
    std::size_t epochs = 6;
    std::size_t seed = 1;
    std::size_t pairs = 2000;
    bool bare = true;
    std::string name = "addition";
    std::string experiment = "examples/addition/addition.toml";
    std::vector<std::string> settings;
};

Arguments parse(int argc, char **argv) {
    Arguments arguments;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string name = argv[i];
        const std::string value = argv[i + 1];
        if (name == "--experiment") arguments.experiment = value;
        if (name == "--batch") arguments.batch = std::stoul(value);
        if (name == "--epochs") arguments.epochs = std::stoul(value);
        if (name == "--seed") arguments.seed = std::stoul(value);
        if (name == "--pairs") arguments.pairs = std::stoul(value);
        if (name == "--bare") arguments.bare = value != "no";
        if (name == "--name") arguments.name = value;
        if (name == "--set") arguments.settings.push_back(value);
    }
    return arguments;
}

// The name of the labels of these pictures in MNIST.
std::string labels_beside(std::string pictures) {
    const std::string part = "images-idx3";
    return pictures.replace(pictures.rfind(part), part.size(), "labels-idx1");
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
        batch_ *= static_cast<std::int64_t>(order_.size() / dataset.size());
        const auto labels = data::read_array(labels_beside(images.array().name()), {});
        std::vector<std::int64_t> digits;
        for (const std::int64_t row : order_) {
            digits.push_back(labels.integer(static_cast<std::size_t>(row)));
        }
        digits_ = torch::tensor(digits);
        network_ = neural::make_network(experiment.networks.at(0).spec, {1, 28, 28});
        adam_ = std::make_unique<torch::optim::Adam>(network_->parameters(),
                                                     torch::optim::AdamOptions(0.001));
    }
    // One epoch: as many pictures per batch as the examples of the other side have.
    void epoch() {
        const torch::Tensor order = torch::tensor(order_);
        for (std::int64_t first = 0; first < order.size(0); first += batch_) {
            const auto last = std::min(first + batch_, order.size(0));
            adam_->zero_grad();
            const torch::Tensor batch = pictures_.index_select(0, order.slice(0, first, last));
            const torch::Tensor log = network_->forward(batch).log();
            torch::nll_loss(log, digits_.slice(0, first, last)).backward();
            adam_->step();
        }
    }

  private:
    std::int64_t batch_; // pictures
    torch::Tensor pictures_;
    std::vector<std::int64_t> order_;
    torch::Tensor digits_;
    std::unique_ptr<neural::Network> network_;
    std::unique_ptr<torch::optim::Adam> adam_;
};

// Seconds of both sides, epoch by epoch.
struct Epochs {
    std::vector<double> rules;
    std::vector<double> bare;

    // Medians without the first epoch, which compiles and fills caches.
    double rules_median() const { return median(rules); }
    double bare_median() const { return median(bare); }
    double ratio() const {
        std::vector<double> ratios;
        for (std::size_t i = 0; i < rules.size(); ++i) ratios.push_back(rules[i] / bare[i]);
        return median(ratios);
    }

  private:
    static double median(std::vector<double> values) {
        if (values.size() > 1) values.erase(values.begin());
        std::sort(values.begin(), values.end());
        return values[values.size() / 2];
    }
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
    std::vector<std::string> settings = {"seed=" + std::to_string(arguments.seed),
                                         "training.batch_size=" + std::to_string(arguments.batch),
                                         "training.epochs=" + std::to_string(arguments.epochs),
                                         "training.evaluate_every=0",
                                         "training.threads=1",
                                         "output=\"" + output.string() + "\""};
    if (arguments.pairs > 0) {
        settings.push_back("splits.train.rows=\"0:" + std::to_string(arguments.pairs) + "\"");
    }
    settings.insert(settings.end(), arguments.settings.begin(), arguments.settings.end());
    const data::Experiment experiment = data::read_experiment_file(arguments.experiment, settings);
    Epochs epochs;
    double begin = 0.0; // of the epoch that runs
    runs::PhaseSeconds phases;
    std::unique_ptr<Bare> bare;
    learning::TrainerHooks hooks;
    hooks.on_epoch = [&](const runs::EpochRecord &record) {
        epochs.rules.push_back(processor_seconds() - begin);
        phases.data += record.seconds.data;
        phases.network += record.seconds.network;
        phases.symbolic += record.seconds.symbolic;
        phases.compile += record.seconds.compile;
        begin = processor_seconds();
        if (bare) bare->epoch();
        epochs.bare.push_back(processor_seconds() - begin);
        begin = processor_seconds();
    };
    learning::Trainer trainer(experiment, false, hooks);
    const double peak_before = peak_megabytes();
    if (arguments.bare) bare = std::make_unique<Bare>(experiment, arguments.batch);
    begin = processor_seconds();
    const runs::TrainingResult result = trainer.run();
    const std::vector<runs::EpochRecord> &records = result.history.epochs;
    const TrainingStatistics statistics = trainer.step().statistics();
    const double examples = static_cast<double>(records.front().examples);
    nlohmann::ordered_json line{
        {"name", arguments.name + ", batches of " + std::to_string(arguments.batch)},
        {"batch", arguments.batch},
        {"pairs", records.front().examples},
        {"epochs", arguments.epochs},
        {"seed", arguments.seed},
        {"rules_epoch_seconds", epochs.rules_median()},
        {"first_epoch_seconds", epochs.rules.front()},
        {"first_more_per_1000", (epochs.rules.front() - epochs.rules_median()) * 1e3 / examples},
        {"observations", statistics.observations},
        {"in_families", statistics.in_families},
        {"grounded_together", statistics.grounded_together},
        {"symbolic_share", phases.symbolic / phases.total()},
        {"data_share", phases.data / phases.total()},
        {"compile_seconds", phases.compile},
        {"megabytes_before_bare", peak_before},
        {"megabytes", peak_megabytes()}};
    if (bare) {
        line["bare_epoch_seconds"] = epochs.bare_median();
        line["ratio"] = epochs.ratio();
    }
    const auto &evaluations = records.back().evaluations;
    const bool measured = !evaluations.empty() && !evaluations.front().metrics.empty();
    bool correct = records.back().loss < records.front().loss;
    if (measured) {
        line["digit_accuracy"] = evaluations.front().metrics.front().value;
        correct = evaluations.front().metrics.front().value > 0.2;
    }
    line["correct"] = correct;
    line["detail"] = correct    ? ""
                     : measured ? "the network has learned nothing"
                                : "the loss did not become smaller";
    std::cout << line.dump() << std::endl;
    std::filesystem::remove_all(output);
    return correct ? 0 : 1;
}
