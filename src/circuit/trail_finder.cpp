// Components kept up to date along the trail.
//
// The idea. Walking over the rest after every decision costs as much as is left, so a chain of n steps takes n^2. But a
// decision changes little. This finder follows the literals of the trail one by one, notes which clauses and variables
// drop out, and looks for new components only around them. Everything is undone from a log, so a step costs what
// it changed.
//
// State. Units are choices and the variables outside of them.
//   - A clause is active if it is not satisfied and its owner is not dead. A constraint has no owner.
//   - A unit is used by the literals of active clauses that it does not own, and by each mention as a shown literal. A
//     unit without uses dies: nothing needs it, its own clauses become inactive, and so on down. Definitions are
//     acyclic, so counting uses is exact.
//   - Every unit has the label of its component, and every label a key: the fingerprint of the component's open
//     variables and its active clauses. What drops out is subtracted, so the key is always there.
//
// trail_walks.cpp finds the new components.
//
// Invariants, and what happened in an experiment where they did not hold:
//   - Literals are followed in the order of the trail. The clause that forced a literal is active until that literal is
//     followed, so a variable that was needed when it got its value keeps its definition.
//   - What is decided is pinned: it has a use while its branches run. Otherwise a literal learned between two branches can
//     make a decided variable die; its definition is not enforced in the last branch, and models count twice.
//   - A wide choice with excluded outcomes has a use until it has a value, because the rest of its outcomes does not sum to 1,
//     even if no clause mentions it.
//   - A variable that dies before its literal is followed stays dead: every value that propagation finds for it is the one
//     that its definition gives.
//   - Labels of open units are those of their components. Units with values keep the label that they had, which
//     append_implied() relies on. A choice that only lost an outcome moves with its component; when this was overlooked, the
//     marginal of `not c(1)` lacked the branches in which c left the component with other outcomes possible.
//   - Clauses of two literals are not in keys: such a clause is active if and only if both of its variables are.
//
// Dynamic decomposition with cached fingerprints is from model counting (Sang et al. 2004; Thurley 2006, sharpSAT), where
// components are found by walking. Counting uses so that definitions drop out is ours, as is walking in turn.
//
// Against walking over the rest, with the same decisions and cache hits, the search for a hidden Markov model of 200 steps took
// 0.05 instead of 2.5 s. Half of the time of the search is still in the walks of trail_walks.cpp (grids of 8 x 8 tables).
#include "circuit/trail_finder.hpp"

#include "base/assert.hpp"

#include <algorithm>

