// A circuit prepared for evaluation in batches. It never changes, so any number of threads may share it; the buffers
// of an evaluation are separate (batch_evaluator.hpp).
#pragma once

#include "circuit/circuit.hpp"
#include "circuit/layers.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace neurasp::circuit {

class BatchProgram {
  public:
    // A row whose value comes from neither a weight nor a term.
    struct FixedRow {
        Slot row = 0;
        double value = 0.0;
    };

    explicit BatchProgram(std::shared_ptr<const Circuit> circuit);

    // Unique in this process; a program that is moved keeps its number.
    std::uint64_t number() const noexcept { return number_; }
    const std::shared_ptr<const Circuit> &circuit() const noexcept { return circuit_; }
    const Layers &layers() const noexcept { return layers_; }
    const std::vector<FixedRow> &fixed_rows() const noexcept { return fixed_rows_; }

  private:
    std::uint64_t number_;
    std::shared_ptr<const Circuit> circuit_;
    Layers layers_;
    std::vector<FixedRow> fixed_rows_;
};

} // namespace neurasp::circuit
