// Flattens straight-line code into arrays of terms.
#include "circuit/term_stream.hpp"

#include <algorithm>

namespace neurasp::circuit {

TermStream::TermStream(const StraightLine &program)
    : slot_count(program.slot_count()), root(program.root()) {
    for (std::size_t step = 0; step < program.step_count(); ++step) {
        Term term{program.slot_of_step(step), 0, one_input.value, 0};
        const auto add = [&](std::vector<Term> &kind) {
            forward.push_back(term);
            kind.push_back(term);
            term.continues = 1;
        };
        for (const Slot single : program.singles(step)) {
            term.first = single;
            add(singles);
        }
        for (const auto [first, second] : program.pairs(step)) {
            term.first = first;
            term.second = second;
            add(pairs);
        }
    }
    std::reverse(pairs.begin(), pairs.end());
    std::vector<bool> used(slot_count, false);
    used[root] = true;
    for (const Term &term : forward) used[term.first] = used[term.second] = true;
    for (Slot input = 1; input <= program.random_input_count(); ++input) {
        (used[input] ? used_inputs : unused_inputs).push_back(input);
    }
}

} // namespace neurasp::circuit
