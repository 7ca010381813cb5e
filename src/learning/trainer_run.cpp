// The course of a training run: epochs, evaluations, checkpoints, log and progress.
#include "learning/trainer.hpp"

#include "base/atomic_file.hpp"
#include "base/counted.hpp"
#include "base/option_names.hpp"
#include "protocol/experiment_json.hpp"
#include "protocol/run_events.hpp"
#include "runs/best_evaluation.hpp"
#include "runs/epochs_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace neurasp::learning {

void Trainer::show(std::size_t batches) {
    if (!hooks_.on_batch) return;
    const runs::EpochRecord &record = progress_.current;
    TrainingView view;
    view.epoch = progress_.epoch + 1;
    view.epochs = experiment_.training.epochs;
    view.batch = progress_.batch;
    view.batches = batches;
    view.loss = record.loss / static_cast<double>(std::max<std::size_t>(record.examples, 1));
    const double seconds = std::max(record.seconds.total(), 1e-9);
    view.examples_per_second = static_cast<double>(record.examples) / seconds;
    const double left = static_cast<double>(batches - progress_.batch) +
                        static_cast<double>((view.epochs - view.epoch) * batches);
    view.seconds_left =
        left * seconds / static_cast<double>(std::max<std::size_t>(record.batches, 1));
    for (const runs::EpochRecord &epoch : progress_.history.epochs) {
        for (const runs::Evaluation &evaluation : epoch.evaluations) {
            if (!evaluation.metrics.empty() && evaluation.metrics.front().is_share) {
                view.accuracy = evaluation.metrics.front().value;
            }
        }
    }
    hooks_.on_batch(view);
}

std::size_t Trainer::steps_per_epoch() const {
    const std::size_t size = step_size(experiment_.training);
    return (dataset_.size() + size - 1) / size;
}

bool Trainer::run_epoch() {
    const std::size_t size = step_size(experiment_.training);
    const std::size_t batches = steps_per_epoch();
    const std::vector<std::size_t> order = order_of(progress_.epoch);
    const std::uint64_t epoch_seed[] = {experiment_.seed, progress_.epoch};
    maker_.augment(data::mixed_seed(epoch_seed));
    model_.train(true);
    if (progress_.batch > 0) evaluate_early(batches); // if an evaluation was interrupted
    while (progress_.batch < batches) {
        set_learning_rates();
        const std::size_t first = progress_.batch * size;
        const auto next = std::span(order).subspan(first, std::min(size, order.size() - first));
        if (!train_batch(next)) return false;
        show(batches);
        evaluate_early(batches);
        if (stop_wanted() && progress_.batch < batches) return false;
    }
    finish_epoch();
    return !stop_wanted();
}

bool Trainer::stop_wanted() const {
    const std::size_t most = experiment_.training.stop_after;
    return hooks_.stop.raised() || (most > 0 && progress_.batches >= most) || is_out_of_patience();
}

bool Trainer::is_out_of_patience() const {
    return is_patience_exhausted(progress_.history, experiment_.training.patience);
}

void Trainer::finish_epoch() {
    runs::EpochRecord record = std::move(progress_.current);
    progress_.current = {};
    progress_.batch = 0;
    record.epoch = ++progress_.epoch;
    const double examples = static_cast<double>(std::max<std::size_t>(record.examples, 1));
    record.loss /= examples;
    record.mean_log_probability /=
        static_cast<double>(std::max<std::size_t>(record.examples - record.impossible, 1));
    log_->append(protocol::epoch_event(record));
    const bool last = progress_.epoch == experiment_.training.epochs;
    if (evaluation_is_due()) evaluate(record);
    warn_of_program();
    if (hooks_.on_epoch) hooks_.on_epoch(record);
    progress_.history.epochs.push_back(std::move(record));
    const std::size_t keep = experiment_.training.checkpoint_every;
    if (last || (keep > 0 && progress_.epoch % keep == 0)) checkpoint();
}

bool Trainer::evaluation_is_due() const {
    const std::size_t every = experiment_.training.evaluate_every;
    return progress_.epoch == experiment_.training.epochs ||
           (every > 0 && progress_.epoch % every == 0);
}

