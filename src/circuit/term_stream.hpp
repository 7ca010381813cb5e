// The terms of a StraightLine in long arrays, for evaluation only: a processor predicts the branches of one long loop
// better than those of many short ones.
#pragma once

#include "circuit/straight_line.hpp"

#include <cstdint>
#include <vector>

namespace neurasp::circuit {

// target = first * second, or target += first * second if `continues`.
struct Term {
    Slot target = 0;
    Slot first = 0;
    Slot second = 0;
    std::uint32_t continues = 0;
};

struct TermStream {
    explicit TermStream(const StraightLine &program);

    std::size_t slot_count;
    Slot root;
    std::vector<Term> forward;     // all terms; a single slot is multiplied by the input `one`
    std::vector<Term> pairs;       // in reverse order
    std::vector<Term> singles;     // of inputs, so their derivatives can be computed last
    std::vector<Slot> used_inputs; // random inputs that occur in a term
    std::vector<Slot> unused_inputs;
};

} // namespace neurasp::circuit
