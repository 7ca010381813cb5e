// With smoothing s, K outcomes, weights w and the true outcome y, an event costs
//     (1 - s) * w[y] * -log p[y]  +  s / K * sum over all outcomes k of w[k] * -log p[k].
#include "learning/supervised_loss.hpp"

#include "base/counted.hpp"
#include "runs/experiment_settings.hpp"

#include <fmt/format.h>

namespace neurasp::learning {

namespace {

// The least probability of a label in the supervised loss: a certain mistake costs 87, not infinity. There is no
// gradient below it, so it is as small as a float can be without losing digits.
constexpr double least_probability = 1.2e-38;

} // namespace

double SupervisedLoss::weight(const Batch &batch) const {
    double total = 0.0;
    for (std::size_t m = 0; m < batch.labels.size(); ++m) {
        const std::vector<std::int64_t> &outcomes = batch.labels[m].outcomes;
        const torch::Tensor weights = weights_of(m);
        if (outcomes.empty()) continue;
        total += weights.defined() ? weights.index_select(0, torch::tensor(outcomes))
                                         .sum(torch::kDouble)
                                         .item<double>()
                                   : static_cast<double>(outcomes.size());
    }
    return total;
}

torch::Tensor SupervisedLoss::sum(const Batch &batch,
                                  const std::vector<torch::Tensor> &outputs) const {
    torch::Tensor total;
    for (std::size_t m = 0; m < batch.labels.size(); ++m) {
        const BatchLabels &labels = batch.labels[m];
        if (labels.rows.empty()) continue;
        const torch::Tensor rows = outputs[m].index_select(0, torch::tensor(labels.rows));
        const torch::Tensor truth =
            torch::tensor(labels.outcomes).view({rows.size(0), rows.size(1), 1});
        const torch::Tensor weights = weights_of(m);
        const auto cost = [&](const torch::Tensor &probabilities) {
            return probabilities.clamp_min(least_probability).log().neg();
        };
        torch::Tensor of_truth = cost(rows.gather(2, truth));
        if (weights.defined())
            of_truth = of_truth * weights.index_select(0, truth.flatten()).view_as(truth);
        torch::Tensor part = of_truth.sum();
        if (smoothing_ > 0.0) {
            torch::Tensor of_all = cost(rows);
            if (weights.defined()) of_all = of_all * weights;
            const double share = smoothing_ / static_cast<double>(rows.size(2));
            part = part * (1.0 - smoothing_) + of_all.sum() * share;
        }
        total = total.defined() ? total + part : part;
    }
    return total;
}

SupervisedLoss make_supervised_loss(const data::Experiment &experiment,
                                    const TrainingProgram &step) {
    std::vector<torch::Tensor> weights;
    for (const NetworkShape &network : step.networks()) {
        const data::NetworkSettings &settings = runs::settings_of(experiment, network.name);
        const std::vector<double> &given = settings.class_weights;
        weights.push_back(given.empty() ? torch::Tensor() : torch::tensor(given, torch::kFloat));
        if (given.empty() || given.size() == network.outcomes) continue;
        Diagnostic diagnostic;
        diagnostic.code = "class-weights";
        diagnostic.message = fmt::format("'class_weights' of network '{}' has {}, but the network "
                                         "has {}",
                                         network.name, base::counted(given.size(), "number"),
                                         base::counted(network.outcomes, "outcome"));
        diagnostic.location = settings.spec.location;
        diagnostic.hint = "give one number for each outcome, in the order of the program";
        throw InputError(std::move(diagnostic));
    }
    return SupervisedLoss(experiment.training.label_smoothing, std::move(weights));
}

} // namespace neurasp::learning
