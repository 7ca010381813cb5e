// Components found by walking over what is left after each decision (component_finder.hpp says what they are).
#pragma once

#include "circuit/component_finder.hpp"
#include "circuit/cycle_summary.hpp"
#include "circuit/propagator.hpp"
#include "circuit/unfounded.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace neurasp::circuit {

class WalkingFinder final : public ComponentFinder {
  public:
    // `position`: by variable, its place in the order of decisions. `near`: what is decided before all else.
    WalkingFinder(const Theory &theory, const Propagator &propagator, UnfoundedSets &unfounded,
                  std::vector<std::uint32_t> position, Order::Near near = Order::Near::none);

    Component whole() override;
    bool judge(const Component &parent, std::vector<Lit> &implied) override;
    void split(const Component &parent, std::vector<Component> &found) override;
    void append_implied(const Component &parent, std::vector<Lit> &literals) const override;
    bool contains(const Component &component, Var var) const override;
    Mark mark() const override { return {useful_.mark(), list_end()}; }
    void release(const Mark &mark) override {
        useful_.undo(mark.trail);
        variables_.resize(mark.entries);
    }
    std::uint64_t steps() const override { return steps_; }
    std::span<const Var> variables(const Component &component) const {
        return std::span(variables_).subspan(component.begin, component.end - component.begin);
    }
    // All needed clauses, for the order: also those of which judge() would say that they are useless.
    std::vector<std::uint32_t> needed_clauses();
    // How many open atoms of positive cycles something outside looks at. Requires: needed_clauses() was called last.
    std::size_t exit_count() const;

  private:
    std::uint32_t list_end() const { return static_cast<std::uint32_t>(variables_.size()); }
    bool is_demanded(Var var) const;
    void enter(const Component &parent);
    void find_needed(const Component &parent);
    bool clause_is_needed(std::uint32_t clause) const;
    bool has_needed_value(Var owner) const;
    bool is_satisfied(std::uint32_t clause) const;
    void explore(Var start, Component &component);
    void visit(Var var);
    void expand(Var var, Component &component);
    void add_cycles(Var var, Component &component);
    void summarise_cycles();
    void decide_near(std::uint32_t cycle, Component &component) const;
    bool is_unsettled(std::uint32_t cycle) const;
    bool in_unsettled_component(Var var) const;
    bool may_derive(Var var) const;

    const Theory &theory_;
    const Propagator &propagator_;
    UnfoundedSets &unfounded_;
    CycleUses uses_;
    UsefulSupports useful_;
    CycleSummary summary_;
    const std::vector<bool> *unsettled_ = nullptr;
    std::vector<std::uint32_t> position_;
    Order::Near near_;
    std::vector<std::uint32_t> clauses_begin_; // by variable
    std::vector<std::uint32_t> clauses_;
    std::vector<std::uint32_t> owned_begin_; // by variable
    std::vector<std::uint32_t> owned_;       // clauses that define it
    std::vector<bool> is_evidence_;
    std::vector<bool> is_shown_;
    std::vector<std::vector<std::uint32_t>> supports_with_; // by variable: those whose body it is
    std::vector<Var> variables_;
    std::uint32_t stamp_ = 0;
    std::uint32_t parent_trail_ = 0;
    std::vector<std::uint32_t> in_parent_; // by variable: stamp
    std::vector<std::uint32_t> needed_;    // by variable: stamp
    std::vector<std::uint32_t> visited_;   // by variable: stamp
    std::vector<Var> open_needs_;
    std::vector<std::uint32_t> taken_;   // by clause: stamp
    std::vector<std::uint32_t> entered_; // by component of positive cycles: stamp
    std::vector<std::uint32_t> glued_;   // by component of positive cycles: stamp
    std::vector<std::uint32_t> *record_ = nullptr;
    std::uint64_t steps_ = 0;
};

} // namespace neurasp::circuit
