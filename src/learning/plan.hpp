// An observation made ready for training steps: its circuit, and where each of the circuit's numbers comes
// from. There may be very many of them, so they keep little.
#pragma once

#include "learning/symbolic_step.hpp"

namespace neurasp::learning {

// Where the outcomes of one variable of the circuit come from, and where their derivatives go.
struct NumberSource {
    enum class Kind { output, learnable_rule, fixed };
    Kind kind = Kind::fixed;
    std::size_t first_input = 0; // row of the circuit's inputs
    std::size_t outcomes = 0;
    std::size_t call = 0;      // output: which call of the plan,
    std::size_t offset = 0;    //   and from where on in its row
    std::size_t first = 0;     // learnable rule: place of its first number
    std::vector<double> fixed; // fixed: the numbers
};

class Plan {
  public:
    std::vector<NetworkCall> calls; // those that the circuit depends on first
    std::size_t relevant_calls = 0;
    bool has_circuit = false;
    std::size_t input_count = 0;       // of the circuit
    std::vector<NumberSource> sources; // of the circuit's inputs, in the order of its variables
    // Where the circuit is not all that is needed: without one, and to draw total choices. Both keep a whole
    // ground program in memory.
    std::optional<Question> question;
    std::optional<CompiledQuestion> compiled;

    // The numbers of an example as the circuit wants them: input i of column k at [i * columns + k].
    void gather(const SymbolicStep::Batch &batch, const StepExample &example,
                std::span<const NetworkShape> networks, std::size_t columns, std::size_t k,
                std::span<double> inputs) const;
    // Adds the derivatives in column k to where the numbers came from. `rule_gradient` is the example's.
    void scatter(const SymbolicStep::Result &result, const StepExample &example,
                 std::span<const NetworkShape> networks, std::size_t columns, std::size_t k,
                 std::span<const double> gradient, std::span<double> rule_gradient) const;

    CircuitEvaluator<double> &evaluator() const { return *evaluator_; }
    void make_evaluator(const CompiledQuestion &circuit) { evaluator_.emplace(circuit); }

  private:
    mutable std::optional<CircuitEvaluator<double>> evaluator_; // one batch at a time uses it
};

// The derivatives of log P(O) from total choices that stand for the distribution given O (algorithms 2 to 4
// of the paper's appendix D, each choice weighed once): for an outcome of probability p, the share of the
// choices that have it, divided by p. `inputs` and `gradient` have one number per input.
void gradient_from_choices(std::span<const NumberSource> sources,
                           std::span<const WeightedChoice> choices, bool weigh,
                           std::span<const double> inputs, std::span<double> gradient);

// A derivative as a float that is finite: beside a probability of 0 it has no bound, and infinity would become
// NaN behind a saturated sigmoid or softmax, whose own derivative is 0 there.
float finite(double derivative);

// A row's derivatives by Proposition 1: the other outcomes absorb each change.
void absorb_changes(std::span<double> gradient, std::size_t first, std::size_t outcomes,
                    std::size_t columns, std::size_t k);

} // namespace neurasp::learning
