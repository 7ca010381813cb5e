// The loss on labelled outputs: cross-entropy with label smoothing and weights of outcomes, as torch's
// `cross_entropy` defines them, but of probabilities instead of scores.
#pragma once

#include "learning/batch.hpp"

#include <torch/types.h>

#include <vector>

namespace neurasp::learning {

class SupervisedLoss {
  public:
    // By network, the weights of its outcomes; an undefined tensor: all weigh 1.
    explicit SupervisedLoss(double smoothing = 0.0, std::vector<torch::Tensor> weights = {})
        : smoothing_(smoothing), weights_(std::move(weights)) {}

    // The total weight of the batch's labelled events; 0 without labels.
    double weight(const Batch &batch) const;
    // The sum over all labelled events; undefined without labels. Divided by the weight, it is the loss of the batch.
    torch::Tensor sum(const Batch &batch, const std::vector<torch::Tensor> &outputs) const;

  private:
    torch::Tensor weights_of(std::size_t network) const {
        return network < weights_.size() ? weights_[network] : torch::Tensor();
    }

    double smoothing_;
    std::vector<torch::Tensor> weights_;
};

// The loss that the experiment's settings describe.
// Throws: InputError (class-weights) if there is not one weight for each outcome of a network.
SupervisedLoss make_supervised_loss(const data::Experiment &experiment,
                                    const TrainingProgram &step);

} // namespace neurasp::learning
