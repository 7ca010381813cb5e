#include "circuit/sampling.hpp"

#include "neurasp/diagnostic.hpp"

namespace neurasp::circuit {

using base::ScaledReal;

namespace {

// The factors of a term that is chosen in proportion to its value. Requires: the step's value is
// not 0.
SlotPair draw_term(const ExactEvaluation &evaluation, std::size_t step,
                   base::RandomStream &random) {
    const StraightLine &program = evaluation.program();
    const auto singles = program.singles(step);
    const auto pairs = program.pairs(step);
    if (singles.empty() && pairs.size() == 1) return pairs.front();

    const ScaledReal total = evaluation.slot_value(program.slot_of_step(step));
    const ScaledReal threshold = total * ScaledReal(random.uniform()); // above 0
    ScaledReal sum;
    SlotPair chosen; // rounding may leave the sum below the threshold: then the last one
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