// Skips splits that were evaluated before an interruption.
void Trainer::evaluate(runs::EpochRecord &record) {
    for (const auto &evaluator : evaluators_) {
        const bool done = std::any_of(
            record.evaluations.begin(), record.evaluations.end(),
            [&](const runs::Evaluation &known) { return known.split == evaluator->split(); });
        if (done) continue;
        runs::Evaluation evaluation = evaluator->run(model_, hooks_.stop);
        if (hooks_.stop.raised()) break; // the evaluation may be incomplete
        log_->append(protocol::evaluation_event(record.epoch, progress_.batches, evaluation));
        record.evaluations.push_back(std::move(evaluation));
    }
    for (runs::Evaluation &evaluation : record.evaluations) {
        judge(evaluation, static_cast<double>(record.epoch));
    }
    for (runs::Evaluation &evaluation : record.evaluations) keep_confusions(evaluation);
    model_.train(true);
}

// Those of the weights that are kept; the history of evaluations does without them.
void Trainer::keep_confusions(runs::Evaluation &evaluation) {
    const std::vector<runs::Confusion> found = std::exchange(evaluation.confusions, {});
    const auto &best = progress_.history.best;
    if (found.empty() || (best && best->batch != progress_.batches)) return;
    auto &kept = progress_.history.confusions;
    std::erase_if(kept, [&](const auto &known) { return known.split == evaluation.split; });
    kept.insert(kept.end(), found.begin(), found.end());
}

void Trainer::judge(const runs::Evaluation &evaluation, double epoch) {
    const std::string &metric = experiment_.training.best;
    if (metric.empty() || evaluation.split != "validation") return;
    if (!note_evaluation(progress_.history, metric, evaluation, {progress_.batches, epoch})) return;
    require_finite();
    progress_.best_weights = state_of(model_);
}

// Drops the results of evaluations that were stopped, since they may be incomplete; they are repeated when the run is
// resumed.
void Trainer::evaluate_early(std::size_t batches) {
    const std::size_t every = experiment_.training.evaluate_batches;
    if (every == 0 || progress_.batches % every != 0 || progress_.batch == batches) return;
    const double epoch = static_cast<double>(progress_.epoch) +
                         static_cast<double>(progress_.batch) / static_cast<double>(batches);
    auto &early = progress_.history.early;
    const std::size_t before = early.size();
    for (const auto &evaluator : evaluators_) {
        const bool done = std::any_of(early.begin(), early.end(), [&](const auto &known) {
            return known.batch == progress_.batches && known.evaluation.split == evaluator->split();
        });
        if (done) continue;
        runs::Evaluation evaluation = evaluator->run(model_, hooks_.stop);
        if (hooks_.stop.raised()) break;
        log_->append(protocol::evaluation_event(progress_.epoch, progress_.batches, evaluation));
        judge(evaluation, epoch);
        early.push_back({progress_.batches, epoch, std::move(evaluation)});
    }
    for (std::size_t i = before; i < early.size(); ++i) keep_confusions(early[i].evaluation);
    model_.train(true);
}

std::string Trainer::rate_of(const neural::Network &network) {
    return fmt::format("networks.{}.optimizer.learning_rate, or set training.clip", network.name());
}

void Trainer::fail_diverged(const std::string &how, const std::string &setting) const {
    Diagnostic diagnostic;
    diagnostic.code = "training-diverged";
    diagnostic.message = fmt::format("training diverged after {}: {}",
                                     base::counted(progress_.batches, "batch", "batches"), how);
    diagnostic.location.file = experiment_.file;
    diagnostic.hint = fmt::format("lower {}; the last checkpoint before that is kept", setting);
    throw InputError(std::move(diagnostic));
}

void Trainer::require_finite() const {
    for (const auto &network : model_.networks()) {
        for (const auto &[name, tensor] : network->state()) {
            if (is_finite(tensor) || constants_.contains({network->name(), name})) continue;
            fail_diverged(fmt::format("'{}' of network '{}' has numbers that are not finite", name,
                                      network->name()),
                          rate_of(*network));
        }
    }
}

