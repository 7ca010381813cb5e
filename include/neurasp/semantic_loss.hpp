// The semantic loss for anybody's LibTorch training loop: log P(O) as a differentiable function of network
// outputs and of rule probabilities. Part of the library neurasp::torch; see docs/learning.md.
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

// Method, convention, threads and all else that training without Torch knows, too.
using SemanticLossOptions = TrainingOptions;

// For one thread at a time; what it returns is independent of it.
class SemanticLoss {
  public:
    // Throws: InputError, LimitError.
    explicit SemanticLoss(Program program, SemanticLossOptions options = {}, Limits grounding = {});
    ~SemanticLoss();
    SemanticLoss(SemanticLoss &&) noexcept;
    SemanticLoss &operator=(SemanticLoss &&) noexcept;

    using Outputs = std::map<std::string, torch::Tensor>;

    // log P(O) of each example (double, on the CPU). `outputs`: for each call that the program makes, e.g.
    // "digit(i1)", the outputs for all examples: batch x anything that flattens to events x outcomes, rows
    // are distributions; on any device, and gradients go back there. Doubles are computed with as doubles,
    // all else as float. `observations`: one per example. An observation is compiled when it is met first;
    // examples with the same one are evaluated together.
    //
    // `rules`: probabilities of the learnable rules instead of the written ones, in the order of
    // rule_probabilities(), and differentiated through. `limits` are those of the whole call (seconds) and of
    // each example whose models are enumerated (models).
    //
    // Minus infinity, with gradient 0, where P(O) = 0 or where a limit came before the first model. Where a
    // limit ended a search, value and gradient are those of the models found. With sampling, each call draws
    // new samples.
    //
    // Throws: InputError for outputs that are missing, have the wrong size or are not distributions, and
    // for mistakes in observations; ContractError if the sizes of batches differ; LimitError if a limit ends
    // the preparation of observations: what is prepared is kept.
    torch::Tensor log_probability(const Outputs &outputs, std::span<const Observation> observations,
                                  const torch::Tensor &rules = {}, const Limits &limits = {});
    torch::Tensor log_probability(const Outputs &outputs,
                                  const std::vector<std::string> &observations,
                                  const torch::Tensor &rules = {}, const Limits &limits = {});

    // -log P(O), averaged over the examples where it is finite; undefined if there are none.
    torch::Tensor operator()(const Outputs &outputs, std::span<const Observation> observations,
                             const torch::Tensor &rules = {}, const Limits &limits = {});
    torch::Tensor operator()(const Outputs &outputs, const std::vector<std::string> &observations,
                             const torch::Tensor &rules = {}, const Limits &limits = {});

    // The probabilities of the learnable rules as written (double), one number for each outcome; which is which
    // is said by program().rules().
    torch::Tensor rule_probabilities() const;
    // For sampling: the same seed gives the same samples, call by call.
    void set_seed(std::uint64_t seed);
    // What is behind it: prepares observations ahead, with limits; knows networks, rules and statistics.
    TrainingProgram &program() noexcept;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace neurasp
