// The assignments of a smooth circuit, from the most to the least probable, one at a time: algorithm 3 of Huang
// and Chiang, "Better k-best parsing" (2005). best_assignments.cpp explains it.
#pragma once

#include "base/scaled_real.hpp"
#include "circuit/assignment.hpp"
#include "circuit/circuit.hpp"
#include "circuit/straight_line.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace neurasp::circuit {

class BestAssignments {
  public:
    // `random_weights[i]` is the weight of input i + 1; outcomes of free atoms weigh 1.
    // Throws: ContractError if the circuit is not smooth or the number of weights is wrong.
    BestAssignments(std::shared_ptr<const Circuit> circuit,
                    std::span<const base::ScaledReal> random_weights);

    // The next assignment. Every assignment that the circuit allows is returned once, in the order of falling values;
    // those of value 0 come last. The order of equal values depends only on the circuit.
    std::optional<Assignment> next();

  private:
    // A term whose factors take their derivations of ranks `first` and `second`, and its value.
    struct Derivation {
        base::ScaledReal value;
        std::uint32_t term = 0; // singles first
        std::uint32_t first = 0;
        std::uint32_t second = 0;
    };
    static bool comes_later(const Derivation &a, const Derivation &b);

    enum class Stage : std::uint8_t { untouched, first_factor, second_factor, settled };
    struct Queue {
        std::vector<Derivation> found; // best first
        std::vector<Derivation> candidates;
        Stage stage = Stage::untouched; // which successors of the last one found are candidates
        bool complete = false;
    };

    SlotPair factors(std::size_t step, std::uint32_t term) const;
    bool has(Slot slot, std::uint32_t rank) const;
    const base::ScaledReal &value(Slot slot, std::uint32_t rank) const;
    std::optional<Derivation> derivation(std::size_t step, std::uint32_t term, std::uint32_t first,
                                         std::uint32_t second) const;
    void find_best(std::size_t step);
    void open(std::size_t step);
    void add_candidate(std::size_t step, std::uint32_t term, std::uint32_t first,
                       std::uint32_t second);
    bool ask(Slot slot, std::uint32_t rank);
    bool add_successors(std::size_t step);
    void find_more(std::size_t step);
    Assignment assignment(std::uint32_t rank) const;

    std::shared_ptr<const Circuit> circuit_;
    StraightLine program_;
    std::vector<base::ScaledReal> weights_; // by input
    std::vector<Queue> queues_;             // by step
    std::vector<std::size_t> stack_;        // steps that are asked for one more derivation
    std::uint32_t produced_ = 0;
};

} // namespace neurasp::circuit
