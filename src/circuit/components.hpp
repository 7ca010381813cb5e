// Splits the rest of a theory, under an assignment, into components that share no variable.
//
// A clause counts if it is unsatisfied and needed. Constraints are needed, and so is the definition of a variable that
// occurs in a needed clause or already has a value. Definitions that are no longer needed are dropped: they leave exactly
// one value for the variable that they define. A definition that was dropped stays dropped in the parts of the
// component, even if propagation assigns its variable later.
#pragma once

#include "circuit/cycle_summary.hpp"
#include "circuit/fingerprint.hpp"
#include "circuit/propagator.hpp"
#include "circuit/unfounded.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace neurasp::circuit {

struct Component {
    std::uint32_t begin = 0; // range of its variables in the finder's list
    std::uint32_t end = 0;
    Fingerprint key;
    std::uint32_t choice = nothing; // its first random variable in the order
    Var open_var = 0;               // its first open variable in the order; 0 if there is none
    bool has_evidence = false;
    std::uint32_t trail = 0; // length of the trail when it was made
};

class ComponentFinder {
  public:
    // `position`: by variable, its place in the order of decisions.
    ComponentFinder(const Theory &theory, const Propagator &propagator, UnfoundedSets &unfounded,
                    std::vector<std::uint32_t> position);

    // All variables as one component.
    Component whole();
    // Appends the components of the rest of `parent` to `found`.
    void split(const Component &parent, std::vector<Component> &found);
    std::span<const Var> variables(const Component &component) const {
        return std::span(variables_).subspan(component.begin, component.end - component.begin);
    }
    // The size of the list of variables; release() drops the components made since then.
    std::uint32_t mark() const { return static_cast<std::uint32_t>(variables_.size()); }
    void release(std::uint32_t mark) { variables_.resize(mark); }
    // All needed clauses, for the order.
    std::vector<std::uint32_t> needed_clauses();

  private:
    bool is_demanded(Var var) const;
    void find_needed(const Component &parent);
    bool clause_is_needed(std::uint32_t clause) const;
    bool has_needed_value(Var owner) const;
    bool is_satisfied(std::uint32_t clause) const;
    void explore(Var start, Component &component);
    void visit(Var var);
    void expand(Var var, Component &component);
    void add_cycles(Var var, Component &component);
    void summarise_cycles();
    bool in_unsettled_component(Var var) const;

    const Theory &theory_;
    const Propagator &propagator_;
    UnfoundedSets &unfounded_;
    CycleSummary summary_;
    const std::vector<bool> *unsettled_ = nullptr;
    std::vector<std::uint32_t> position_;
    std::vector<std::uint32_t> clauses_begin_; // by variable
    std::vector<std::uint32_t> clauses_;
    std::vector<std::uint32_t> owned_begin_; // by variable
    std::vector<std::uint32_t> owned_;       // clauses that define it
    std::vector<bool> is_evidence_;
    std::vector<Var> variables_;
    std::uint32_t stamp_ = 0;
    std::uint32_t parent_trail_ = 0;
    std::vector<std::uint32_t> in_parent_; // by variable: stamp
    std::vector<std::uint32_t> needed_;    // by variable: stamp
    std::vector<std::uint32_t> visited_;   // by variable: stamp
    std::vector<Var> open_needs_;
    std::vector<std::uint32_t> taken_; // by clause: stamp
    std::vector<std::uint32_t> glued_; // by component of positive cycles: stamp
    std::vector<std::uint32_t> *record_ = nullptr;
};

} // namespace neurasp::circuit
