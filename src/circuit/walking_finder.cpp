// Finds the components of the rest of a theory by walking over variables and unsatisfied clauses, and computes their keys.
//
// The idea. After a decision, what is left of a component falls into parts that share no variable and no needed clause. A walk
// from any variable through its clauses finds the part that it is in, and adds what it meets to the key of that part.
//
// Source. Components found by walking and cached by what they consist of are those of the model counters Cachet (Sang et
// al. 2004) and sharpSAT (Thurley 2006). What differs:
//   - Only what is needed is walked over. find_needed() starts at what must hold: constraints, definitions of variables that
//     have a value, evidence, shown literals, choices that have lost outcomes. From there it follows definitions
//     downwards. Everything else has one value whatever the rest does, and is dropped.
//   - Positive cycles need more than clauses. judge() asks which supports can still make a difference (useful_supports.cpp).
//     Of a judged cycle, an atom needs the bodies of its useful supports, and not its clauses, which mention all of them; a true
//     atom that is not derived yet demands them. add_cycles() keeps what is needed of an unsettled cycle in one component, and
//     adds links and demands to its key (cycle_summary.cpp).
//   - A component knows what is decided next: the first choice in the order, or one next to the demand of a judged cycle, or
//     next to what is derived (decide_near).
//   - Theories that outcomes do not determine are walked over in the same way. There, variables of the kind `open` are
//     needed, and so is what is undecided of an unsettled cycle.
//
// The steps after a decision. The search calls judge() until nothing more follows from it; what it returns is propagated.
// Then split() marks the needed variables, summarises cycles, and walks.
//
// Invariants.
//   - The variables of all components are in one list, those of parts behind those of their parent. release() shortens it,
//     so components are released in reverse order, and a parent is there as long as its parts are.
//   - A mark holds if it equals the stamp, and enter() makes a new stamp: no marks are ever cleared. What judge() found holds for
//     the assignment of its last call, so split() follows it without a decision in between.
//   - What was dropped stays dropped. A value counts for the definition of its variable only if the variable was in the
//     parent, or had the value before the parent was made (has_needed_value). The value that propagation finds for a variable
//     that was dropped is the one that its definition gives.
//   - The key determines the rest. Clauses of two literals are not in it: both of their variables are. What the summary leaves
//     out is not in it either; its links and demands are.
//   - Both sides agree on what is left out: supports that are useless are followed neither by find_needed() nor by expand().
//
// Cost. Each split is linear in the clauses of the parent's variables, however little the decision changed: a chain of n steps
// takes n^2. While a cycle is unsettled, its supports are judged and summarised at each split as well. So theories without
// positive cycles that outcomes determine have TrailFinder; this one is for all others.
//
// Tried without success. Taking all that is undecided of an unsettled cycle for needed, also where outcomes determine the model: arcs
// that cannot help any more were decided and kept in keys (726,486 decisions instead of 7,066 on a directed grid of 4 x 4).
// Deciding near the demand, or near what is derived, in all programs: better on dense directed graphs, but no answer in time
// on undirected networks and grids, so such orders only compete.
#include "circuit/walking_finder.hpp"

#include <algorithm>

