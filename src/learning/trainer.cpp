// One training step: batch, networks, loss, gradients, new weights. trainer_start.cpp has what
// happens before the first step, trainer_run.cpp the course of a whole run.
//
// A step that is stopped leaves no trace: the state that its first half changes (random numbers, statistics of batch
// normalisation) is restored, and a resumed run does the step again, with the same bits. Only the preparation of
// observations and the enumeration of models can be interrupted; circuits are evaluated quickly.
#include "learning/trainer.hpp"

#include "base/random_stream.hpp"
#include "learning/semantic_loss.hpp"
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
constexpr std::size_t impossible_named = 10;
// The least probability of a label in the supervised loss: a certain mistake costs 87, not infinity. There is no
// gradient below it, so it is as small as a float can be without losing digits.
constexpr double least_probability = 1.2e-38;

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

std::unique_ptr<torch::optim::Optimizer> make_optimizer(const data::OptimizerSettings &settings,
                                                        std::vector<torch::Tensor> parameters) {
    if (settings.kind == data::OptimizerKind::adam) {
        torch::optim::AdamOptions options(settings.learning_rate);
        options.betas({settings.beta1, settings.beta2}).weight_decay(settings.weight_decay);
        return std::make_unique<torch::optim::Adam>(std::move(parameters), options);
    }
    torch::optim::SGDOptions options(settings.learning_rate);
    options.momentum(settings.momentum).weight_decay(settings.weight_decay);
    return std::make_unique<torch::optim::SGD>(std::move(parameters), options);
}

void set_learning_rate(torch::optim::Optimizer &optimizer, double rate) {
    for (auto &group : optimizer.param_groups()) group.options().set_lr(rate);
}

// Whether models are enumerated for one of the batch's observations, which may take arbitrarily long.
bool needs_enumeration(const TrainingProgram &program, const Batch &batch) {
    return std::any_of(batch.steps.begin(), batch.steps.end(), [&](const BatchExample &example) {
        return !program.at(example.observation).has_circuit;
    });
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
            schedule_factor(settings.schedule, progress_.epoch, experiment_.training.epochs);
        set_learning_rate(*optimizers_[m], rate);
        progress_.current.learning_rates.emplace_back(name, rate);
    }
}

torch::Tensor supervised_loss(const Batch &batch, const std::vector<torch::Tensor> &outputs) {
    torch::Tensor sum;
    std::int64_t count = 0;
    for (std::size_t m = 0; m < batch.labels.size(); ++m) {
        const BatchLabels &labels = batch.labels[m];
        if (labels.rows.empty()) continue;
        const torch::Tensor rows = outputs[m].index_select(0, torch::tensor(labels.rows));
        const torch::Tensor truth =
            torch::tensor(labels.outcomes).view({rows.size(0), rows.size(1), 1});
        const torch::Tensor part =
            rows.gather(2, truth).clamp_min(least_probability).log().sum().neg();
        sum = sum.defined() ? sum + part : part;
        count += truth.numel();
    }
    return sum.defined() ? sum / static_cast<double>(count) : sum;
}

void Trainer::note_impossible(const Batch &batch, std::span<const double> log_probability) {
    for (std::size_t e = 0; e < batch.examples.size(); ++e) {
        if (std::isfinite(log_probability[e])) continue;
        ++progress_.current.impossible;
        auto &names = progress_.history.impossible_examples;
        const std::string name = dataset_.example_name(batch.examples[e]);
        const bool known = std::find(names.begin(), names.end(), name) != names.end();
        if (known || names.size() >= impossible_named) continue;
        names.push_back(name);
        const std::string message = fmt::format("{}: P(O) = 0, the example is skipped: {}", name,
                                                dataset_.observations()[batch.examples[e]]);
        warn("impossible-observation", message);
    }
}

