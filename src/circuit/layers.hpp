// Straight-line code in layers, the form in which circuits are evaluated, here and as tensors (layer_tables.hpp).
//
// A row is a number of the circuit: the inputs, then 0, then the steps, layer by layer. A row of a step is the sum of
// products of two rows of earlier layers. The derivatives of the root have the same form: a derivative is the sum, over all
// uses of its row, of the derivative of the step that uses it times the other factor. layers.cpp says why.
#pragma once

#include "circuit/straight_line.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace neurasp::circuit {

// Rows that are sums of products, in the order in which they are computed.
struct LayeredSums {
    // Neighbours with equally many terms.
    struct Run {
        std::uint32_t rows = 0;
        std::uint32_t width = 0;
    };
    std::vector<Run> runs;
    std::vector<std::uint32_t> layers; // the first run of each layer; plus one entry for the end
    std::vector<SlotPair> terms;       // row by row

    std::size_t row_count() const;
};

class Layers {
  public:
    explicit Layers(const StraightLine &program);

    // Rows of values: inputs, 0, steps.
    std::uint32_t input_count() const noexcept { return input_count_; }
    std::uint32_t random_input_count() const noexcept { return random_input_count_; }
    Slot zero_row() const noexcept { return input_count_; }
    Slot first_step() const noexcept { return input_count_ + 1; }
    std::size_t value_count() const noexcept { return value_count_; }
    Slot root() const noexcept { return root_; }
    const LayeredSums &values() const noexcept { return values_; }

    // Rows of derivatives: the root's, which is given, then those of other steps and of random inputs. In a term, the first
    // row is one of derivatives, the second one of values.
    std::size_t derivative_count() const noexcept { return derivative_count_; }
    const LayeredSums &derivatives() const noexcept { return derivatives_; }

    // A random input that the root depends on, and its derivative.
    struct UsedInput {
        Slot input = 0;
        std::uint32_t derivative = 0;
    };
    const std::vector<UsedInput> &used_inputs() const noexcept { return used_inputs_; }
    const std::vector<Slot> &unused_inputs() const noexcept { return unused_inputs_; }

    // Throws: std::logic_error if an invariant does not hold (layers.cpp).
    void verify() const;

  private:
    void add_values(const StraightLine &program);
    void add_derivatives();

    std::uint32_t input_count_;
    std::uint32_t random_input_count_;
    std::size_t value_count_ = 0;
    Slot root_ = 0;
    LayeredSums values_;
    std::size_t derivative_count_ = 1;
    LayeredSums derivatives_;
    std::vector<UsedInput> used_inputs_; // ascending
    std::vector<Slot> unused_inputs_;
};

} // namespace neurasp::circuit
