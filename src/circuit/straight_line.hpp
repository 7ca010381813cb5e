// A circuit as straight-line code, the form in which it is evaluated, counted, searched and sampled.
//
// There is one slot per input and one per step. A step adds up single slots and products of two slots, all of them
// earlier: slot(step) = sum of singles + sum of first * second. A product of many factors is a tree of steps with one
// pair each. straight_line.cpp says why.
#pragma once

#include "circuit/circuit.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace neurasp::circuit {

using Slot = std::uint32_t;

struct SlotPair {
    Slot first = 0;
    Slot second = 0;
};

class StraightLine {
  public:
    explicit StraightLine(const Circuit &circuit);

    // Slots [0, input_count) are the circuit's inputs; the steps follow in order.
    std::uint32_t input_count() const noexcept { return input_count_; }
    std::uint32_t random_input_count() const noexcept { return random_input_count_; }
    std::size_t step_count() const noexcept { return steps_.size() - 1; }
    std::size_t slot_count() const noexcept { return input_count_ + step_count(); }
    bool is_input(Slot slot) const noexcept { return slot < input_count_; }
    std::size_t step_of(Slot slot) const noexcept { return slot - input_count_; }
    Slot slot_of_step(std::size_t step) const noexcept {
        return input_count_ + static_cast<Slot>(step);
    }
    Slot slot_of(NodeId node) const { return slots_[node.index()]; }
    Slot root() const noexcept { return root_; }

    std::span<const Slot> singles(std::size_t step) const {
        const std::uint32_t begin = steps_[step].singles;
        return std::span(singles_).subspan(begin, steps_[step + 1].singles - begin);
    }
    std::span<const SlotPair> pairs(std::size_t step) const {
        const std::uint32_t begin = steps_[step].pairs;
        return std::span(pairs_).subspan(begin, steps_[step + 1].pairs - begin);
    }

  private:
    Slot add_sum(std::span<const Edge> edges);
    Slot add_product(std::span<const Edge> edges);
    Slot end_step();

    struct Step {
        std::uint32_t singles = 0; // index of the first one
        std::uint32_t pairs = 0;
    };
    std::uint32_t input_count_;
    std::uint32_t random_input_count_;
    std::vector<Step> steps_; // plus one entry for the end
    std::vector<Slot> singles_;
    std::vector<SlotPair> pairs_;
    std::vector<Slot> slots_; // by node
    std::vector<std::uint32_t>
        levels_; // by slot, how many steps wait for each other; only while it is made
    Slot root_ = 0;
};

} // namespace neurasp::circuit
