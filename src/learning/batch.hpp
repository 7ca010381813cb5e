// Batches: which rows of which arrays go through which network, and what the outputs are used for.
#pragma once

#include "data/dataset.hpp"
#include "learning/experiment_setup.hpp"
#include "neurasp/training.hpp"
#include "runs/experiment_inputs.hpp"

#include <torch/types.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace neurasp::learning {

// The true outcomes of some rows of a network's outputs.
struct BatchLabels {
    std::vector<std::int64_t> rows;
    std::vector<std::int64_t> outcomes; // for each row, one number per event
    std::vector<std::uint32_t> owners;  // for each row, its example in the batch
};

struct Batch {
    std::vector<std::size_t> examples; // their numbers in the dataset
    std::vector<torch::Tensor> inputs; // by network; undefined if the batch does not call it
    std::vector<BatchLabels> labels;   // by network
    std::vector<std::uint32_t> rows;   // `steps` points into it
    std::vector<BatchExample> steps;   // by example
    std::vector<std::vector<std::uint32_t>> owners; // by network and row: index in `examples`
};

class BatchMaker {
  public:
    // `dataset` and `step` must outlive it. Throws: InputError for labels of networks that do not exist.
    BatchMaker(const data::Dataset &dataset, TrainingProgram &step);

    enum class For {
        training,   // calls that log P(O) depends on
        supervised, // also calls with labels
        evaluation, // also all other calls
    };
    // Throws: InputError for a wrong observation or label; LimitError if `stop` is raised while observations
    // are prepared.
    Batch make(std::span<const std::size_t> examples, For purpose, const StopToken &stop = {});
    // From now on, pictures are changed as the experiment's `augment` says. The changes of an example's picture depend
    // on the seed, the example and the picture alone.
    void augment(std::uint64_t seed) { augmentation_ = seed; }
    // The terms of a row, for messages: "i1 of train.csv:17".
    std::string describe_row(const Batch &batch, std::size_t network, std::size_t row) const;

  private:
    // The inputs of an observation's calls, and the call that each label belongs to.
    struct Layout {
        std::vector<std::size_t> inputs;      // by call
        std::vector<std::size_t> label_calls; // by label; calls.size() if it is for no call here
    };
    struct Label {
        std::size_t network = 0;
        std::size_t input = 0;
        std::string terms;
        std::vector<std::vector<std::int64_t>> outcomes; // by distinct text; empty: not read yet
    };
    struct Row {
        std::uint32_t array = 0;
        std::uint32_t row = 0;
        std::uint32_t owner = 0;
    };

    void expect_all();
    void prepare(std::span<const std::size_t> examples, const StopToken &stop);
    ObservationId id_of(std::size_t example) const {
        return *ids_[dataset_.observations().id(example)];
    }
    const Layout &layout_of(ObservationId observation);
    std::span<const std::int64_t> outcomes_of(std::size_t label, std::size_t example);
    torch::Tensor gather(std::span<const Row> rows, std::span<const std::size_t> examples) const;

    const data::Dataset &dataset_;
    TrainingProgram &step_;
    runs::InputTable inputs_;
    std::vector<std::optional<ObservationId>>
        ids_; // by distinct observation; nullopt: not seen yet
    std::map<const PreparedObservation *, Layout>
        layouts_; // observations of a family may share one
    std::vector<Label> labels_;
    std::optional<std::uint64_t> augmentation_; // the seed
};

} // namespace neurasp::learning
