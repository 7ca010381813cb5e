// Components kept up to date along the trail. For theories whose outcomes determine the model, without positive cycles.
#pragma once

#include "circuit/component_finder.hpp"
#include "circuit/propagator.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace neurasp::circuit {

class TrailFinder final : public ComponentFinder {
  public:
    // Requires: the theory is determined and has no recursive atoms. `sequence`: what is decided first, second, ...;
    // choices that are missing come last.
    TrailFinder(const Theory &theory, std::span<const Table> tables, const Propagator &propagator,
                const std::vector<Decision> &sequence);

    Component whole() override;
    void split(const Component &parent, std::vector<Component> &found) override;
    void append_implied(const Component &parent, std::vector<Lit> &literals) const override;
    bool contains(const Component &component, Var var) const override;
    Mark mark() const override;
    void release(const Mark &mark) override;
    std::uint64_t steps() const override { return literals_seen_ / literals_per_step; }

  private:
    // About as many take as long as a step of WalkingFinder does.
    static constexpr std::uint64_t literals_per_step = 8;

    // A unit is a choice, or a variable outside of choices.
    using Unit = std::uint32_t;
    using ClauseId = std::uint32_t;
    enum class Change : std::uint8_t {
        literal,     // a literal of the trail was looked at
        clause,      // a clause became inactive
        death,       // a unit died
        pin,         // a unit got a use that is not a clause
        restriction, // outcomes of a choice were excluded for the first time
        move,        // a unit moved to a new component
        component,   // a component was taken out of another one
    };
    struct Entry {
        Change change;
        std::uint32_t index; // of the literal (code), clause or unit, or a label
        std::uint32_t label; // the component that it belonged to
    };
    // A search for the component of the unit that it starts from. Searches that meet are joined: `joined` leads to the one
    // that goes on.
    struct Walk {
        std::uint32_t joined = 0;
        bool finished = false;
        std::vector<Unit> units; // reached so far
        std::vector<Unit> queue; // those not expanded yet
    };

    void index_clauses();
    void number_decisions(const std::vector<Decision> &sequence);

    bool is_active_open(Var var) const { return !assigned_[var] && !dead_[unit_of_[var]]; }
    bool is_open_unit(Unit unit) const { return !settled_[unit] && !dead_[unit]; }
    std::span<const Var> variables_of(Unit unit) const {
        return std::span(unit_variables_)
            .subspan(unit_begin_[unit], unit_begin_[unit + 1] - unit_begin_[unit]);
    }
    std::span<const ClauseId> clauses_with(Lit lit) const {
        return std::span(occurrences_)
            .subspan(occurrence_begin_[lit.code()],
                     occurrence_begin_[lit.code() + 1] - occurrence_begin_[lit.code()]);
    }
    std::span<const ClauseId> clauses_defining(Var var) const {
        return std::span(owned_).subspan(owned_begin_[var],
                                         owned_begin_[var + 1] - owned_begin_[var]);
    }

    void pin(const Decision &decision);
    void follow(Lit lit);
    void deactivate(ClauseId clause, std::uint32_t label);
    void drop_use(Unit unit);
    bool is_wide(Unit unit) const { return unit_begin_[unit + 1] - unit_begin_[unit] > 1; }
    void bury(std::uint32_t label);
    void undo(const Entry &entry);

    void collect_starts(std::uint32_t label);
    void start_walk(Unit unit);
    std::uint32_t root_of(std::uint32_t walk);
    std::uint32_t join(std::uint32_t walk, std::uint32_t other);
    void advance(std::uint32_t walk);
    void walk_in_turn();
    Component take_out(std::span<const Unit> units, std::uint32_t parent);
    Fingerprint fingerprint_of(std::span<const Unit> units);
    bool is_left(const Decision &decision, std::uint32_t label) const;
    void set_decision(Component &component, std::uint32_t rank) const;
    bool keys_agree(std::span<const Component> components);
    bool uses_agree() const;

    const Theory &theory_;
    std::span<const Table> tables_;
    const Propagator &propagator_;
    std::vector<Decision> sequence_;
    std::vector<std::uint32_t> rank_;       // by unit: its place in the sequence, or `nothing`
    std::vector<Unit> unit_of_;             // by variable
    std::vector<std::uint32_t> unit_begin_; // by unit
    std::vector<Var> unit_variables_;
    std::vector<std::uint32_t> occurrence_begin_; // by literal code
    std::vector<ClauseId> occurrences_;
    std::vector<std::uint32_t> owned_begin_; // by variable
    std::vector<ClauseId> owned_;

    std::vector<std::uint8_t> active_; // by clause: unsatisfied and needed
    std::vector<std::uint32_t> uses_;  // by unit: literals in active clauses that do not define it
    std::vector<std::uint8_t>
        assigned_; // by variable: has a value, as far as the trail was followed
    std::vector<std::uint8_t> settled_;    // by unit: all of its variables have values
    std::vector<std::uint8_t> dead_;       // by unit: nothing needs it
    std::vector<std::uint8_t> restricted_; // by unit: a wide choice of which outcomes are excluded
    std::vector<std::uint32_t> label_;     // by unit
    std::vector<Fingerprint> keys_;        // by label
    std::uint32_t first_new_label_ = 1;    // the first that the last split made
    std::uint32_t followed_ = 0;           // length of the part of the trail that was followed
    std::vector<Entry> entries_;           // what to undo
    std::vector<Unit> dying_;

    // What changed since the last split:
    std::vector<ClauseId> shortened_; // active clauses with a literal that became false
    std::vector<ClauseId> lost_;      // clauses that became inactive
    std::vector<Unit> narrowed_;      // choices of which an outcome was excluded

    std::uint32_t stamp_ = 0;
    std::vector<std::uint32_t> reached_;    // by unit: stamp
    std::vector<std::uint32_t> reached_by_; // by unit: walk
    std::vector<std::uint32_t> taken_;      // by clause: stamp
    std::vector<std::uint32_t> counted_;    // by clause: stamp
    std::vector<Walk> walks_;
    std::uint32_t walk_count_ = 0;
    std::uint32_t unfinished_ = 0;
    std::uint64_t literals_seen_ = 0;
};

} // namespace neurasp::circuit
