// Reasons: small sets of outcomes that make a query q certain wherever the observation O holds; and the models,
// derivations and conflicts beside them.
//
// P(O) is the sum of the values of two circuits, for O with q and for O without q. Outcomes make q
// certain exactly if the second one is 0 for them whatever the weights, for models of probability 0 are models: it
// is evaluated with 1 for every outcome that is left. A sum of products of positive numbers, so 0 is never
// a rounding error. Where there is no circuit, the solver says the same: O without q has no model.
#pragma once

#include "circuit/exact_evaluation.hpp"
#include "inference/call.hpp"
#include "inference/derivation.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace neurasp::inference {

// A circuit for O with q, or for O without q, with the probabilities of one question. Values lack the factor
// Weights::total(): what is made of them are quotients, or has it put back.
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
    // Whether there is a model with these outcomes, be it of probability 0.
    bool allows(const FixedOutcomes &outcomes);

  private:
    void exclude_others(const Fixed &fixed); // in `changed_`

    const Weights &weights_;
    std::shared_ptr<const CircuitEntry> entry_;
    std::vector<ScaledReal> inputs_;
    circuit::ExactEvaluation evaluation_;
    ScaledReal value_;
    std::vector<std::optional<std::uint32_t>> positions_; // by the grounding's variable
    std::vector<ScaledReal> changed_;
};

// A reason with what it was found from: a total choice with O and q, as far as it matters for them.
struct FoundReason {
    Reason reason;
    FixedOutcomes outcomes;
    FixedOutcomes choice;
};

struct FoundReasons {
    std::vector<FoundReason> list;
    bool truncated = false; // there are further ones
    std::string note;       // what a limit left open
};

// Up to `count` reasons, as far as the task's budget goes. Requires: `with` is not 0.
FoundReasons find_reasons(const Task &task, Side &with, Side &without, std::uint64_t count);

// The same without a circuit: by search, and with numbers from the engine. `found` is its answer to the question.
FoundReasons search_reasons(const Task &task, const Engine &engine, AtomId query,
                            const ProbabilityAnswer &found, std::uint64_t count);

std::vector<ReasonOutcome> describe_outcomes(const Task &task, const FixedOutcomes &outcomes);

// A stable model of the whole program, atom by atom.
struct WholeModel {
    Truth truth;
    FixedOutcomes choice;
    StableModel model;
};

// Some stable model with these literals, and what the request asks for; nothing if there is none or the budget ran out.
std::optional<WholeModel> find_model(const Task &task, std::vector<Literal> literals);

// The most probable stable model that the task's request allows; nothing if there is none, or, which sets `known`
// to false, if a limit was reached.
std::optional<WholeModel> find_best_model(const Task &task, const Engine &engine, bool &known);

// The constraints that the most probable outcomes violate; nothing if they do not. `best` is the most probable stable
// model of O.
std::optional<Conflict> find_conflict(const Task &task, const WholeModel &best);

// Why the call's only query is as probable as it is.
ExplanationAnswer explain(Call &call, std::uint64_t count);

} // namespace neurasp::inference