namespace neurasp::circuit {

WalkingFinder::WalkingFinder(const Theory &theory, const Propagator &propagator,
                             UnfoundedSets &unfounded, std::vector<std::uint32_t> position,
                             Order::Near near)
    : theory_(theory), propagator_(propagator), unfounded_(unfounded), uses_(theory, unfounded),
      useful_(theory, propagator, unfounded, uses_),
      summary_(theory, propagator, unfounded, uses_, useful_), position_(std::move(position)),
      near_(near), clauses_begin_(theory.variable_limit() + 1, 0),
      owned_begin_(theory.variable_limit() + 1, 0), is_evidence_(theory.variable_limit(), false),
      is_shown_(theory.variable_limit(), false), in_parent_(theory.variable_limit(), 0),
      needed_(theory.variable_limit(), 0), visited_(theory.variable_limit(), 0),
      taken_(theory.clause_count(), 0), entered_(theory.recursive_components, 0),
      glued_(theory.recursive_components, 0) {
    for (std::size_t i = 0; i < theory.clause_count(); ++i) {
        ++owned_begin_[theory.owner(i) + 1];
        for (const Lit lit : theory.clause(i)) ++clauses_begin_[lit.var() + 1];
    }
    for (std::size_t v = 1; v < clauses_begin_.size(); ++v) {
        clauses_begin_[v] += clauses_begin_[v - 1];
        owned_begin_[v] += owned_begin_[v - 1];
    }
    clauses_.resize(clauses_begin_.back());
    owned_.resize(owned_begin_.back());
    std::vector<std::uint32_t> next(clauses_begin_.begin(), clauses_begin_.end() - 1);
    std::vector<std::uint32_t> next_owned(owned_begin_.begin(), owned_begin_.end() - 1);
    for (std::uint32_t i = 0; i < theory.clause_count(); ++i) {
        owned_[next_owned[theory.owner(i)]++] = i;
        for (const Lit lit : theory.clause(i)) clauses_[next[lit.var()]++] = i;
    }
    if (!unfounded.empty()) supports_with_.resize(theory.variable_limit());
    for (std::uint32_t s = 0; s < unfounded.support_count(); ++s) {
        supports_with_[unfounded.support(s).body.var()].push_back(s);
    }
    for (const Lit lit : theory.evidence) is_evidence_[lit.var()] = true;
    for (const Lit lit : theory.shown) is_shown_[lit.var()] = true;
}

Component WalkingFinder::whole() {
    Component all;
    all.begin = list_end();
    for (Var var = 1; var < theory_.variable_limit(); ++var) variables_.push_back(var);
    all.end = list_end();
    return all;
}

bool WalkingFinder::is_satisfied(std::uint32_t clause) const {
    const auto literals = theory_.clause(clause);
    return std::any_of(literals.begin(), literals.end(),
                       [&](Lit lit) { return propagator_.is_true(lit); });
}

bool WalkingFinder::clause_is_needed(std::uint32_t clause) const {
    const Var owner = theory_.owner(clause);
    return owner == 0 || needed_[owner] == stamp_ || has_needed_value(owner);
}

// Whether the variable has a value with which its definition must agree.
bool WalkingFinder::has_needed_value(Var owner) const {
    if (propagator_.is_open(owner)) return false;
    return in_parent_[owner] == stamp_ || propagator_.place_of(owner) < parent_trail_;
}

// Whether a cycle has atoms that are true and not derived yet.
bool WalkingFinder::is_unsettled(std::uint32_t cycle) const {
    return useful_.judges(cycle) ? useful_.is_unsettled(cycle) : (*unsettled_)[cycle];
}

bool WalkingFinder::in_unsettled_component(Var var) const {
    if (unsettled_ == nullptr) return false;
    const auto &components = unfounded_.components_of(var);
    return std::any_of(components.begin(), components.end(),
                       [&](std::uint32_t c) { return is_unsettled(c); });
}

// Whether the variable is the body of a useful support of an atom that is true and not derived yet.
bool WalkingFinder::may_derive(Var var) const {
    if (unsettled_ == nullptr) return false;
    const auto &supports = supports_with_[var];
    return std::any_of(supports.begin(), supports.end(), [&](std::uint32_t s) {
        const std::uint32_t atom = unfounded_.support(s).atom;
        return propagator_.is_true(Lit(unfounded_.atom(atom))) && !unfounded_.is_founded(atom) &&
               (useful_.is_useful(s) || !useful_.judges(unfounded_.component_of_atom(atom)));
    });
}

// Whether the variable occurs in something that must hold.
bool WalkingFinder::is_demanded(Var var) const {
    if (theory_.kind(var) == VarKind::open || is_evidence_[var] || is_shown_[var]) return true;
    if (theory_.determined ? may_derive(var) : in_unsettled_component(var)) return true;
    if (propagator_.is_restricted(var)) return true; // the remaining outcomes do not sum to 1
    for (std::uint32_t i = clauses_begin_[var]; i < clauses_begin_[var + 1]; ++i) {
        const Var owner = theory_.owner(clauses_[i]);
        if (owner != 0 && useful_.judged_cycle_of(owner) != nothing) continue; // see may_derive
        if ((owner == 0 || has_needed_value(owner)) && !is_satisfied(clauses_[i])) return true;
    }
    return false;
}

// Marks demanded variables, and all variables in the definitions of needed ones.
void WalkingFinder::find_needed(const Component &parent) {
    const auto need = [&](Var var) {
        if (needed_[var] == stamp_ || in_parent_[var] != stamp_ || !propagator_.is_open(var))
            return;
        needed_[var] = stamp_;
        open_needs_.push_back(var);
    };
    for (std::uint32_t i = parent.begin; i < parent.end; ++i) {
        const Var var = variables_[i];
        if (propagator_.is_open(var) && needed_[var] != stamp_ && is_demanded(var)) need(var);
    }
    while (!open_needs_.empty()) {
        const Var var = open_needs_.back();
        open_needs_.pop_back();
        if (useful_.judged_cycle_of(var) != nothing) {
            for (const std::uint32_t s : unfounded_.supports_of(unfounded_.index_of(var))) {
                if (useful_.is_useful(s)) need(unfounded_.support(s).body.var());
            }
            continue;
        }
        for (std::uint32_t i = owned_begin_[var]; i < owned_begin_[var + 1]; ++i) {
            if (is_satisfied(owned_[i])) continue;
            for (const Lit lit : theory_.clause(owned_[i])) need(lit.var());
        }
    }
}

void WalkingFinder::enter(const Component &parent) {
    ++stamp_;
    unsettled_ = unfounded_.empty() ? nullptr : &unfounded_.unsettled();
    parent_trail_ = parent.trail;
    for (std::uint32_t i = parent.begin; i < parent.end; ++i) {
        in_parent_[variables_[i]] = stamp_;
        for (const std::uint32_t cycle : unfounded_.components_of(variables_[i])) {
            entered_[cycle] = stamp_;
        }
    }
}

bool WalkingFinder::judge(const Component &parent, std::vector<Lit> &implied) {
    if (unfounded_.empty() || !theory_.determined) return true;
    enter(parent);
    const auto contains = [&](Var var) {
        return in_parent_[var] == stamp_ && propagator_.is_open(var);
    };
    const auto may_be_active = [&](std::uint32_t clause) {
        const Var owner = theory_.owner(clause);
        return (owner == 0 || contains(owner) || has_needed_value(owner)) && !is_satisfied(clause);
    };
    const auto has_part_of = [&](std::uint32_t cycle) { return entered_[cycle] == stamp_; };
    return useful_.judge({contains, has_part_of, may_be_active}, implied);
}

void WalkingFinder::split(const Component &parent, std::vector<Component> &found) {
    enter(parent);
    steps_ += parent.end - parent.begin;
    find_needed(parent);
    if (unsettled_ != nullptr) {
        useful_.forget_unneeded([&](Var var) { return needed_[var] == stamp_; });
        summarise_cycles();
    }
    for (std::uint32_t i = parent.begin; i < parent.end; ++i) {
        const Var var = variables_[i];
        if (needed_[var] != stamp_ || visited_[var] == stamp_) continue;
        Component component;
        explore(var, component);
        found.push_back(component);
    }
}

void WalkingFinder::append_implied(const Component &parent, std::vector<Lit> &literals) const {
    for (std::uint32_t i = parent.begin; i < parent.end; ++i) {
        const Lit lit(variables_[i]);
        if (!propagator_.is_open(lit.var()))
            literals.push_back(propagator_.is_true(lit) ? lit : ~lit);
    }
}

bool WalkingFinder::contains(const Component &component, Var var) const {
    const auto list = variables(component);
    return std::find(list.begin(), list.end(), var) != list.end();
}

void WalkingFinder::visit(Var var) {
    if (visited_[var] == stamp_ || in_parent_[var] != stamp_ || !propagator_.is_open(var)) return;
    visited_[var] = stamp_;
    variables_.push_back(var);
}

void WalkingFinder::explore(Var start, Component &component) {
    component.begin = list_end();
    visit(start);
    for (std::uint32_t i = component.begin; i < variables_.size(); ++i) {
        expand(variables_[i], component);
    }
    component.end = list_end();
    component.trail = static_cast<std::uint32_t>(propagator_.trail().size());
}

void WalkingFinder::expand(Var var, Component &component) {
    const bool in_key = !summary_.is_left_out(var);
    if (in_key) component.key.add(key_part::variable, var);
    if (is_evidence_[var]) component.has_evidence = true;
    const std::uint32_t choice = theory_.choice_of(var);
    if (choice != nothing) {
        if (component.decision.kind == Decision::Kind::none || position_[var] < component.rank) {
            component.decision = {Decision::Kind::choice, choice};
            component.rank = position_[var];
        }
        for (const Lit outcome : theory_.choices()[choice].outcomes) visit(outcome.var());
    } else if (theory_.kind(var) == VarKind::open &&
               (component.open_var == 0 || position_[var] < position_[component.open_var])) {
        component.open_var = var;
    }
    for (std::uint32_t i = clauses_begin_[var]; i < clauses_begin_[var + 1]; ++i) {
        const std::uint32_t clause = clauses_[i];
        if (taken_[clause] == stamp_ || !clause_is_needed(clause)) continue;
        taken_[clause] = stamp_;
        if (is_satisfied(clause)) continue;
        const auto literals = theory_.clause(clause);
        // the key contains both variables of a clause of two literals anyway
        if (literals.size() > 2 && !summary_.is_left_out(theory_.owner(clause))) {
            component.key.add(key_part::clause, clause);
        }
        if (record_ != nullptr) record_->push_back(clause);
        const Var owner = theory_.owner(clause);
        const bool all = owner == 0 || useful_.judged_cycle_of(owner) == nothing;
        for (const Lit lit : literals) {
            if (all || needed_[lit.var()] == stamp_) visit(lit.var()); // not the bodies left out
        }
    }
    if (unsettled_ != nullptr) add_cycles(var, component);
}

// Adds what positive cycles contribute: links between atoms, and all that is needed of a cycle with unsettled atoms.
void WalkingFinder::add_cycles(Var var, Component &component) {
    if (const std::uint64_t links = summary_.links_to(var))
        component.key.add(key_part::link, links);
    for (const std::uint32_t cycle : unfounded_.components_of(var)) {
        if (!is_unsettled(cycle) || glued_[cycle] == stamp_) continue;
        glued_[cycle] = stamp_;
        component.key.add(key_part::cycle, summary_.demands(cycle));
        decide_near(cycle, component);
        for (const Var other : unfounded_.variables_of(cycle)) {
            if (needed_[other] == stamp_) visit(other);
            if (propagator_.is_open(other)) continue;
            if (const std::uint64_t links = summary_.links_to(other)) {
                component.key.add(key_part::link, links);
            }
        }
    }
}

// Decides next to the demand of a cycle, or next to what is derived, if the order says so.
void WalkingFinder::decide_near(std::uint32_t cycle, Component &component) const {
    if (near_ == Order::Near::none || !useful_.judges(cycle) || !useful_.has_one_demand(cycle))
        return;
    const std::uint32_t choice = useful_.choice_near(cycle, near_, position_);
    if (choice == nothing) return;
    component.decision = {Decision::Kind::choice, choice};
    component.rank = 0; // before all others
}

void WalkingFinder::summarise_cycles() {
    summary_.update(
        {[&](Var var) { return needed_[var] == stamp_; },
         [&](std::uint32_t clause) { return clause_is_needed(clause) && !is_satisfied(clause); }});
}

std::vector<std::uint32_t> WalkingFinder::needed_clauses() {
    std::vector<std::uint32_t> clauses;
    std::vector<Component> components;
    const Mark before = mark();
    record_ = &clauses;
    split(whole(), components);
    record_ = nullptr;
    release(before);
    return clauses;
}

std::size_t WalkingFinder::exit_count() const {
    std::size_t count = 0;
    for (std::uint32_t a = 0; a < unfounded_.atom_count(); ++a) {
        const Var var = unfounded_.atom(a);
        if (needed_[var] != stamp_) continue;
        const auto &clauses = uses_.foreign_clauses(var);
        const bool is_seen = uses_.is_always_seen(var) ||
                             std::any_of(clauses.begin(), clauses.end(), [&](std::uint32_t clause) {
                                 return clause_is_needed(clause) && !is_satisfied(clause);
                             });
        count += is_seen ? 1 : 0;
    }
    return count;
}

} // namespace neurasp::circuit
