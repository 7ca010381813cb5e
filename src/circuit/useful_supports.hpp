// Which supports of a positive cycle can still make a difference to what is asked of it.
//
// Of a cycle, only its exits are asked for: the atoms that something outside looks at, or that must be true. Supports that
// cannot change whether an exit is derived are useless; the finder neither decides nor remembers what they depend on.
// useful_supports.cpp says why that is right.
#pragma once

#include "circuit/cycle_uses.hpp"
#include "circuit/order.hpp"
#include "circuit/unfounded.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace neurasp::circuit {

class UsefulSupports {
  public:
    // Cycles with more exits are not judged.
    static constexpr std::size_t most_exits = 3;

    UsefulSupports(const Theory &theory, const Propagator &propagator,
                   const UnfoundedSets &unfounded, const CycleUses &uses);

    // The component that is about to be split.
    struct Parent {
        std::function<bool(Var)> contains; // whether a variable is open and in the component
        std::function<bool(std::uint32_t)> has_part_of; // whether it has variables of a cycle
        std::function<bool(std::uint32_t)>
            may_be_active; // clauses for which it is false do not matter any more
    };
    // Judges all supports under the current assignment; false if an atom that must be true cannot be derived, so
    // that the component has no model. Appends literals to `implied` that hold in all of its models although
    // propagation does not see it. Requires: unfounded.unsettled() was called for this assignment.
    bool judge(const Parent &parent, std::vector<Lit> &implied);

    // Whether useless supports of a cycle are left out.
    bool judges(std::uint32_t cycle) const { return judged_[cycle] == stamp_; }
    // Whether the cycle, which is judged, has atoms that must be true and are not derived yet, or parts that depend on each
    // other in a way that clauses do not show.
    bool is_unsettled(std::uint32_t cycle) const { return is_unsettled_[cycle]; }
    bool is_useful(std::uint32_t support) const { return useful_[support] == stamp_; }
    // The judged cycle of an atom, or `nothing`.
    std::uint32_t judged_cycle_of(Var var) const {
        const std::uint32_t cycle = cycle_of_[var];
        return cycle != nothing && judges(cycle) ? cycle : nothing;
    }
    // Whether a judged cycle has one exit only, which is a demand. Then the atoms from which a sure path leads to it are its
    // targets, and all that is asked for is that one of them is derived without the others.
    bool has_one_demand(std::uint32_t cycle) const {
        return exits_[cycle].size() == 1 && is_true(exits_[cycle].front());
    }
    bool is_target(std::uint32_t atom) const { return target_[atom] == stamp_; }
    // The exits of a judged cycle, without those that hold if another one does.
    std::span<const std::uint32_t> exits(std::uint32_t cycle) const { return exits_[cycle]; }

    // The first choice, by position, among those that supports next to the targets depend on directly, or those of supports
    // that only need atoms that are derived; `nothing` if there is none. Requires: the cycle has one demand.
    std::uint32_t choice_near(std::uint32_t cycle, Order::Near near,
                              const std::vector<std::uint32_t> &position) const;

    // To be called after a split with what its components contain: what none of them needs may not be demanded later.
    void forget_unneeded(const std::function<bool(Var)> &is_needed);

    // undo() takes back all that has been noted since the mark; until then, supports that were left out stay left out.
    std::uint32_t mark() const { return static_cast<std::uint32_t>(forgotten_.size()); }
    void undo(std::uint32_t mark);

  private:
    bool is_seen(Var var, const Parent &parent) const;
    bool is_true(std::uint32_t atom) const {
        return propagator_.is_true(Lit(unfounded_.atom(atom)));
    }
    bool is_demand(std::uint32_t atom) const {
        return is_watched_[atom] && is_true(atom) && !unfounded_.is_founded(atom);
    }
    bool restricts_needs(std::uint32_t support) const;
    bool find_exits(std::uint32_t cycle, const Parent &parent);
    bool drop_implied_exits(std::uint32_t cycle);
    void classify(std::uint32_t cycle, const Parent &parent);
    void find_targets(std::uint32_t exit);
    void derive(std::uint32_t cycle, bool block_targets);
    void mark_useful(std::span<const std::uint32_t> from, bool block_targets);
    bool exclude(std::uint32_t exit, std::vector<Lit> &implied) const;
    bool judge_cycle(std::uint32_t cycle, const Parent &parent, std::vector<Lit> &implied);
    void imply_only_way(std::vector<Lit> &implied);
    void forget(std::uint32_t cycle);

    const Theory &theory_;
    const Propagator &propagator_;
    const UnfoundedSets &unfounded_;
    const CycleUses &uses_;
    std::vector<std::uint32_t> cycle_of_;                 // by variable: of an atom, or `nothing`
    std::vector<std::vector<std::uint32_t>> atoms_of_;    // by cycle
    std::vector<std::vector<std::uint32_t>> supports_of_; // by cycle
    std::vector<bool> is_watched_;                        // by atom
    std::vector<std::uint32_t> forgotten_;                // atoms, in the order in which they were
    std::vector<bool> is_reduced_; // by cycle: whether something was left out on this branch
    std::vector<std::vector<std::uint32_t>> exits_; // by cycle
    std::vector<std::uint32_t> judged_;             // by cycle: stamp
    std::vector<bool> is_unsettled_;                // by cycle
    std::vector<std::uint32_t> useful_;             // by support: stamp
    std::vector<std::uint32_t> target_;             // by atom: stamp
    std::uint32_t stamp_ = 1;                       // of the last call of judge()
    // Of the cycle that is being judged:
    std::vector<bool> is_available_; // by support
    std::vector<std::uint32_t>
        plain_step_;                     // by support: the atom where the step starts, or `nothing`
    std::vector<std::uint32_t> missing_; // by support
    std::vector<std::uint32_t> leads_there_; // by atom: search
    std::vector<std::uint32_t> derived_;     // by atom: search
    std::vector<std::uint32_t> reached_;     // by atom: search
    std::uint32_t search_ = 0;
    std::vector<std::uint32_t> targets_; // of the last search
    std::vector<std::uint32_t> open_;
};

} // namespace neurasp::circuit
