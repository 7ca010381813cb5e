// Positive cycles as far as they are still undecided, reduced to what matters.
//
// Think of reachability in a graph whose edges are decided one by one: nodes behind the frontier matter
// only in that they connect nodes of the frontier. An atom is `interior` if every open way to derive it,
// and everything that it helps to derive, is a plain step from one atom to another. Interior atoms are
// left out of a component's key; the steps that lead through them are summarised as links between the
// other atoms, and an interior atom that must be true as the set of atoms of which one must be derived.
// (Unfolding such steps keeps the stable models.) Where choices are open, no atom is interior.
#pragma once

#include "circuit/unfounded.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace neurasp::circuit {

class CycleSummary {
  public:
    CycleSummary(const Theory &theory, const Propagator &propagator,
                 const UnfoundedSets &unfounded);

    struct View {
        std::function<bool(Var)> is_live;             // open and part of what is looked at
        std::function<bool(std::uint32_t)> is_active; // a clause that is needed and not satisfied
    };
    // Requires: unfounded.unsettled() was called for this assignment.
    void update(const View &view);

    bool is_left_out(Var var) const { return left_out_[var] == stamp_; }
    // A fingerprint of the links that lead to an atom; 0 if there are none.
    std::uint64_t links_to(Var var) const { return link_stamp_[var] == stamp_ ? links_[var] : 0; }
    // A fingerprint of what must be true on a cycle (component) and is not derived yet.
    std::uint64_t demands(std::uint32_t cycle) const { return demands_[cycle]; }

  private:
    std::uint64_t follow(std::uint32_t atom, bool &demanded);
    void find_demands();
    bool has_active_clause(Var var, const View &view) const;
    void classify(const View &view);
    void find_interior(const View &view);
    void find_links();

    const Theory &theory_;
    const Propagator &propagator_;
    const UnfoundedSets &unfounded_;
    std::vector<std::vector<std::uint32_t>> foreign_; // by variable: clauses outside of the cycles
    std::vector<std::uint32_t> plain_step_;           // by support: the atom that it starts from
    std::vector<bool> is_evidence_;                   // by variable
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
