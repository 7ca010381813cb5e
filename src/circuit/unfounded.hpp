// Unfounded sets: atoms on positive cycles that support only each other.
//
// Every such atom that is not false has a source: a support whose body is not false and which needs only atoms with
// sources, without going round in a circle. When the body of a source becomes false, new sources are looked for; atoms
// that have none are made false by loop nogoods. Sources stay valid when assignments are undone, so nothing is
// restored on backtracking. (The method of smodels and clasp: Gebser, Kaufmann and Schaub, "Conflict-driven answer set
// solving", 2012.)
#pragma once

#include "circuit/propagator.hpp"

#include <cstdint>
#include <vector>

namespace neurasp::circuit {

class UnfoundedSets {
  public:
    UnfoundedSets(const Theory &theory, Propagator &propagator);

    // Finds and excludes unfounded sets at a fixpoint of the propagator; false on conflict. If there were any, the trail
    // has grown.
    bool check();
    void undone();

    // By component: whether it has true atoms that are not yet derived from true bodies. Their supports depend on each
    // other in a way that clauses do not show.
    const std::vector<bool> &unsettled();

    // The components of positive cycles that a variable belongs to, as an atom or as a body.
    const std::vector<std::uint32_t> &components_of(Var var) const { return components_of_[var]; }
    const std::vector<Var> &variables_of(std::uint32_t component) const {
        return variables_of_[component];
    }
    bool empty() const noexcept { return atoms_.empty(); }

    // Atoms and supports by index, for CycleSummary.
    struct Source {
        Lit body;
        std::uint32_t atom = 0;           // index
        std::vector<std::uint32_t> needs; // indices of atoms
        std::vector<Lit> others;
        bool choice = false;
    };
    std::size_t atom_count() const noexcept { return atoms_.size(); }
    Var atom(std::uint32_t index) const { return atoms_[index]; }
    // Requires: the variable is an atom of a positive cycle.
    std::uint32_t index_of(Var var) const { return index_of_[var]; }
    std::uint32_t component_of_atom(std::uint32_t index) const { return component_[index]; }
    // Whether the atom was derived from true bodies when unsettled() was last called.
    bool is_founded(std::uint32_t atom) const { return founded_[atom]; }
    std::size_t support_count() const noexcept { return supports_.size(); }
    const Source &support(std::uint32_t index) const { return supports_[index]; }
    const std::vector<std::uint32_t> &supports_of(std::uint32_t atom) const {
        return supports_of_[atom];
    }
    const std::vector<std::uint32_t> &needed_by(std::uint32_t atom) const {
        return needed_by_[atom];
    }

  private:
    void collect_lost();
    void add_dependants();
    void find_new_sources();
    bool try_to_support(std::uint32_t atom);
    bool exclude(std::uint32_t component);
    void join(std::uint32_t atom);

    Propagator &propagator_;
    std::vector<Var> atoms_;
    std::vector<std::uint32_t> index_of_;  // by variable
    std::vector<std::uint32_t> component_; // by atom
    std::vector<Source> supports_;
    std::vector<std::vector<std::uint32_t>> supports_of_; // by atom
    std::vector<std::vector<std::uint32_t>> needed_by_;   // by atom: supports
    std::vector<std::vector<std::uint32_t>> with_body_;   // by literal code: supports
    std::vector<std::uint32_t> source_;                   // by atom
    std::vector<bool> in_set_;                            // by atom
    std::vector<std::uint32_t> set_;
    std::vector<std::vector<std::uint32_t>> components_of_;
    std::vector<std::vector<Var>> variables_of_;
    std::vector<bool> unsettled_;
    std::vector<std::uint32_t> missing_; // by support
    std::vector<bool> founded_;          // by atom
    std::size_t next_ = 0;               // first position on the trail not looked at yet
    bool first_ = true;
};

} // namespace neurasp::circuit
