// One training step: batches, networks, gradients, new weights. trainer_start.cpp has what happens before the first
// step, trainer_loss.cpp the loss, trainer_run.cpp the course of a whole run.
//
// A step that is stopped leaves no trace: the state that its first half changes (random numbers, statistics of batch
// normalisation) is restored, and a resumed run does the step again, with the same bits. Only the preparation of
// observations and the enumeration of models can be interrupted; circuits are evaluated quickly.
#include "learning/trainer.hpp"

#include "base/random_stream.hpp"
#include "learning/optimizers.hpp"
#include "neural/random.hpp"
#include "neural/torch_errors.hpp"
#include "protocol/experiment_json.hpp"
#include "protocol/run_events.hpp"
#include "runs/experiment_program.hpp"
#include "runs/experiment_settings.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/nn/utils/clip_grad.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace neurasp::learning {

namespace {

using Clock = std::chrono::steady_clock;

// The number of points on the curves; long runs have fewer per epoch, because checkpoints hold them all.
constexpr std::size_t points_per_epoch = 50;
constexpr std::size_t points_per_run = 1000;

// A script may contain operations without a gradient, or overwrite values that its gradient needs.
void compute_gradients(const torch::Tensor &loss) {
    try {
        loss.backward();
    } catch (const InputError &) {
        throw;
    } catch (const std::exception &error) {
        Diagnostic diagnostic;
        diagnostic.code = "network-gradient";
        diagnostic.message = fmt::format("the gradients of the networks cannot be computed: {}",
                                         neural::essential_line(error));
        diagnostic.hint = "set train = false for networks that should not be trained";
        throw InputError(std::move(diagnostic));
    }
}

double since(Clock::time_point &last) {
    const auto now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - last).count();
    last = now;
    return seconds;
}

// The state that the first half of a step changes: random numbers, and the statistics of batch normalisation.
class StateBefore {
  public:
    explicit StateBefore(const Model &model) : random_(generator().get_state()) {
        for (const auto &network : model.networks()) networks_.push_back(network->state());
    }
    void restore(const Model &model) const {
        for (std::size_t m = 0; m < networks_.size(); ++m) {
            model.networks()[m]->set_state(networks_[m]);
        }
        generator().set_state(random_);
    }

  private:
    static at::Generator generator() { return at::detail::getDefaultCPUGenerator(); }

    torch::Tensor random_;
    std::vector<neural::NamedTensors> networks_;
};

// Seeds everything that the constructor does next.
const data::Experiment &prepared(const data::Experiment &experiment) {
    neural::seed_everything(experiment.seed);
    at::set_num_threads(static_cast<int>(runs::thread_count(experiment)));
    return experiment;
}

} // namespace

Trainer::Trainer(const data::Experiment &experiment, bool resume, TrainerHooks hooks, OldRun old)
    : experiment_(prepared(experiment)), hooks_(std::move(hooks)),
      step_(runs::program_of(experiment), step_options(experiment, true)),
      dataset_(experiment, "train", arrays_),
      model_(experiment, step_, network_inputs(experiment, step_, dataset_)),
      maker_(dataset_, step_),
      fingerprint_(protocol::fingerprint(experiment) + "\n" + runs::program_text(experiment)) {
    check_best_metric(experiment, step_);
    supervised_ = make_supervised_loss(experiment, step_);
    for (const auto &network : model_.networks()) {
        const data::NetworkSettings &settings = runs::settings_of(experiment, network->name());
        optimizers_.push_back(settings.train && network->parameter_count() > 0
                                  ? make_optimizer(settings.optimizer, network->parameters())
                                  : nullptr);
    }
    for (const auto &network : model_.networks()) {
        for (const auto &[name, tensor] : network->state()) {
            if (!is_finite(tensor)) constants_.emplace(network->name(), name);
        }
    }
    for (const data::SplitSettings &split : experiment.splits) {
        if (split.name == "train") continue;
        evaluators_.push_back(std::make_unique<Evaluator>(experiment, split.name, arrays_, step_));
        warnings_.add(evaluators_.back()->dataset());
    }
    warnings_.add(dataset_);
    validate();
    open_folder(resume, old);
}

std::vector<std::size_t> Trainer::order_of(std::size_t epoch) const {
    std::vector<std::size_t> order(dataset_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (!experiment_.training.shuffle) return order;
    base::RandomStream random(experiment_.seed * 1'000'003U + epoch);
    for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[random.below(i)]);
    }
    return order;
}

void Trainer::set_learning_rates() {
    progress_.current.learning_rates.clear();
    for (std::size_t m = 0; m < optimizers_.size(); ++m) {
        if (!optimizers_[m]) continue;
        const std::string &name = model_.networks()[m]->name();
        const data::NetworkSettings &settings = runs::settings_of(experiment_, name);
        const double rate =
            settings.optimizer.learning_rate *
            schedule_factor(settings.schedule, progress_.epoch, experiment_.training.epochs) *
            warmup_factor(settings.schedule, progress_.batches);
        set_learning_rate(*optimizers_[m], rate);
        progress_.current.learning_rates.emplace_back(name, rate);
    }
}

std::vector<torch::Tensor> Trainer::run_networks(const Batch &batch) {
    try {
        return model_.run(maker_, batch);
    } catch (const InputError &) {
        require_finite(); // if weights are not finite, that is the reason to report
        throw;
    }
}

void Trainer::warn_of_no_gradient(const std::vector<torch::Tensor> &outputs) {
    for (std::size_t m = 0; m < optimizers_.size(); ++m) {
        if (!optimizers_[m] || !outputs[m].defined() || outputs[m].requires_grad()) continue;
        if (!without_gradient_.insert(m).second) continue;
        warn(
            "no-gradient",
            fmt::format("network '{}' does not learn: its outputs have no gradient with respect to "
                        "its weights",
                        model_.networks()[m]->name()));
    }
}

