// Counts the assignments of a circuit exactly.
//
// In a smooth, deterministic and decomposable circuit, every assignment is counted once if each input stands for 1: the
// branches of a sum exclude each other and mention the same variables, so counts add up; the factors of a product are
// about different variables, so counts multiply. Constants count as 1, too: they are probabilities, not assignments. The
// numbers have thousands of digits where there are thousands of variables, so they are Naturals, not floating point.
//
// Cost. One pass over the straight-line code, with additions and multiplications of long numbers. Most terms have an
// input as a factor, and these need no multiplication.
#include "circuit/model_count.hpp"

#include "circuit/straight_line.hpp"
#include "neurasp/diagnostic.hpp"

#include <vector>

namespace neurasp::circuit {

Natural count_assignments(const Circuit &circuit) {
    if (!circuit.smooth()) throw ContractError("count_assignments: the circuit is not smooth");
    const StraightLine program(circuit);
    const Natural one(1);
    std::vector<Natural> of_step;
    of_step.reserve(program.step_count());
    const auto count = [&](Slot slot) -> const Natural & {
        return program.is_input(slot) ? one : of_step[program.step_of(slot)];
    };
    for (std::size_t step = 0; step < program.step_count(); ++step) {
        Natural sum(program.singles(step).size());
        for (const auto [first, second] : program.pairs(step)) {
            if (program.is_input(first)) {
                sum += count(second);
            } else if (program.is_input(second)) {
                sum += count(first);
            } else {
                sum += count(first) * count(second);
            }
        }
        of_step.push_back(std::move(sum));
    }
    return count(program.root());
}

} // namespace neurasp::circuit
