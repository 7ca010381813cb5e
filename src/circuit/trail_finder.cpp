// Components kept up to date along the trail.
//
// The idea. Walking over the rest after every decision costs as much as is left, so a chain of n steps takes n^2. But a
// decision changes little. This finder follows the literals of the trail one by one, notes which clauses and variables
// drop out, and looks for new components only around them. Everything is undone from a log, so a step costs what
// it changed.
//
// What is kept. Units are choices and the variables outside of them.
//   - A clause is active if it is not satisfied and its owner is not dead. A constraint has no owner.
//   - A unit is used by the literals of active clauses that it does not own, and by each mention as a shown literal. A
//     unit without uses dies: nothing needs it, its own clauses become inactive, and so on down. Definitions are
//     acyclic, so counting uses is exact.
//   - Every unit has the label of its component, and every label a key: the fingerprint of the component's open
//     variables and its active clauses. What drops out is subtracted, so the key is always there.
//
// Splitting. A component that was connected can fall apart only around what dropped out. One unit of each shortened
// clause, all units of each lost clause and each choice that lost an outcome start a walk over active clauses. Walks take turns and are joined when they
// meet. A walk that has nowhere to go has found a component, which gets a new label. When one walk is left, its
// component is the rest: it keeps the label and need not be walked over. So the largest part is never walked over in
// full; splitting costs about the number of walks times the size of the second largest part.
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
//     append_implied() relies on.
//   - Clauses of two literals are not in keys: such a clause is active if and only if both of its variables are.
//
// Dynamic decomposition with cached fingerprints is from model counting (Sang et al. 2004; Thurley 2006, sharpSAT), where
// components are found by walking. Counting uses so that definitions drop out is ours, as is walking in turn.
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
        if (label_[unit] == parent.label && !dead_[unit]) literals.push_back(trail[i]);
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

// --- splitting ---

void TrailFinder::split(const Component &parent, std::vector<Component> &found) {
    pin(parent.decision);
    const auto trail = propagator_.trail();
    literals_seen_ += 1 + (trail.size() - followed_);
    for (; followed_ < trail.size(); ++followed_) follow(trail[followed_]);
    collect_starts(parent.label);
    shortened_.clear();
    lost_.clear();
    narrowed_.clear();
    if (walk_count_ == 0) return;
    walk_in_turn();
    const auto trail_size = static_cast<std::uint32_t>(trail.size());
    const std::size_t first = found.size();
    for (std::uint32_t w = 0; w < walk_count_; ++w) {
        if (walks_[w].finished && walks_[w].joined == w) {
            found.push_back(take_out(walks_[w].units, parent.label));
        }
    }
    if (unfinished_ > 0) {
        Component rest;
        rest.label = parent.label;
        rest.key = keys_[rest.label];
        set_decision(rest, parent.rank);
        found.push_back(rest);
    }
    for (std::size_t i = first; i < found.size(); ++i) found[i].trail = trail_size;
    NEURASP_ASSERT(keys_agree(std::span(found).subspan(first)),
                   "keys are those of the components' open variables and active clauses");
}

// Starts a walk wherever the component may have come apart.
void TrailFinder::collect_starts(std::uint32_t label) {
    ++stamp_;
    walk_count_ = 0;
    unfinished_ = 0;
    if (stamp_ == 1) { // nothing is known yet
        for (Unit unit = 0; unit < label_.size(); ++unit) {
            if (is_open_unit(unit) && !variables_of(unit).empty()) start_walk(unit);
        }
        return;
    }
    const auto start_unit = [&](Unit unit) {
        if (!is_open_unit(unit) || label_[unit] != label) return false;
        start_walk(unit);
        return true;
    };
    const auto start = [&](Lit lit) {
        return !assigned_[lit.var()] && start_unit(unit_of_[lit.var()]);
    };
    for (const ClauseId clause : shortened_) {
        if (!active_[clause]) continue;
        for (const Lit lit : theory_.clause(clause)) {
            if (start(lit)) break; // the clause connects the others with this one
        }
    }
    for (const ClauseId clause : lost_) {
        for (const Lit lit : theory_.clause(clause)) start(lit);
    }
    for (const Unit unit : narrowed_) start_unit(unit);
}

void TrailFinder::start_walk(Unit unit) {
    if (reached_[unit] == stamp_) return;
    if (walk_count_ == walks_.size()) walks_.emplace_back();
    Walk &walk = walks_[walk_count_];
    walk.joined = walk_count_;
    walk.finished = false;
    walk.units.assign(1, unit);
    walk.queue.assign(1, unit);
    reached_[unit] = stamp_;
    reached_by_[unit] = walk_count_++;
    ++unfinished_;
}

std::uint32_t TrailFinder::root_of(std::uint32_t walk) {
    while (walks_[walk].joined != walk) {
        walks_[walk].joined = walks_[walks_[walk].joined].joined;
        walk = walks_[walk].joined;
    }
    return walk;
}