void Trainer::move_weights() {
    for (std::size_t m = 0; m < optimizers_.size(); ++m) {
        if (!optimizers_[m]) continue;
        const neural::Network &network = *model_.networks()[m];
        try {
            if (experiment_.training.clip > 0.0) {
                torch::nn::utils::clip_grad_norm_(network.parameters(), experiment_.training.clip);
            }
            optimizers_[m]->step();
        } catch (const std::exception &error) { // such as a learning rate too large for a float
            fail_diverged(fmt::format("the optimiser of network '{}' fails ({})", network.name(),
                                      neural::essential_line(error)),
                          rate_of(network));
        }
    }
    torch::Tensor &rules = model_.rule_numbers();
    if (!rules.grad().defined()) return;
    const torch::NoGradGuard guard;
    rules.sub_(rules.grad(), experiment_.rules.learning_rate);
    if (!is_finite(rules)) {
        fail_diverged("the probabilities of learnable rules are not finite", "rules.learning_rate");
    }
    model_.project_rules();
}

// A step that is stopped while observations are prepared or models enumerated leaves no trace, and is done again
// when the run is resumed.
bool Trainer::train_batch(std::span<const std::size_t> examples) {
    std::optional<StateBefore> before;
    const std::size_t impossible = progress_.current.impossible;
    const double log_probability = progress_.current.mean_log_probability;
    try {
        train_on(examples, [&](const Batch &batch) {
            if (!before && needs_enumeration(step_, batch)) before.emplace(model_);
        });
    } catch (const LimitError &error) {
        if (!error.interrupted()) throw;
        if (before) before->restore(model_);
        progress_.current.impossible = impossible;
        progress_.current.mean_log_probability = log_probability;
        return false;
    }
    return true;
}

Trainer::Step Trainer::make_step(std::span<const std::size_t> examples) {
    Step step;
    step.examples = examples.size();
    const bool supervised = experiment_.training.alpha > 0.0;
    const auto purpose = supervised ? BatchMaker::For::supervised : BatchMaker::For::training;
    const std::size_t size = experiment_.training.batch_size;
    for (std::size_t first = 0; first < examples.size(); first += size) {
        const auto part = examples.subspan(first, std::min(size, examples.size() - first));
        step.batches.push_back(maker_.make(part, purpose, hooks_.stop));
        if (supervised) step.label_weight += supervised_.weight(step.batches.back());
    }
    return step;
}

double Trainer::add_gradients(Step &step, std::size_t part) {
    runs::PhaseSeconds &seconds = progress_.current.seconds;
    auto last = Clock::now();
    const std::vector<torch::Tensor> outputs = run_networks(step.batches[part]);
    seconds.network += since(last);
    const torch::Tensor loss = loss_of(step, part, outputs);
    seconds.symbolic += since(last);
    warn_of_no_gradient(outputs);
    if (loss.defined() && loss.requires_grad()) compute_gradients(loss);
    seconds.network += since(last);
    return loss.defined() ? loss.item<double>() : 0.0;
}

void Trainer::train_on(std::span<const std::size_t> examples,
                       const std::function<void(const Batch &)> &on_prepared) {
    runs::PhaseSeconds &seconds = progress_.current.seconds;
    const auto begin = Clock::now();
    auto last = begin;
    const double compiled_before = step_.statistics().prepare_seconds;
    Step step = make_step(examples);
    for (const Batch &batch : step.batches) on_prepared(batch);
    const double compiling = step_.statistics().prepare_seconds - compiled_before;
    seconds.compile += compiling;
    seconds.symbolic += compiling;
    seconds.data += since(last) - compiling;
    remove_gradients(optimizers_);
    model_.rule_numbers().mutable_grad().reset();
    double loss = 0.0;
    for (std::size_t part = 0; part < step.batches.size(); ++part) {
        loss += add_gradients(step, part);
        step.batches[part].inputs.clear(); // no longer needed
    }
    last = Clock::now();
    loss *= correct_for_impossible(step);
    move_weights();
    seconds.network += since(last);
    finish_batch(examples.size(), loss,
                 std::chrono::duration<double>(Clock::now() - begin).count());
}

void Trainer::finish_batch(std::size_t examples, double loss, double seconds) {
    ++progress_.batch;
    ++progress_.batches;
    runs::EpochRecord &record = progress_.current;
    ++record.batches;
    record.examples += examples;
    record.loss += loss * static_cast<double>(examples); // a sum until the epoch ends
    // The point, too, holds sums of loss and seconds until it is complete.
    progress_.point.loss += loss;
    progress_.point.examples_per_second += seconds;
    ++progress_.point_batches;
    const std::size_t size = step_size(experiment_.training);
    const std::size_t batches = steps_per_epoch();
    const std::size_t all = batches * experiment_.training.epochs;
    const std::size_t interval =
        std::max<std::size_t>({1, batches / points_per_epoch, all / points_per_run});
    if (progress_.point_batches < interval) return;
    runs::LossPoint point = progress_.point;
    point.batch = progress_.batches;
    point.loss /= static_cast<double>(progress_.point_batches);
    point.examples_per_second = static_cast<double>(progress_.point_batches * size) /
                                std::max(progress_.point.examples_per_second, 1e-9);
    progress_.history.points.push_back(point);
    log_->append(protocol::batch_event(point));
    progress_.point = {};
    progress_.point_batches = 0;
}

} // namespace neurasp::learning
