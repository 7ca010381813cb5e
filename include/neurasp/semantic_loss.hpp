// The semantic loss for any LibTorch training loop: log P(O) as a differentiable function of network outputs and
// rule probabilities. Part of the library neurasp::torch; see docs/learning.md.
#pragma once

#include "neurasp/training.hpp"

#include <torch/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace neurasp {

// The same options as for training without Torch.
using SemanticLossOptions = TrainingOptions;

// For one thread at a time. Tensors that it returns do not depend on it.
class SemanticLoss {
  public:
    // Throws: InputError, LimitError.
    explicit SemanticLoss(Program program, SemanticLossOptions options = {}, Limits grounding = {});
    ~SemanticLoss();
    SemanticLoss(SemanticLoss &&) noexcept;
    SemanticLoss &operator=(SemanticLoss &&) noexcept;

    using Outputs = std::map<std::string, torch::Tensor>;

    // log P(O) of each example (double, on the CPU). `outputs` maps each call that the program makes, e.g.
    // "digit(i1)", to the outputs for all examples: batch x any shape that flattens to events x outcomes, whose rows
    // are distributions. They may be on any device, and gradients go back to it. Tensors of doubles are computed in
    // double, all others in float. `observations` has one entry per example. An observation is compiled when it
    // occurs for the first time; examples with the same observation are evaluated together.
    //
    // `rules` replaces the written probabilities of the learnable rules, in the order of rule_probabilities(); it
    // gets gradients. Of `limits`, seconds apply to the whole call, and models to each example whose models are
    // enumerated.
    //
    // The value is minus infinity, with gradient 0, if P(O) = 0 or a limit was reached before the first model. If a
    // limit ended a search, value and gradient are those of the models found. With sampling, each call draws new
    // samples.
    //
    // Throws: InputError for outputs that are missing, have the wrong size or are not distributions, and for
    // mistakes in observations; ContractError if the batch sizes differ; LimitError if a limit ends the preparation
    // of observations, in which case those already prepared are kept.
    torch::Tensor log_probability(const Outputs &outputs, std::span<const Observation> observations,
                                  const torch::Tensor &rules = {}, const Limits &limits = {});
    torch::Tensor log_probability(const Outputs &outputs,
                                  const std::vector<std::string> &observations,
                                  const torch::Tensor &rules = {}, const Limits &limits = {});

    // -log P(O), averaged over the examples for which it is finite; undefined if there are none.
    torch::Tensor operator()(const Outputs &outputs, std::span<const Observation> observations,
                             const torch::Tensor &rules = {}, const Limits &limits = {});
    torch::Tensor operator()(const Outputs &outputs, const std::vector<std::string> &observations,
                             const torch::Tensor &rules = {}, const Limits &limits = {});

    // The probabilities of the learnable rules as written (double), one number per outcome; program().rules() says
    // which number belongs to which rule.
    torch::Tensor rule_probabilities() const;
    // For sampling: the same seed gives the same samples, call by call.
    void set_seed(std::uint64_t seed);
    // The training program inside: prepares observations in advance, with limits; knows networks, rules and
    // statistics.
    TrainingProgram &program() noexcept;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace neurasp
