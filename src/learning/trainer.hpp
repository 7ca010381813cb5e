// Training: mini-batches through networks and rules, with a log, checkpoints and evaluations on the way.
#pragma once

#include "base/stopwatch.hpp"
#include "data/dataset.hpp"
#include "learning/checkpoint.hpp"
#include "learning/evaluation.hpp"
#include "learning/experiment_warnings.hpp"
#include "learning/supervised_loss.hpp"
#include "runs/history.hpp"
#include "runs/run_folder.hpp"
#include "runs/run_log.hpp"

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace neurasp::learning {

// The state of a run, for callers that show it.
struct TrainingView {
    std::size_t epoch = 0; // from 1
    std::size_t epochs = 0;
    std::size_t batch = 0; // done in this epoch
    std::size_t batches = 0;
    double loss = 0.0; // mean of this epoch so far
    double examples_per_second = 0.0;
    double seconds_left = 0.0;      // of the whole run, estimated
    std::optional<double> accuracy; // the first share of the last evaluation
};

struct TrainerHooks {
    std::function<void(const TrainingView &)> on_batch;
    std::function<void(const runs::EpochRecord &)> on_epoch;
    std::function<void(const std::string &code, const std::string &message)> on_warning;
    // About the program or an observation, with its place.
    std::function<void(const Diagnostic &)> on_diagnostic;
    StopToken stop;                    // checked after every batch, and within long ones
    std::function<std::string()> time; // now, for the log
};

// What happens to an earlier run in the output folder, unless it is resumed.
enum class OldRun { replace, keep };

class Trainer {
  public:
    // Reads the data, creates everything and tries it on one example (trainer_start.cpp); only then is the
    // output folder touched. With `resume`, continues from the checkpoint in that folder.
    // Throws: InputError; EnvironmentError, also if another run is writing to that folder, or if an earlier run is in
    // it that is to be kept.
    Trainer(const data::Experiment &experiment, bool resume, TrainerHooks hooks,
            OldRun old = OldRun::replace);

    // Trains until the last epoch, or until it is stopped; leaves checkpoint, weights and log in the output
    // folder. Throws: InputError, EnvironmentError.
    runs::TrainingResult run();

    // The run so far, for the log and the report.
    runs::RunSummary summary();
    // Examples to look at: of the last split other than train, or of train if there is no other.
    std::vector<runs::SamplePrediction> predictions(std::size_t count);
    Model &model() noexcept { return model_; }
    const Progress &progress() const noexcept { return progress_; }
    const TrainingProgram &step() const noexcept { return step_; }

    static std::string checkpoint_file(const data::Experiment &experiment);

  private:
    void validate(); // on one example of each split. Throws: InputError
    void open_folder(bool resume, OldRun old);
    void run_to_the_end(runs::TrainingResult &result);
    bool run_epoch(); // false: stopped
    bool stop_wanted() const;
    std::size_t steps_per_epoch() const;
    bool train_batch(std::span<const std::size_t> examples); // false: stopped, nothing was changed
    // Throws: LimitError if it is stopped. `on_prepared` is called before anything changes.
    void train_on(std::span<const std::size_t> examples,
                  const std::function<void(const Batch &)> &on_prepared);
    // Batches whose gradients make one step, and what they have in common.
    struct Step {
        std::vector<Batch> batches;
        std::size_t examples = 0;
        std::size_t possible = 0;  // examples, in the batches done so far
        double label_weight = 0.0; // of all batches
    };
    Step make_step(std::span<const std::size_t> examples);
    // The loss of one batch as a part of the step's loss; undefined if there is none.
    torch::Tensor loss_of(Step &step, std::size_t part, const std::vector<torch::Tensor> &outputs);
    torch::Tensor semantic_part(Step &step, std::size_t part,
                                const std::vector<torch::Tensor> &outputs);
    double add_gradients(Step &step, std::size_t part); // returns its part of the loss
    double correct_for_impossible(const Step &step);    // returns the factor of the loss
    std::vector<torch::Tensor> run_networks(const Batch &batch);
    void warn_of_no_gradient(const std::vector<torch::Tensor> &outputs);
    void move_weights();         // an optimiser step
    void require_finite() const; // checks the networks. Throws: InputError (training-diverged)
    // The hint tells users to lower `setting`.
    [[noreturn]] void fail_diverged(const std::string &how, const std::string &setting) const;
    static std::string rate_of(const neural::Network &network); // that setting of a network
    void warn(const std::string &code, const std::string &message);
    void warn_of_program(); // and of observations that were met so far
    void note_impossible(const Batch &batch, std::span<const double> log_probability);
    void finish_batch(std::size_t examples, double loss, double seconds);
    void finish_epoch();
    void evaluate(runs::EpochRecord &record);
    void evaluate_early(std::size_t batches); // within an epoch of `batches`, if it is due
    bool evaluation_is_due() const;           // after the complete epochs
    // Keeps the weights if no evaluation so far was better.
    void judge(const runs::Evaluation &evaluation, double epoch);
    void keep_confusions(runs::Evaluation &evaluation);
    bool is_out_of_patience() const;
    std::string reason_to_stop() const; // empty, or why training ended before its last epoch
    void show(std::size_t batches);
    void checkpoint();
    void set_learning_rates();
    std::vector<std::size_t> order_of(std::size_t epoch) const;

    const data::Experiment &experiment_;
    std::optional<runs::RunFolder> folder_;
    TrainerHooks hooks_;
    data::ArrayStore arrays_;
    TrainingProgram step_;
    data::Dataset dataset_;
    Model model_;
    BatchMaker maker_;
    Optimizers optimizers_; // by network; null for those that are not trained
    // Tensors that are not finite from the start, such as masks, as (network, name).
    std::set<std::pair<std::string, std::string>> constants_;
    std::set<std::size_t> without_gradient_; // networks already warned about
    Progress progress_;
    std::string fingerprint_;
    std::optional<runs::RunLog> log_;
    std::vector<std::unique_ptr<Evaluator>> evaluators_;
    SupervisedLoss supervised_;
    ExperimentWarnings warnings_{step_};
    base::Stopwatch stopwatch_;   // since this process began or resumed the run
    double seconds_before_ = 0.0; // of the run, until it was resumed
};

// Whether models are enumerated for one of the batch's observations, which may take arbitrarily long.
bool needs_enumeration(const TrainingProgram &program, const Batch &batch);

inline bool is_finite(const torch::Tensor &tensor) {
    return torch::isfinite(tensor).all().item<bool>();
}

} // namespace neurasp::learning