// Joins two walks that have met; returns the one that goes on.
std::uint32_t TrailFinder::join(std::uint32_t walk, std::uint32_t other) {
    if (walks_[walk].units.size() < walks_[other].units.size()) std::swap(walk, other);
    Walk &into = walks_[walk];
    Walk &from = walks_[other];
    NEURASP_ASSERT(!into.finished && !from.finished, "a finished walk has met all it can meet");
    into.units.insert(into.units.end(), from.units.begin(), from.units.end());
    into.queue.insert(into.queue.end(), from.queue.begin(), from.queue.end());
    from.joined = walk;
    --unfinished_;
    return walk;
}

// Expands one unit of a walk.
void TrailFinder::advance(std::uint32_t walk) {
    const Unit unit = walks_[walk].queue.back();
    walks_[walk].queue.pop_back();
    const auto expand = [&](ClauseId clause) {
        if (!active_[clause] || taken_[clause] == stamp_) return;
        taken_[clause] = stamp_;
        const auto literals = theory_.clause(clause);
        literals_seen_ += literals.size();
        for (const Lit lit : literals) {
            if (!is_active_open(lit.var())) continue;
            const Unit next = unit_of_[lit.var()];
            if (reached_[next] != stamp_) {
                reached_[next] = stamp_;
                reached_by_[next] = walk;
                walks_[walk].units.push_back(next);
                walks_[walk].queue.push_back(next);
            } else if (const std::uint32_t other = root_of(reached_by_[next]); other != walk) {
                walk = join(walk, other);
            }
        }
    };
    for (const Var var : variables_of(unit)) {
        if (assigned_[var]) continue;
        for (const ClauseId clause : clauses_with(Lit(var))) expand(clause);
        for (const ClauseId clause : clauses_with(Lit(var, false))) expand(clause);
    }
    if (walks_[walk].queue.empty()) {
        walks_[walk].finished = true;
        --unfinished_;
    }
}

// Advances all walks in turn, until at most one is unfinished.
void TrailFinder::walk_in_turn() {
    while (unfinished_ > 1) {
        for (std::uint32_t w = 0; w < walk_count_ && unfinished_ > 1; ++w) {
            if (walks_[w].joined == w && !walks_[w].finished) advance(w);
        }
    }
}

Fingerprint TrailFinder::fingerprint_of(std::span<const Unit> units) {
    Fingerprint key;
    const auto count = [&](ClauseId clause) {
        if (!active_[clause] || counted_[clause] == stamp_) return;
        counted_[clause] = stamp_;
        if (theory_.clause(clause).size() > 2) key.add(key_part::clause, clause);
    };
    for (const Unit unit : units) {
        for (const Var var : variables_of(unit)) {
            if (assigned_[var]) continue;
            key.add(key_part::variable, var);
            for (const ClauseId clause : clauses_with(Lit(var))) count(clause);
            for (const ClauseId clause : clauses_with(Lit(var, false))) count(clause);
        }
    }
    return key;
}

// Makes a component of units that are connected with no others.
Component TrailFinder::take_out(std::span<const Unit> units, std::uint32_t parent) {
    Component component;
    component.label = static_cast<std::uint32_t>(keys_.size());
    component.key = fingerprint_of(units);
    keys_.push_back(component.key);
    keys_[parent] -= component.key;
    entries_.push_back({Change::component, component.label, parent});
    std::uint32_t rank = nothing;
    for (const Unit unit : units) {
        entries_.push_back({Change::move, unit, label_[unit]});
        label_[unit] = component.label;
        rank = std::min(rank, rank_[unit]);
    }
    NEURASP_ASSERT(rank != nothing, "a component has something to decide");
    component.rank = rank;
    component.decision = sequence_[rank];
    return component;
}

bool TrailFinder::is_left(const Decision &decision, std::uint32_t label) const {
    const auto left = [&](Unit unit) { return is_open_unit(unit) && label_[unit] == label; };
    if (decision.kind == Decision::Kind::choice) return left(decision.index);
    if (decision.kind == Decision::Kind::variable) return left(unit_of_[decision.index]);
    const auto &values = tables_[decision.index].values;
    return std::any_of(values.begin(), values.end(),
                       [&](Lit value) { return left(unit_of_[value.var()]); });
}

// The first decision from `rank` on that is left in the component. There is none before the parent's.
void TrailFinder::set_decision(Component &component, std::uint32_t rank) const {
    while (rank < sequence_.size() && !is_left(sequence_[rank], component.label)) ++rank;
    NEURASP_ASSERT(rank < sequence_.size(), "a component has something to decide");
    component.rank = rank;
    component.decision = sequence_[rank];
}

// Compares keys with what they stand for, in theories small enough for that.
bool TrailFinder::keys_agree(std::span<const Component> components) {
    constexpr std::size_t most_clauses = 100;
    if (theory_.clause_count() > most_clauses) return true;
    for (const Component &component : components) {
        std::vector<Unit> units;
        for (Unit unit = 0; unit < label_.size(); ++unit) {
            if (is_open_unit(unit) && label_[unit] == component.label) units.push_back(unit);
        }
        std::fill(counted_.begin(), counted_.end(), 0);
        if (!(fingerprint_of(units) == component.key)) return false;
    }
    return true;
}

} // namespace neurasp::circuit
