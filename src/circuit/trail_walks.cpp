// The part of TrailFinder that splits components (trail_finder.cpp explains what is kept along the trail).
//
// A component that was connected can fall apart only around what dropped out. One unit of each shortened clause, all units
// of each lost clause and each choice that lost an outcome start a walk over active clauses. Walks take turns and are
// joined when they meet. A walk that has nowhere to go has found a component, which gets a new label. When one walk is
// left, its component is the rest: it keeps the label and need not be walked over. So the largest part is never walked over
// in full; splitting costs about the number of walks times the size of the second largest part.
//
// Invariants. Walks that were joined share one queue, and a finished walk is never joined: it has met all that it can meet.
// After a split, the keys of the new labels and of the rest add up to the key that the component had.
#include "circuit/trail_finder.hpp"

#include "base/assert.hpp"

#include <algorithm>

namespace neurasp::circuit {

namespace {

constexpr std::size_t most_clauses = 100; // of theories that assertions look at as a whole

} // namespace

void TrailFinder::split(const Component &parent, std::vector<Component> &found) {
    pin(parent.decision);
    const auto trail = propagator_.trail();
    literals_seen_ += 1 + (trail.size() - followed_);
    for (; followed_ < trail.size(); ++followed_) follow(trail[followed_]);
    first_new_label_ = static_cast<std::uint32_t>(keys_.size());
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
    NEURASP_ASSERT(uses_agree(), "a unit is alive as long as something uses it");
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
            const Unit next = unit_of_[lit.var()];
            const bool is_reached = reached_[next] == stamp_;
            if (is_reached && reached_by_[next] == walk) continue; // most literals end here
            if (assigned_[lit.var()] || dead_[next]) continue;
            if (!is_reached) {
                reached_[next] = stamp_;
                walks_[walk].units.push_back(next);
                walks_[walk].queue.push_back(next);
            } else if (const std::uint32_t other = root_of(reached_by_[next]); other != walk) {
                walk = join(walk, other);
            }
            reached_by_[next] = walk;
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

// Counts uses anew: those of clauses, shown literals, pins and restrictions. Units that died are those that nothing uses.
bool TrailFinder::uses_agree() const {
    if (theory_.clause_count() > most_clauses) return true;
    std::vector<std::uint32_t> uses(uses_.size(), 0);
    for (ClauseId c = 0; c < theory_.clause_count(); ++c) {
        if (active_[c] == 0) continue;
        for (const Lit lit : theory_.clause(c)) {
            if (lit.var() != theory_.owner(c)) ++uses[unit_of_[lit.var()]];
        }
    }
    for (const Lit lit : theory_.shown) {
        if (lit.var() != 0) ++uses[unit_of_[lit.var()]];
    }
    for (const Entry &entry : entries_) {
        const bool adds = entry.change == Change::pin || entry.change == Change::restriction;
        if (adds) ++uses[entry.index];
    }
    for (Unit unit = 0; unit < uses.size(); ++unit) {
        if (uses[unit] != uses_[unit]) return false;
        if (is_open_unit(unit) && !variables_of(unit).empty() && uses[unit] == 0) return false;
    }
    return true;
}

} // namespace neurasp::circuit
