// Unit propagation on a theory: clauses with two watched literals, exactly-one for the outcomes of each choice and the values
// of each table, and clauses learned from conflicts (first unique implication point). propagator.cpp says how clauses are
// stored.
#pragma once

#include "circuit/tables.hpp"
#include "circuit/theory.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace neurasp::circuit {

class Propagator {
  public:
    // Requires: `tables` follow from the theory, and live as long as the propagator. `most_learned`: when there are more
    // learned clauses, half of them are dropped.
    explicit Propagator(const Theory &theory, std::span<const Table> tables = {},
                        std::size_t most_learned = 20'000);

    // Assignment.
    bool is_true(Lit lit) const { return values_[lit.code()] > 0; }
    bool is_false(Lit lit) const { return values_[lit.code()] < 0; }
    bool is_open(Var var) const { return values_[2 * var] == 0; }
    std::uint32_t level() const { return static_cast<std::uint32_t>(level_begin_.size()); }
    std::span<const Lit> trail() const { return trail_; }
    // The position on the trail at which a variable got its value. Requires: it is not open.
    std::uint32_t place_of(Var var) const { return facts_[var].place; }

    std::uint32_t level_of(Var var) const { return facts_[var].level; } // likewise

    // Whether some outcomes of the variable's choice are excluded.
    bool is_restricted(Var var) const {
        const std::uint32_t group = group_of_[Lit(var).code()];
        return group != nothing && theory_.choice_of(var) != nothing &&
               not_false_[group] < groups_[group].literals.size();
    }

    // Starts a new level in which `lit` is true. Requires: `lit` is not false.
    void decide(Lit lit);
    // Runs to the fixpoint; false on conflict.
    bool propagate();
    // Undoes the last level.
    void undo_level();
    // After a conflict at a level above 0: learns a clause that excludes it. Call before undo_level().
    void learn_from_conflict();
    // Applies the clause learned last, if it forces a literal now; false on conflict.
    bool apply_learned();

    // Adds an implied clause that is currently unit or false, and applies it; false on conflict.
    bool add_implied(std::span<const Lit> literals);

    // Whether there was a conflict at level 0, so that there is no model.
    bool failed() const noexcept { return failed_; }
    std::uint64_t conflicts() const noexcept { return conflicts_; }

  private:
    // The place of a clause in the arena.
    using ClauseRef = std::uint32_t;
    enum class ReasonKind : std::uint32_t { none, clause, literal, group };
    struct Reason {
        ReasonKind kind = ReasonKind::none;
        std::uint32_t index = 0; // a ClauseRef, a literal's code or a group
    };
    // Of a variable that has a value.
    struct Fact {
        std::uint32_t level = 0;
        std::uint32_t place = 0; // on the trail
        Reason reason;
    };
    // Literals of which at most one is true, or exactly one if the group is complete: the outcomes of a choice of three or
    // more, the values of a table. A literal is in one group at most.
    struct Group {
        std::span<const Lit> literals;
        bool complete = true;
    };
    struct Watch {
        ClauseRef clause; // or the mark of a pair
        Lit blocker;      // a literal of the clause; of a pair, the other one
    };

    ClauseRef store_clause(std::span<const Lit> literals);
    std::uint32_t size_of(ClauseRef clause) const { return arena_[clause].code(); }
    std::span<Lit> literals_of(ClauseRef clause) {
        return std::span(arena_).subspan(clause + 1, size_of(clause));
    }
    std::span<const Lit> literals_of(ClauseRef clause) const {
        return std::span(arena_).subspan(clause + 1, size_of(clause));
    }
    void watch(ClauseRef clause);
    void assign(Lit lit, Reason reason);
    bool propagate_clauses(Lit lit);
    void add_group(std::span<const Lit> literals, bool complete);
    bool propagate_group(Lit lit);
    bool exclude_others(Lit lit, const Group &group);
    bool require_last(std::uint32_t group);
    std::span<const Lit> reason_of(Lit lit);
    void reduce_learned();
    void analyse();
    bool watches_hold() const;
    bool trail_holds() const;

    const Theory &theory_;
    std::vector<std::int8_t> values_; // by literal code: 1 true, -1 false, 0 open
    std::vector<Fact> facts_;         // by variable
    std::vector<Lit> trail_;
    std::vector<std::uint32_t> level_begin_;
    std::size_t next_ = 0;        // first position on the trail that is not propagated yet
    std::vector<Lit> arena_;      // of each clause its size, as a code, and its literals
    ClauseRef first_learned_ = 0; // learned clauses come after those of the theory
    std::vector<std::vector<Watch>> watches_; // by literal code: visited when it becomes false
    std::vector<Group> groups_;
    std::vector<std::uint32_t> group_of_;  // by literal code, or `nothing`
    std::vector<std::uint32_t> not_false_; // by group: number of literals that are not false
    std::size_t learned_count_ = 0;
    std::size_t learned_limit_;
    std::uint64_t conflicts_ = 0;
    bool failed_ = false;
    std::vector<Lit> conflict_; // all false
    std::vector<Lit> reason_literals_;
    std::vector<Lit> learned_; // scratch
    std::vector<Var> marked_;  // scratch
    std::vector<std::uint8_t> seen_;
    ClauseRef last_learned_ = nothing;
};

} // namespace neurasp::circuit
