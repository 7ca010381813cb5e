// The k best assignments of a smooth circuit, lazily.
//
// The idea is algorithm 3 of Huang and Chiang, "Better k-best parsing" (2005): a derivation of a node is one of its
// terms together with a rank in each of the term's factors (the 3rd best derivation of this one, the best of that
// one). Every node keeps the derivations that it has found, best first, and a heap of candidates. The best
// derivation of all nodes takes one pass (max-product instead of sum-product). Each further one is asked for at the root:
// the next derivation of a node is the top of its heap, once the successors of the last one found are candidates too,
// and these may have to ask their factors for one more.
//
// How ours differs. Nodes are the steps of the straight-line code (straight_line.hpp), whose terms have at most two
// factors. A derivation (a, b) has two predecessors, (a - 1, b) and (a, b - 1), and would be found twice; we give it
// only one: (a, b) follows (a - 1, b), and (0, b) follows (0, b - 1). So no set of visited derivations is needed. There is
// no recursion, because circuits may be deep: `stack_` holds the steps that are asked for one more, and `stage` says
// how far a step has got with the successors of its last derivation.
//
// Since the circuit is deterministic and smooth, derivations of the root are assignments, one to one.
//
// Invariants. `found` never increases in value. When a step's stage is `settled`, the heap holds the successors of all its
// derivations. Ties are broken by term and ranks, so the order depends only on the circuit and the weights.
//
// Cost. The best assignment takes time linear in the circuit. Each further one adds at most one derivation to each
// step that is asked, with a heap operation for each. Memory grows with the number of derivations found.
#include "circuit/best_assignments.hpp"

#include "neurasp/diagnostic.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace neurasp::circuit {

using base::ScaledReal;

BestAssignments::BestAssignments(std::shared_ptr<const Circuit> circuit,
                                 std::span<const ScaledReal> random_weights)
    : circuit_(std::move(circuit)), program_(*circuit_),
      weights_(program_.input_count(), ScaledReal(1.0L)), queues_(program_.step_count()) {
    if (!circuit_->smooth()) throw ContractError("BestAssignments: the circuit is not smooth");
    if (random_weights.size() != circuit_->random_input_count())
        throw ContractError(
            "BestAssignments: expected one weight for each outcome of a random variable");
    std::copy(random_weights.begin(), random_weights.end(), weights_.begin() + 1);
    std::copy(circuit_->constants().begin(), circuit_->constants().end(),
              weights_.begin() + circuit_->first_constant());
    for (std::size_t step = 0; step < queues_.size(); ++step) find_best(step);
}

// The order of the heap: its top comes later than no other candidate.
bool BestAssignments::comes_later(const Derivation &a, const Derivation &b) {
    if (a.value != b.value) return a.value < b.value;
    return std::tie(a.term, a.first, a.second) > std::tie(b.term, b.first, b.second);
}

SlotPair BestAssignments::factors(std::size_t step, std::uint32_t term) const {
    const auto singles = program_.singles(step);
    if (term < singles.size()) return {singles[term], one_input.value};
    return program_.pairs(step)[term - singles.size()];
}

bool BestAssignments::has(Slot slot, std::uint32_t rank) const {
    if (program_.is_input(slot)) return rank == 0;
    return rank < queues_[program_.step_of(slot)].found.size();
}

const ScaledReal &BestAssignments::value(Slot slot, std::uint32_t rank) const {
    if (program_.is_input(slot)) return weights_[slot];
    return queues_[program_.step_of(slot)].found[rank].value;
}

std::optional<BestAssignments::Derivation> BestAssignments::derivation(std::size_t step,
                                                                       std::uint32_t term,
                                                                       std::uint32_t first,
                                                                       std::uint32_t second) const {
    const SlotPair slots = factors(step, term);
    if (!has(slots.first, first) || !has(slots.second, second)) return {};
    return Derivation{value(slots.first, first) * value(slots.second, second), term, first, second};
}

void BestAssignments::find_best(std::size_t step) {
    const std::size_t terms = program_.singles(step).size() + program_.pairs(step).size();
    std::optional<Derivation> best;
    for (std::uint32_t term = 0; term < terms; ++term) {
        const auto next = derivation(step, term, 0, 0);
        if (next && (!best || comes_later(*best, *next))) best = next;
    }
    Queue &queue = queues_[step];
    queue.complete = !best;
    if (best) queue.found.push_back(*best);
}