torch::Tensor Trainer::loss_of(const Batch &batch, const std::vector<torch::Tensor> &outputs) {
    const double alpha = experiment_.training.alpha;
    torch::Tensor loss;
    if (alpha < 1.0) {
        std::vector<torch::Tensor> seen = outputs;
        if (experiment_.training.gradient != data::GradientKind::plain) {
            for (std::size_t m = 0; m < seen.size(); ++m) {
                if (!seen[m].defined() || !model_.has_one_column(m)) continue;
                seen[m] = with_half_gradient(seen[m]);
            }
        }
        BatchSettings settings{experiment_.seed, progress_.batches, {}};
        // Circuits are evaluated quickly; only enumeration may have to be stopped.
        const bool stoppable = needs_enumeration(step_, batch);
        if (stoppable) settings.limits.stop = hooks_.stop;
        const MeanLogProbability log =
            mean_log_probability(step_, seen, model_.rule_numbers(), batch.steps, settings);
        if (stoppable && hooks_.stop.raised()) {
            throw LimitError("interrupted while models were enumerated", "", true);
        }
        if (log.possible < log.values.size()) note_impossible(batch, log.values);
        if (log.possible > 0) {
            progress_.current.mean_log_probability +=
                log.mean.item<double>() * static_cast<double>(log.possible);
            loss = log.mean * (alpha - 1.0);
        }
    }
    if (alpha > 0.0) {
        const torch::Tensor supervised = supervised_loss(batch, outputs);
        if (supervised.defined()) {
            loss = loss.defined() ? loss + supervised * alpha : supervised * alpha;
        }
    }
    return loss;
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
    rules.mutable_grad().reset();
    if (!is_finite(rules)) {
        fail_diverged("the probabilities of learnable rules are not finite", "rules.learning_rate");
    }
    model_.project_rules();
}

// A batch that is stopped while observations are prepared or models enumerated leaves no trace, and is done again
// when the run is resumed.
bool Trainer::train_batch(std::span<const std::size_t> examples) {
    std::optional<StateBefore> before;
    try {
        train_on(examples, [&](const Batch &batch) {
            if (needs_enumeration(step_, batch)) before.emplace(model_);
        });
    } catch (const LimitError &error) {
        if (!error.interrupted()) throw;
        if (before) before->restore(model_);
        return false;
    }
    return true;
}

void Trainer::train_on(std::span<const std::size_t> examples,
                       const std::function<void(const Batch &)> &on_prepared) {
    runs::PhaseSeconds &seconds = progress_.current.seconds;
    const auto begin = Clock::now();
    auto last = begin;
    const double compiled_before = step_.statistics().prepare_seconds;
    const auto purpose =
        experiment_.training.alpha > 0.0 ? BatchMaker::For::supervised : BatchMaker::For::training;
    const Batch batch = maker_.make(examples, purpose, hooks_.stop);
    on_prepared(batch);
    const double compiling = step_.statistics().prepare_seconds - compiled_before;
    seconds.compile += compiling;
    seconds.symbolic += compiling;
    seconds.data += since(last) - compiling;
    // Gradients are removed, not set to 0, so that optimisers do not touch networks that the batch does not call.
    // After a checkpoint, which holds no gradients, the same is true.
    for (const auto &optimizer : optimizers_) {
        if (!optimizer) continue;
        for (auto &group : optimizer->param_groups()) {
            for (torch::Tensor &parameter : group.params()) parameter.mutable_grad().reset();
        }
    }
    const std::vector<torch::Tensor> outputs = run_networks(batch);
    seconds.network += since(last);
    const torch::Tensor loss = loss_of(batch, outputs);
    seconds.symbolic += since(last);
    warn_of_no_gradient(outputs);
    if (loss.defined() && loss.requires_grad()) {
        compute_gradients(loss);
        move_weights();
    }
    seconds.network += since(last);
    finish_batch(examples.size(), loss.defined() ? loss.item<double>() : 0.0,
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
    const std::size_t size = experiment_.training.batch_size;
    const std::size_t batches = (dataset_.size() + size - 1) / size;
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