namespace neurasp::circuit {

TrailFinder::TrailFinder(const Theory &theory, std::span<const Table> tables,
                         const Propagator &propagator, const std::vector<Decision> &sequence)
    : theory_(theory), tables_(tables), propagator_(propagator),
      unit_of_(theory.variable_limit(), 0) {
    NEURASP_ASSERT(theory.determined && theory.recursive.empty(),
                   "components are kept along the trail only without free choices and cycles");
    for (const Choice &choice : theory.choices()) {
        unit_begin_.push_back(static_cast<std::uint32_t>(unit_variables_.size()));
        const auto unit = static_cast<Unit>(unit_begin_.size() - 1);
        for (const Lit outcome : choice.outcomes) {
            if (outcome.var() == 0) continue;
            if (unit_of_[outcome.var()] == unit && !unit_variables_.empty() &&
                unit_variables_.back() == outcome.var()) {
                continue; // the negation of a Boolean
            }
            unit_of_[outcome.var()] = unit;
            unit_variables_.push_back(outcome.var());
        }
    }
    for (Var var = 1; var < theory.variable_limit(); ++var) {
        if (theory.choice_of(var) != nothing) continue;
        unit_of_[var] = static_cast<Unit>(unit_begin_.size());
        unit_begin_.push_back(static_cast<std::uint32_t>(unit_variables_.size()));
        unit_variables_.push_back(var);
    }
    const std::size_t units = unit_begin_.size();
    unit_begin_.push_back(static_cast<std::uint32_t>(unit_variables_.size()));
    index_clauses();
    active_.assign(theory.clause_count(), true);
    uses_.assign(units, 0);
    assigned_.assign(theory.variable_limit(), false);
    settled_.assign(units, false);
    dead_.assign(units, false);
    restricted_.assign(units, false);
    label_.assign(units, 0);
    reached_.assign(units, 0);
    reached_by_.assign(units, 0);
    taken_.assign(theory.clause_count(), 0);
    counted_.assign(theory.clause_count(), 0);
    rank_.assign(units, nothing);
    number_decisions(sequence);
    keys_.emplace_back();
    for (ClauseId c = 0; c < theory.clause_count(); ++c) {
        if (theory.clause(c).size() > 2) keys_[0].add(key_part::clause, c);
        for (const Lit lit : theory.clause(c)) {
            if (lit.var() != theory.owner(c)) ++uses_[unit_of_[lit.var()]];
        }
    }
    for (const Lit lit : theory.shown) {
        if (lit.var() != 0) ++uses_[unit_of_[lit.var()]]; // forever
    }
    for (Var var = 1; var < theory.variable_limit(); ++var) keys_[0].add(key_part::variable, var);
    for (Unit unit = 0; unit < units; ++unit) {
        if (uses_[unit] == 0) dying_.push_back(unit);
    }
    bury(0);
    entries_.clear();
    lost_.clear();
}

void TrailFinder::index_clauses() {
    occurrence_begin_.assign(2 * theory_.variable_limit() + 1, 0);
    owned_begin_.assign(theory_.variable_limit() + 1, 0);
    for (ClauseId c = 0; c < theory_.clause_count(); ++c) {
        ++owned_begin_[theory_.owner(c) + 1];
        for (const Lit lit : theory_.clause(c)) ++occurrence_begin_[lit.code() + 1];
    }
    for (std::size_t i = 1; i < occurrence_begin_.size(); ++i) {
        occurrence_begin_[i] += occurrence_begin_[i - 1];
    }
    for (std::size_t i = 1; i < owned_begin_.size(); ++i) owned_begin_[i] += owned_begin_[i - 1];
    occurrences_.resize(occurrence_begin_.back());
    owned_.resize(owned_begin_.back());
    std::vector<std::uint32_t> next(occurrence_begin_.begin(), occurrence_begin_.end() - 1);
    std::vector<std::uint32_t> next_owned(owned_begin_.begin(), owned_begin_.end() - 1);
    for (ClauseId c = 0; c < theory_.clause_count(); ++c) {
        owned_[next_owned[theory_.owner(c)]++] = c;
        for (const Lit lit : theory_.clause(c)) occurrences_[next[lit.code()]++] = c;
    }
}

void TrailFinder::number_decisions(const std::vector<Decision> &sequence) {
    const auto append = [&](const Decision &decision) {
        const auto rank = static_cast<std::uint32_t>(sequence_.size());
        sequence_.push_back(decision);
        if (decision.kind == Decision::Kind::choice) {
            rank_[decision.index] = rank;
        } else if (decision.kind == Decision::Kind::variable) {
            rank_[unit_of_[decision.index]] = rank;
        } else {
            for (const Lit value : tables_[decision.index].values) {
                rank_[unit_of_[value.var()]] = rank;
            }
        }
    };
    for (const Decision &decision : sequence) append(decision);
    for (std::uint32_t c = 0; c < theory_.choices().size(); ++c) {
        if (rank_[c] == nothing) append({Decision::Kind::choice, c});
    }
}

Component TrailFinder::whole() {
    Component all;
    all.key = keys_[0];
    return all;
}

TrailFinder::Mark TrailFinder::mark() const {
    return {followed_, static_cast<std::uint32_t>(entries_.size())};
}

void TrailFinder::release(const Mark &mark) {
    while (entries_.size() > mark.entries) {
        undo(entries_.back());
        entries_.pop_back();
    }
    followed_ = mark.trail;
}

bool TrailFinder::contains(const Component &component, Var var) const {
    return is_active_open(var) && label_[unit_of_[var]] == component.label;
}

void TrailFinder::append_implied(const Component &parent, std::vector<Lit> &literals) const {
    const auto trail = propagator_.trail();
    for (std::size_t i = parent.trail; i < trail.size(); ++i) {
        const Unit unit = unit_of_[trail[i].var()];
        // a choice that lost an outcome is open, so it may be in a component that was just taken out of the parent
        const bool is_of_parent = label_[unit] == parent.label || label_[unit] >= first_new_label_;
        if (is_of_parent && !dead_[unit]) literals.push_back(trail[i]);
    }
}

// --- following the trail ---

void TrailFinder::pin(const Decision &decision) {
    const auto pin_unit = [&](Unit unit) {
        ++uses_[unit];
        entries_.push_back({Change::pin, unit, 0});
    };
    if (decision.kind == Decision::Kind::variable) pin_unit(unit_of_[decision.index]);
    if (decision.kind != Decision::Kind::table) return;
    for (const Lit value : tables_[decision.index].values) {
        const Unit unit = unit_of_[value.var()];
        if (is_open_unit(unit)) pin_unit(unit);
    }
}

void TrailFinder::follow(Lit lit) {
    const Var var = lit.var();
    const Unit unit = unit_of_[var];
    const std::uint32_t label = label_[unit];
    entries_.push_back({Change::literal, lit.code(), label});
    assigned_[var] = true;
    const bool settles = lit.positive() || !is_wide(unit);
    if (settles) settled_[unit] = true;
    if (dead_[unit]) return;
    keys_[label].remove(key_part::variable, var);
    if (!settled_[unit]) narrowed_.push_back(unit);
    // before clauses are dropped, so that the choice does not die with the last of them
    if (!settled_[unit] && !restricted_[unit]) {
        restricted_[unit] = true;
        ++uses_[unit];
        entries_.push_back({Change::restriction, unit, 0});
    }
    for (const ClauseId clause : clauses_with(lit)) {
        if (active_[clause]) deactivate(clause, label);
    }
    for (const ClauseId clause : clauses_with(~lit)) {
        if (active_[clause]) shortened_.push_back(clause);
    }
    bury(label);
}

void TrailFinder::deactivate(ClauseId clause, std::uint32_t label) {
    active_[clause] = false;
    entries_.push_back({Change::clause, clause, label});
    lost_.push_back(clause);
    const auto literals = theory_.clause(clause);
    if (literals.size() > 2) keys_[label].remove(key_part::clause, clause);
    const Var owner = theory_.owner(clause);
    for (const Lit lit : literals) {
        if (lit.var() != owner) drop_use(unit_of_[lit.var()]);
    }
    literals_seen_ += literals.size();
}

void TrailFinder::drop_use(Unit unit) {
    NEURASP_ASSERT(uses_[unit] > 0, "a unit has as many uses as active clauses say");
    if (--uses_[unit] == 0 && is_open_unit(unit)) dying_.push_back(unit);
}

// Lets the units without uses die, and those that die with them.
void TrailFinder::bury(std::uint32_t label) {
    while (!dying_.empty()) {
        const Unit unit = dying_.back();
        dying_.pop_back();
        if (uses_[unit] > 0 || !is_open_unit(unit)) continue;
        dead_[unit] = true;
        entries_.push_back({Change::death, unit, label});
        for (const Var var : variables_of(unit)) {
            if (!assigned_[var]) keys_[label].remove(key_part::variable, var);
            for (const ClauseId clause : clauses_defining(var)) {
                if (active_[clause]) deactivate(clause, label);
            }
        }
    }
}

void TrailFinder::undo(const Entry &entry) {
    switch (entry.change) {
    case Change::literal: {
        const Lit lit = Lit::from_code(entry.index);
        const Unit unit = unit_of_[lit.var()];
        assigned_[lit.var()] = false;
        if (lit.positive() || !is_wide(unit)) settled_[unit] = false;
        if (!dead_[unit]) keys_[entry.label].add(key_part::variable, lit.var());
        break;
    }
    case Change::clause: {
        active_[entry.index] = true;
        const auto literals = theory_.clause(entry.index);
        if (literals.size() > 2) keys_[entry.label].add(key_part::clause, entry.index);
        const Var owner = theory_.owner(entry.index);
        for (const Lit lit : literals) {
            if (lit.var() != owner) ++uses_[unit_of_[lit.var()]];
        }
        break;
    }
    case Change::death:
        dead_[entry.index] = false;
        for (const Var var : variables_of(entry.index)) {
            if (!assigned_[var]) keys_[entry.label].add(key_part::variable, var);
        }
        break;
    case Change::pin: --uses_[entry.index]; break;
    case Change::restriction:
        --uses_[entry.index];
        restricted_[entry.index] = false;
        break;
    case Change::move: label_[entry.index] = entry.label; break;
    case Change::component:
        keys_[entry.label] += keys_[entry.index];
        keys_.pop_back();
        break;
    }
}

} // namespace neurasp::circuit
