// Reasons: small sets of outcomes that make a query q certain wherever the observation O holds.
//
// P(O) is the sum of the values of two circuits, for O with q and for O without q. Outcomes make q
// certain exactly if the second one is 0 once they are fixed: a sum of products of positive numbers, so
// 0 is never a rounding error.
#pragma once

#include "circuit/exact_evaluation.hpp"
#include "inference/call.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace neurasp::inference {

// Outcomes of some of the grounding's variables.
struct Fixed {
    std::size_t variable = 0;
    std::uint32_t outcome = 0;
};
using FixedOutcomes = std::vector<Fixed>;

// A circuit for O with q, or for O without q, with the probabilities of one question. Each variable's
// probabilities are scaled to sum to 1.
class Side {
  public:
    // Requires: the entry has a circuit; the weights outlive this.
    Side(const Weights &weights, std::shared_ptr<const CircuitEntry> entry);

    const CircuitEntry &entry() const { return *entry_; }
    const std::vector<ScaledReal> &inputs() const { return inputs_; }
    const ScaledReal &value() const { return value_; }
    // Where the circuit has this variable of the grounding, if it has it.
    const std::optional<std::uint32_t> &position(std::size_t variable) const {
        return positions_[variable];
    }
    // The place of a variable's first outcome among the inputs.
    std::size_t first_input(std::uint32_t position) const;

    // The value with these outcomes: that of the circuit times their probabilities.
    ScaledReal value_with(const FixedOutcomes &outcomes);
    // The same for each of these outcomes alone; one pass.
    std::vector<ScaledReal> values_with_each(const FixedOutcomes &outcomes);

  private:
    const Weights &weights_;
    std::shared_ptr<const CircuitEntry> entry_;
    std::vector<ScaledReal> inputs_;
    circuit::ExactEvaluation evaluation_;
    ScaledReal value_;
    std::vector<std::optional<std::uint32_t>> positions_; // by the grounding's variable
    std::vector<ScaledReal> changed_;
};

// Fills in the reasons of an answer, as far as the task's budget goes. Requires: `with` is not 0.
void find_reasons(const Task &task, Side &with, Side &without, std::uint64_t count,
                  ExplanationAnswer &answer);

// Why the call's only query is as probable as it is.
ExplanationAnswer explain(Call &call, std::uint64_t count);

} // namespace neurasp::inference