// Weights are checked first, so that a run can continue from every checkpoint.
void Trainer::checkpoint() {
    require_finite();
    progress_.log_position = log_->position();
    progress_.seconds = seconds_before_ + stopwatch_.seconds();
    save_checkpoint(checkpoint_file(experiment_), fingerprint_, model_, optimizers_, progress_);
    base::write_file(std::filesystem::path(experiment_.output.path) / "epochs.csv",
                     epochs_csv(progress_.history));
}

void Trainer::warn(const std::string &code, const std::string &message) {
    log_->append(protocol::warning_event(code, message));
    if (hooks_.on_warning) hooks_.on_warning(code, message);
}

void Trainer::warn_of_program() {
    for (const Diagnostic &warning : warnings_.take()) {
        const SourceLocation &at = warning.location;
        log_->append(
            protocol::warning_event(warning.code, fmt::format("{}:{}:{}: {}", at.file, at.line,
                                                              at.column, warning.message)));
        if (hooks_.on_diagnostic) hooks_.on_diagnostic(warning);
    }
}

runs::TrainingResult Trainer::run() {
    runs::TrainingResult result;
    try {
        run_to_the_end(result);
    } catch (const EnvironmentError &error) {
        std::error_code ignored;
        if (!std::filesystem::exists(checkpoint_file(experiment_), ignored)) throw;
        throw EnvironmentError(fmt::format("{}; the last checkpoint is kept", error.what()),
                               "fix this, then resume the run", base::option::resume);
    }
    return result;
}

void Trainer::run_to_the_end(runs::TrainingResult &result) {
    stopwatch_ = {};
    const auto now = [&] { return hooks_.time ? hooks_.time() : std::string(); };
    log_->append(protocol::start_event(summary(), now()));
    warn_of_program();
    // From now on, resuming continues this run, not an older one in the same folder.
    if (progress_.batches == 0) checkpoint();
    if (progress_.epoch > 0 && progress_.batch == 0 && evaluation_is_due()) {
        evaluate(progress_.history.epochs.back());
    }
    while (progress_.epoch < experiment_.training.epochs && !is_out_of_patience()) {
        if (run_epoch()) continue;
        result.interrupted = hooks_.stop.raised();
        break;
    }
    result.finished = result.interrupted ? "interrupted" : reason_to_stop();
    if (step_.statistics().without_circuit > 0) {
        const std::string message =
            fmt::format("{} of {} could not be compiled; models were enumerated instead",
                        step_.statistics().without_circuit,
                        base::counted(step_.statistics().observations, "observation"));
        warn("no-circuit", message);
    }
    checkpoint();
    if (progress_.best_weights) set_state(model_, *progress_.best_weights);
    model_.save(experiment_.output.path);
    runs::RunSummary end = summary();
    end.finished = result.finished;
    log_->append(protocol::end_event(end, now()));
    result.history = progress_.history;
    result.seconds = end.seconds;
}

std::string Trainer::reason_to_stop() const {
    if (!is_out_of_patience()) return {};
    return fmt::format("'{}' has not improved for {}", experiment_.training.best,
                       base::counted(progress_.history.best->since, "evaluation"));
}

std::vector<runs::SamplePrediction> Trainer::predictions(std::size_t count) {
    // At most five seconds of search for pictures to look at.
    const Evaluator::Sample sample{0, count, 5.0, 400};
    if (evaluators_.empty()) {
        return Evaluator(experiment_, "train", arrays_, step_).mistakes_first(model_, sample);
    }
    return evaluators_.back()->mistakes_first(model_, sample);
}

runs::RunSummary Trainer::summary() {
    runs::RunSummary run;
    run.title = std::filesystem::path(experiment_.file).filename().string();
    run.configuration_json = protocol::experiment_json(experiment_);
    run.experiment_text = experiment_.text;
    for (const auto &network : model_.networks()) {
        run.networks.emplace_back(network->name(), network->description());
    }
    const auto numbers = model_.rule_values();
    for (const LearnableRule &rule : step_.rules()) {
        std::vector<std::pair<std::string, double>> outcomes;
        for (std::size_t o = 0; o < rule.atoms.size(); ++o) {
            outcomes.emplace_back(rule.atoms[o], numbers[rule.first + o]);
        }
        run.rules.emplace_back(rule.name, std::move(outcomes));
    }
    run.history = progress_.history;
    run.seconds = progress_.seconds;
    return run;
}

} // namespace neurasp::learning
