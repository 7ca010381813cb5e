// A circuit as batches are evaluated on it: made once, never changed, shared by any number of threads. The
// numbers of an evaluation are elsewhere (batch_evaluator.hpp).
#pragma once

#include "circuit/circuit.hpp"
#include "circuit/term_stream.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace neurasp::circuit {

class BatchProgram {
  public:
    // A slot that no weight and no term gives a value.
    struct FixedSlot {
        Slot slot = 0;
        double value = 0.0;
    };

    explicit BatchProgram(std::shared_ptr<const Circuit> circuit);

    // Another one for every program of this process; a moved one keeps it.
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
