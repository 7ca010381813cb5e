// Prepares a circuit for evaluation in batches: its terms in layers, and the rows that never change.
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

// Fixed rows are the input `one`, free atoms, constants, and 0.
BatchProgram::BatchProgram(std::shared_ptr<const Circuit> circuit)
    : number_(next_number()), circuit_(std::move(circuit)), layers_(StraightLine(*circuit_)) {
    const Slot first = circuit_->first_constant();
    fixed_rows_.push_back({one_input.value, 1.0});
    for (Slot atom = circuit_->random_input_count() + 1; atom < first; ++atom) {
        fixed_rows_.push_back({atom, 1.0});
    }
    for (std::size_t i = 0; i < circuit_->constants().size(); ++i) {
        fixed_rows_.push_back({first + static_cast<Slot>(i), circuit_->constants()[i].to_double()});
    }
    fixed_rows_.push_back({layers_.zero_row(), 0.0});
}

} // namespace neurasp::circuit
