// Evaluation of a model on a split: metrics, and predictions to look at.
#pragma once

#include "data/dataset.hpp"
#include "learning/model.hpp"
#include "runs/history.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::learning {

// Prepared once and asked the same questions at every evaluation, so that nothing is grounded twice.
//
// Metrics: for each network with labels, the share of events (and, if there are several, of whole outputs) whose
// most probable outcome is right, its confusion matrix, and metrics that follow from the matrix; for each query, the
// share of examples whose most probable stable model satisfies it (and the share of examples where the model found is
// not proven to be the most probable); for each set of constraints, the share of examples whose most probable outcomes
// satisfy it together with the program; the mean log P(O) over examples with P(O) > 0, and the share of examples with
// P(O) = 0; and the counts of one_by_one.hpp. All except those of labels are measured only if the experiment asks for
// them.
// Queries and constraints see the facts of an observation, not its constraints.
class Evaluator {
  public:
    // The examples to predict, and limits on the effort.
    struct Sample {
        std::size_t first = 0;
        std::size_t count = 0;
        std::optional<double> seconds;             // for all searches for models
        std::size_t longest_conclusion = SIZE_MAX; // in characters
    };

    // Throws: InputError, EnvironmentError.
    Evaluator(const data::Experiment &experiment, std::string_view split, data::ArrayStore &arrays,
              TrainingProgram &step);
    ~Evaluator();

    // Tries on the first example everything that `run` asks for, but answers no question, so it is quick.
    // Throws: InputError.
    void validate(Model &model);
    // If `stop` is raised, the metrics are those of the examples seen so far.
    runs::Evaluation run(Model &model, const StopToken &stop = {});
    // Examples with the predictions of the networks and of the program.
    std::vector<runs::SamplePrediction> predictions(Model &model, const Sample &sample);
    // So many examples, those with mistakes first, as far as a look at the first few hundred shows them.
    // `sample.seconds` is for all searches; finding more mistakes takes at most a part of it.
    std::vector<runs::SamplePrediction> mistakes_first(Model &model, const Sample &sample);
    const data::Dataset &dataset() const noexcept { return dataset_; }
    const std::string &split() const noexcept { return split_; }

  private:
    struct Counts;
    struct ConstraintSet;
    std::optional<Batch> make_batch(std::span<const std::size_t> examples, const StopToken &stop);
    Question queries_of(const std::vector<Observation> &observed, std::size_t example);
    void count_labels(const Batch &batch, const std::vector<torch::Tensor> &outputs,
                      Counts &counts) const;
    void count_probabilities(const TrainingBatch<float> &numbers, Counts &counts,
                             const StopToken &stop);
    void count_queries(const std::vector<Observation> &observed, std::size_t example,
                       const NetworkOutputs &outputs, Counts &counts, const StopToken &stop);
    void count_answers(const Batch &batch, const TrainingBatch<float> &numbers, Counts &counts,
                       const StopToken &stop);
    std::vector<runs::Metric> label_metrics(const Counts &counts,
                                            const std::vector<runs::Confusion> &confusions) const;
    std::vector<runs::Confusion> confusions(const Counts &counts) const;
    void add_answer_metrics(const Counts &counts, std::vector<runs::Metric> &metrics) const;
    Settings settings() const;
    Limits limits(const StopToken &stop) const;

    const data::Experiment &experiment_;
    TrainingProgram &step_;
    data::Dataset dataset_;
    BatchMaker maker_;
    std::string split_;
    std::vector<ConstraintSet> constraints_;
};

} // namespace neurasp::learning
