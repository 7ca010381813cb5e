// The undecided part of positive cycles, reduced to what matters for the key of a component.
//
// An atom is interior if every open way to derive it, and everything that it helps to derive, is a plain step from one
// atom to another. Interior atoms are left out of keys. Steps through them become links between the other atoms, and an
// interior atom that must be true becomes the set of atoms of which one must be derived. cycle_summary.cpp
// explains why this is right.
#pragma once

#include "circuit/cycle_uses.hpp"
#include "circuit/unfounded.hpp"
#include "circuit/useful_supports.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace neurasp::circuit {

class CycleSummary {
  public:
    CycleSummary(const Theory &theory, const Propagator &propagator, const UnfoundedSets &unfounded,
                 const CycleUses &uses, const UsefulSupports &useful);

    struct View {
        std::function<bool(Var)> is_live;             // whether a variable is open and needed
        std::function<bool(std::uint32_t)> is_active; // whether a clause is needed and unsatisfied
    };
    // Requires: unfounded.unsettled() was called for this assignment.
    void update(const View &view);

    bool is_left_out(Var var) const { return left_out_[var] == stamp_; }
    // A fingerprint of the links that lead to an atom; 0 if there are none.
    std::uint64_t links_to(Var var) const { return link_stamp_[var] == stamp_ ? links_[var] : 0; }
    // A fingerprint of the atoms of a cycle (component) that must be true but are not derived yet.
    std::uint64_t demands(std::uint32_t cycle) const { return demands_[cycle]; }

  private:
    std::uint64_t follow(std::uint32_t atom, bool &demanded);
    void find_demands();
    void find_demands_of_judged();
    bool has_active_clause(Var var, const View &view) const;
    void classify(const View &view);
    void find_interior(const View &view);
    void find_links();

    const Theory &theory_;
    const Propagator &propagator_;
    const UnfoundedSets &unfounded_;
    const CycleUses &uses_;
    const UsefulSupports &useful_;
    std::vector<std::uint32_t> plain_step_; // by support: the atom where the step starts
    std::vector<bool> is_open_support_;
    std::vector<bool> is_live_;             // by atom
    std::vector<bool> is_interior_;         // by atom
    std::vector<std::uint32_t> left_out_;   // by variable: stamp
    std::vector<std::uint32_t> link_stamp_; // by variable
    std::vector<std::uint64_t> links_;      // by variable
    std::vector<std::uint64_t> demands_;    // by cycle
    std::vector<std::uint32_t> reached_;    // by atom: stamp of the search
    std::uint32_t search_ = 0;
    std::uint32_t stamp_ = 1;
};

} // namespace neurasp::circuit
