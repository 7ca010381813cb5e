// The semantic loss for anybody's LibTorch training loop: log P(O) as a differentiable function of network
// outputs. Part of the library neurasp::torch; see docs/learning.md.
#pragma once

#include "neurasp/reasoner.hpp"

#include <torch/types.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace neurasp {

struct SemanticLossOptions {
    GradientConvention convention = GradientConvention::plain;
    bool optimal = false;       // only least-cost models of program and observation count
    std::string circuit_folder; // where compiled circuits are kept and found again; empty: nowhere
};

class SemanticLoss {
  public:
    // Throws: InputError.
    explicit SemanticLoss(Program program, SemanticLossOptions options = {});
    ~SemanticLoss();
    SemanticLoss(SemanticLoss &&) noexcept;
    SemanticLoss &operator=(SemanticLoss &&) noexcept;

    // log P(O) of each example (double). `outputs`: for each call that the program makes, e.g.
    // "digit(i1)", the outputs for all examples: batch x anything that flattens to events x outcomes, rows
    // are distributions. `observations`: one text per example. An observation is compiled when it is met
    // first; examples with the same one are evaluated together. Minus infinity where P(O) = 0, with
    // gradient 0.
    // Throws: InputError for outputs that are missing, have the wrong size or are no distributions, and
    // for mistakes in observations; ContractError if the sizes of batches differ.
    torch::Tensor log_probability(const std::map<std::string, torch::Tensor> &outputs,
                                  const std::vector<std::string> &observations);

    // -log P(O), averaged over the examples where P(O) > 0; undefined if there are none.
    torch::Tensor operator()(const std::map<std::string, torch::Tensor> &outputs,
                             const std::vector<std::string> &observations);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace neurasp
