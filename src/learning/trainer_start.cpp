// The start of a run. Everything that can be wrong with an experiment is tried on one example of each split: its
// observation, the networks on its inputs, its labels, queries and constraints. Only if all of that works is the output
// folder opened, so a run that cannot work leaves an earlier one as it is.
#include "learning/trainer.hpp"

#include "runs/old_run.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <fmt/format.h>
#include <torch/utils.h>

#include <array>
#include <filesystem>

namespace neurasp::learning {

namespace {

std::string in_output(const data::Experiment &experiment, const char *name) {
    return (std::filesystem::path(experiment.output.path) / name).string();
}

// A script may draw random numbers; trying it must not change those of the run.
class SameRandomNumbers {
  public:
    SameRandomNumbers() : state_(generator().get_state()) {}
    ~SameRandomNumbers() { generator().set_state(state_); }
    SameRandomNumbers(const SameRandomNumbers &) = delete;
    SameRandomNumbers &operator=(const SameRandomNumbers &) = delete;

  private:
    static at::Generator generator() { return at::detail::getDefaultCPUGenerator(); }

    torch::Tensor state_;
};

} // namespace

std::string Trainer::checkpoint_file(const data::Experiment &experiment) {
    return in_output(experiment, runs::checkpoint_name);
}

void Trainer::validate() {
    const double alpha = experiment_.training.alpha;
    if (alpha > 0.0 && dataset_.labels().empty()) {
        Diagnostic diagnostic;
        diagnostic.code = "no-labels";
        diagnostic.message =
            fmt::format("training.alpha is {}, but the split 'train' has no labels", alpha);
        diagnostic.location.file = experiment_.file;
        diagnostic.hint = "add [example.labels] and the arrays or columns that they name";
        throw InputError(std::move(diagnostic));
    }
    const torch::NoGradGuard guard;
    const SameRandomNumbers same;
    model_.train(false); // statistics of batch normalisation stay as they are
    if (dataset_.size() > 0) {
        constexpr std::array<std::size_t, 1> first{0};
        const auto purpose = alpha > 0.0 ? BatchMaker::For::supervised : BatchMaker::For::training;
        const Batch batch = maker_.make(first, purpose, hooks_.stop);
        model_.run(maker_, batch);
    }
    for (const auto &evaluator : evaluators_) evaluator->validate(model_);
    model_.train(true);
}

void Trainer::open_folder(bool resume, OldRun old) {
    const std::string &folder = experiment_.output.path;
    const std::string log = in_output(experiment_, "log.jsonl");
    if (!resume) {
        folder_.emplace(folder);
        if (old == OldRun::keep) runs::require_no_run(experiment_);
        log_.emplace(log);
        return;
    }
    // A folder that is not there is not created for the error that there is nothing to resume.
    std::error_code unknown;
    if (std::filesystem::exists(folder, unknown)) folder_.emplace(folder);
    progress_ = load_checkpoint(checkpoint_file(experiment_), fingerprint_, model_, optimizers_);
    seconds_before_ = progress_.seconds;
    log_.emplace(log, progress_.log_position);
}

} // namespace neurasp::learning