void BestAssignments::add_candidate(std::size_t step, std::uint32_t term, std::uint32_t first,
                                    std::uint32_t second) {
    const auto next = derivation(step, term, first, second);
    if (!next) return;
    std::vector<Derivation> &candidates = queues_[step].candidates;
    candidates.push_back(*next);
    std::push_heap(candidates.begin(), candidates.end(), comes_later);
}

// Makes the best derivations of all terms candidates, except that of the term of the best one.
void BestAssignments::open(std::size_t step) {
    Queue &queue = queues_[step];
    const std::size_t terms = program_.singles(step).size() + program_.pairs(step).size();
    for (std::uint32_t term = 0; term < terms; ++term) {
        if (term != queue.found.front().term) add_candidate(step, term, 0, 0);
    }
    queue.stage = Stage::first_factor;
}

// Whether it is known if the slot has a derivation of this rank. If not, pushes its step onto the stack.
bool BestAssignments::ask(Slot slot, std::uint32_t rank) {
    if (has(slot, rank) || program_.is_input(slot)) return true;
    const std::size_t step = program_.step_of(slot);
    if (queues_[step].complete) return true;
    stack_.push_back(step);
    return false;
}

// Makes the successors of the last derivation candidates. False if a factor has to be asked first.
bool BestAssignments::add_successors(std::size_t step) {
    Queue &queue = queues_[step];
    if (queue.stage == Stage::untouched) open(step);
    const Derivation last = queue.found.back();
    const SlotPair slots = factors(step, last.term);
    if (queue.stage == Stage::first_factor) {
        if (!ask(slots.first, last.first + 1)) return false;
        add_candidate(step, last.term, last.first + 1, last.second);
        queue.stage = Stage::second_factor;
    }
    if (queue.stage == Stage::second_factor) {
        if (last.first == 0) {
            if (!ask(slots.second, last.second + 1)) return false;
            add_candidate(step, last.term, 0, last.second + 1);
        }
        queue.stage = Stage::settled;
    }
    return true;
}

// Finds one more derivation of the step, or that there is none.
void BestAssignments::find_more(std::size_t step) {
    stack_.assign(1, step);
    while (!stack_.empty()) {
        const std::size_t current = stack_.back();
        if (!add_successors(current)) continue;
        stack_.pop_back();
        Queue &queue = queues_[current];
        if (queue.candidates.empty()) {
            queue.complete = true;
            continue;
        }
        std::pop_heap(queue.candidates.begin(), queue.candidates.end(), comes_later);
        queue.found.push_back(queue.candidates.back());
        queue.candidates.pop_back();
        queue.stage = Stage::first_factor;
    }
}

Assignment BestAssignments::assignment(std::uint32_t rank) const {
    Assignment result{value(program_.root(), rank), {}};
    result.outcomes.resize(circuit_->variable_count());
    std::vector<std::pair<Slot, std::uint32_t>> open{{program_.root(), rank}};
    while (!open.empty()) {
        const auto [slot, slot_rank] = open.back();
        open.pop_back();
        if (!program_.is_input(slot)) {
            const std::size_t step = program_.step_of(slot);
            const Derivation &derivation = queues_[step].found[slot_rank];
            const SlotPair slots = factors(step, derivation.term);
            open.emplace_back(slots.first, derivation.first);
            open.emplace_back(slots.second, derivation.second);
        } else if (slot != one_input.value && slot < circuit_->first_constant()) {
            result.outcomes[circuit_->variable_of(InputId(slot))] =
                circuit_->outcome_of(InputId(slot));
        }
    }
    return result;
}

std::optional<Assignment> BestAssignments::next() {
    const Slot root = program_.root();
    if (!has(root, produced_) && !program_.is_input(root)) {
        const std::size_t step = program_.step_of(root);
        if (!queues_[step].complete) find_more(step);
    }
    if (!has(root, produced_)) return {};
    return assignment(produced_++);
}

} // namespace neurasp::circuit
