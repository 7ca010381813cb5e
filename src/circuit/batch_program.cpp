// Prepares a circuit for evaluation in batches: its terms as a stream, and the slots that never change.
#include "circuit/batch_program.hpp"

#include <atomic>
#include <utility>

namespace neurasp::circuit {

namespace {

std::uint64_t next_number() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

} // namespace

// Fixed slots are the input `one`, free atoms, constants, and steps without terms, whose value is 0.
BatchProgram::BatchProgram(std::shared_ptr<const Circuit> circuit)
    : number_(next_number()), circuit_(std::move(circuit)), stream_(StraightLine(*circuit_)) {
    std::vector<bool> computed(stream_.slot_count, false);
    for (Slot input = 1; input <= circuit_->random_input_count(); ++input) computed[input] = true;
    for (const Term &term : stream_.forward) computed[term.target] = true;
    const Slot first = circuit_->first_constant();
    const auto &constants = circuit_->constants();
    for (Slot slot = 0; slot < stream_.slot_count; ++slot) {
        if (computed[slot]) continue;
        const bool is_step = slot >= first + constants.size();
        const double constant = slot < first ? 1.0
                                : is_step    ? 0.0
                                             : constants[slot - first].to_double();
        fixed_slots_.push_back({slot, constant});
    }
}

} // namespace neurasp::circuit
