// The assignments of a smooth circuit from the most to the least probable, one at a time.
//
// After Huang and Chiang, "Better k-best parsing" (2005), algorithm 3. Every step of the
// straight-line code keeps the derivations that it has found, best first, and a heap of candidates;
// a derivation is one of its terms with a rank in each of the two factors. The best one of all
// steps takes one pass; each further one is asked for from the root down and costs at most one more
// in each step on the way. A derivation has one predecessor only ((a, b) follows (a - 1, b), and
// (0, b) follows (0, b - 1)), so none is met twice. There is no recursion: circuits may be deep.
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

    // The next one: every assignment that the circuit allows comes once, values never increase,
    // those of value 0 come last. The order of equal values depends on the circuit alone.
    std::optional<Assignment> next();

  private:
    // The value of a term where its factors take the derivations of these ranks.
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
        Stage stage =
            Stage::untouched; // how far the successors of the last one found are candidates
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
    std::vector<std::size_t> stack_;        // steps that are asked for one more
    std::uint32_t produced_ = 0;
};

} // namespace neurasp::circuit
