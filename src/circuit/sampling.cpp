// Draws assignments from the distribution that a circuit and its weights define.
//
// The idea. Walk from the root down. At a step (a sum), choose one term with probability proportional to its value, which
// an evaluation has already computed; of the chosen term, follow both factors. Inputs that are reached are the outcomes of
// the sample. The probability of a path is the product of (value of term / value of step) over its steps, and all inner
// values cancel: what is left is the product of the weights of its inputs, divided by the value of the root. In a smooth,
// deterministic and decomposable circuit, paths are assignments, one to one, and every variable gets exactly one outcome.
// So the samples are exact and independent; there is no rejection and no burn-in.
//
// Rounding. The threshold is above 0, so a term of value 0 is never chosen. The sum of the terms may end slightly below
// the threshold; then the last term that is not 0 is taken.
//
// Cost. One pass to evaluate the circuit, shared by all samples; then, for each sample, the terms of the steps on its
// path, about one step per variable. A product takes no random number.
#include "circuit/sampling.hpp"

#include "neurasp/diagnostic.hpp"

namespace neurasp::circuit {

using base::ScaledReal;

namespace {

// Draws a term of the step with probability proportional to its value; returns its factors. Requires: the value of the
// step is not 0.
SlotPair draw_term(const ExactEvaluation &evaluation, std::size_t step,
                   base::RandomStream &random) {
    const StraightLine &program = evaluation.program();
    const auto singles = program.singles(step);
    const auto pairs = program.pairs(step);
    if (singles.empty() && pairs.size() == 1) return pairs.front();

    const ScaledReal total = evaluation.slot_value(program.slot_of_step(step));
    const ScaledReal threshold = total * ScaledReal(random.uniform()); // above 0
    ScaledReal sum;
    SlotPair
        chosen; // the last term that is not 0, in case rounding leaves the sum below the threshold
    const auto reaches = [&](const ScaledReal &value, SlotPair term) {
        if (value.is_zero()) return false;
        sum += value;
        chosen = term;
        return sum >= threshold;
    };
    for (const Slot slot : singles) {
        if (reaches(evaluation.slot_value(slot), {slot, one_input.value})) return chosen;
    }
    for (const SlotPair pair : pairs) {
        const ScaledReal value =
            evaluation.slot_value(pair.first) * evaluation.slot_value(pair.second);
        if (reaches(value, pair)) return chosen;
    }
    return chosen;
}

} // namespace

std::optional<Assignment> draw_assignment(const Circuit &circuit, const ExactEvaluation &evaluation,
                                          base::RandomStream &random) {
    if (!circuit.smooth()) throw ContractError("draw_assignment: the circuit is not smooth");
    if (evaluation.value().is_zero()) return {};
    const StraightLine &program = evaluation.program();
    Assignment drawn{ScaledReal(1.0L), std::vector<std::uint32_t>(circuit.variable_count(), 0)};
    std::vector<Slot> open{program.root()};
    while (!open.empty()) {
        const Slot slot = open.back();
        open.pop_back();
        if (!program.is_input(slot)) {
            const SlotPair factors = draw_term(evaluation, program.step_of(slot), random);
            open.push_back(factors.first);
            open.push_back(factors.second);
            continue;
        }
        if (slot == one_input.value) continue;
        drawn.value *= evaluation.slot_value(slot);
        if (slot < circuit.first_constant()) {
            drawn.outcomes[circuit.variable_of(InputId(slot))] = circuit.outcome_of(InputId(slot));
        }
    }
    return drawn;
}

} // namespace neurasp::circuit
