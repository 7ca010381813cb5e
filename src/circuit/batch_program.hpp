// A circuit prepared for evaluation in batches. It never changes, so any number of threads may share it; the buffers
// of an evaluation are separate (batch_evaluator.hpp).
#pragma once

#include "circuit/circuit.hpp"
#include "circuit/term_stream.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace neurasp::circuit {

class BatchProgram {
  public:
    // A slot whose value comes from neither a weight nor a term.
    struct FixedSlot {
        Slot slot = 0;
        double value = 0.0;
    };

    explicit BatchProgram(std::shared_ptr<const Circuit> circuit);

    // Unique in this process; a program that is moved keeps its number.
    std::uint64_t number() const noexcept { return number_; }
    const std::shared_ptr<const Circuit> &circuit() const noexcept { return circuit_; }
    const TermStream &stream() const noexcept { return stream_; }
    const std::vector<FixedSlot> &fixed_slots() const noexcept { return fixed_slots_; }

  private:
    std::uint64_t number_;
    std::shared_ptr<const Circuit> circuit_;
    TermStream stream_;
    std::vector<FixedSlot> fixed_slots_;
};

} // namespace neurasp::circuit
