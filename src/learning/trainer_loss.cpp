// The loss of a training step: semantic and supervised, possibly in several parts whose gradients add up to that of
// the whole.
#include "learning/semantic_loss.hpp"
#include "learning/trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace neurasp::learning {

namespace {

constexpr std::size_t impossible_named = 10;

} // namespace

bool needs_enumeration(const TrainingProgram &program, const Batch &batch) {
    return std::any_of(batch.steps.begin(), batch.steps.end(), [&](const BatchExample &example) {
        return !program.at(example.observation).has_circuit;
    });
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

// A part of a larger step counts with its share of the examples; add_gradients corrects for impossible ones.
torch::Tensor Trainer::semantic_part(Step &step, std::size_t part,
                                     const std::vector<torch::Tensor> &outputs) {
    const Batch &batch = step.batches[part];
    std::vector<torch::Tensor> seen = outputs;
    if (experiment_.training.gradient != data::GradientKind::plain) {
        for (std::size_t m = 0; m < seen.size(); ++m) {
            if (!seen[m].defined() || !model_.has_one_column(m)) continue;
            seen[m] = with_half_gradient(seen[m]);
        }
    }
    const std::uint64_t number = progress_.batches * experiment_.training.accumulate + part;
    BatchSettings settings{experiment_.seed, number, {}};
    // Circuits are evaluated quickly; only enumeration may have to be stopped.
    const bool stoppable = needs_enumeration(step_, batch);
    if (stoppable) settings.limits.stop = hooks_.stop;
    const MeanLogProbability log =
        mean_log_probability(step_, seen, model_.rule_numbers(), batch.steps, settings);
    if (stoppable && hooks_.stop.raised()) {
        throw LimitError("interrupted while models were enumerated", "", true);
    }
    if (log.possible < log.values.size()) note_impossible(batch, log.values);
    if (log.possible == 0) return {};
    step.possible += log.possible;
    progress_.current.mean_log_probability +=
        log.mean.item<double>() * static_cast<double>(log.possible);
    if (step.batches.size() == 1) return -log.mean;
    return log.mean * (-static_cast<double>(log.possible) / static_cast<double>(step.examples));
}

torch::Tensor Trainer::loss_of(Step &step, std::size_t part,
                               const std::vector<torch::Tensor> &outputs) {
    const double alpha = experiment_.training.alpha;
    torch::Tensor loss;
    if (alpha < 1.0) {
        loss = semantic_part(step, part, outputs);
        if (loss.defined()) loss = loss * (1.0 - alpha);
    }
    if (alpha > 0.0) {
        const torch::Tensor sum = supervised_.sum(step.batches[part], outputs);
        if (sum.defined()) {
            const torch::Tensor supervised = sum / step.label_weight;
            loss = loss.defined() ? loss + supervised * alpha : supervised * alpha;
        }
    }
    return loss;
}

// The semantic loss is the mean over possible examples, whose number is known only when all parts are done. With a
// supervised loss in the sum, its gradients would be scaled as well, so the parts are left as they are.
double Trainer::correct_for_impossible(const Step &step) {
    const bool is_mean = step.possible == step.examples || step.possible == 0;
    if (step.batches.size() == 1 || is_mean || experiment_.training.alpha > 0.0) return 1.0;
    const double factor = static_cast<double>(step.examples) / static_cast<double>(step.possible);
    scale_gradients(optimizers_, factor);
    torch::Tensor &rules = model_.rule_numbers();
    if (rules.grad().defined()) rules.mutable_grad().mul_(factor);
    return factor;
}

} // namespace neurasp::learning
