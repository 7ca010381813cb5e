// Judges the supports of positive cycles (useful_supports.hpp).
//
// The idea. Think of a target in a directed graph whose arcs are decided one by one. Once a path of present arcs leads
// from u to the target, an arc from u to another node w makes no difference: whoever would come from u to w and on to the
// target is there already. Nor does an arc whose start cannot be reached any more, or from whose end no way leads to
// the target. What such arcs depend on need not be decided, and states that differ in them only are one state.
//
// Terms. A *demand* is an atom of the cycle that must be true and is not derived from true bodies yet. An *exit* is a
// demand, or an open atom at which something outside of the cycle looks: a clause that still matters, the body of a rule of
// another cycle, or a false body that forbids some of its literals to hold together. A *plain step* from u to w is a
// support of w that is decided except that u, of the same cycle, is not derived yet. If u is derived, so is w,
// whatever is decided later. So if plain steps lead from u to y, u being derived is a sure path to y. The *targets* T(y) of
// an exit y are y and all atoms from which plain steps lead to it.
//
// Claim. For every way to decide what is open: y is derived if and only if some t in T(y) is derived by supports that need
// no atom of T(y). Proof. If such a t is derived, plain steps derive y. Conversely, if y is derived, some atoms of T(y)
// are; among those, take one whose derivation is shortest. The derivation of it contains no other atom of T(y), because
// that one would have a shorter derivation. So
//   - supports that need an atom of T(y) are useless for y (except the plain steps between targets, which are the
//     sure paths);
//   - so are those that need an atom which even the most generous decisions do not let the others derive, and those from
//     whose head no useful supports lead to T(y).
// Derivability is monotone in the supports, and the useful ones alone decide it, so every set between the useful ones
// and all of them gives the same truth to y. That is why different components, caches and clauses learned from the whole
// theory may go together: propagation looks at all supports, and later calls judge those anew that are left.
//
// Supports that are useless for all exits of a cycle are left out, and a component may lack the variables behind them. Whether
// it has a model, for a given decision of its random variables, does not depend on those; so the value of the circuit is
// right, and it is so for every choice of outcomes, also for gradients, samples and most probable choices. Whether an atom inside the cycle holds can no longer be read from it. Theory::shown lists the atoms for which
// that is asked, and being shown is being looked at from outside.
//
// Invariants. Propagation no longer sees everything, so these must be kept:
//   - *Left out stays left out.* A support is available if its body is true, or open and in the component; so what was
//     left out further up is not there. A demand that no available support can derive has no model: nothing else notices.
//     An open exit that cannot be derived is false, which is appended to `implied`.
//   - *Only exits are demands.* Where supports are left out, atoms that were no exits may get the value true: by
//     propagation, or by a clause that was learned elsewhere. They hold in all models, but perhaps because of supports
//     that were left out. So they must not be demanded: an atom is `watched` only as long as it has been an exit whenever
//     something was left out, and some component has needed it whenever there was a split (forget_unneeded). (Bodies that are
//     false may be looked at all the same. At worst that keeps more than is needed.)
//   - *One component answers for a cycle.* What is needed of a cycle with demands is in one component, so a component that has
//     no part of the cycle is not judged by it.
//   - *Exits never come back*: what is looked at later was looked at before, since clauses only become satisfied and
//     definitions only become irrelevant.
//
// Negation and constraints enter through exits only. Outcomes must determine the model: then cycles have no negation
// inside and no open atoms, and being derived is all that truth means.
//
// Beyond that: if a demand has only one way left that leads into its targets, the body of that support is true in every
// model. This is appended to `implied`, too, because propagation has lost it with the supports that were left out.
//
// More than a few exits are not judged: what is useless for all of them is little, and the search of each takes as long
// as for one. Of two demands, one that a sure path from the other leads to asks for nothing more, so it does not count.
//
// Source. Forward and backward reachability are usual in network reliability (Ball, Colbourn and Provan 1995); that sure
// paths make supports useless, for rules with any bodies, and how this goes together with component caching, is ours.
//
// Cost. Linear in the supports of unsettled cycles, for each of at most three exits.
#include "circuit/useful_supports.hpp"

#include "base/assert.hpp"

#include <algorithm>

namespace neurasp::circuit {

UsefulSupports::UsefulSupports(const Theory &theory, const Propagator &propagator,
                               const UnfoundedSets &unfounded, const CycleUses &uses)
    : theory_(theory), propagator_(propagator), unfounded_(unfounded), uses_(uses),
      cycle_of_(theory.variable_limit(), nothing), atoms_of_(theory.recursive_components),
      supports_of_(theory.recursive_components), is_watched_(unfounded.atom_count(), true),
      is_reduced_(theory.recursive_components, false), exits_(theory.recursive_components),
      judged_(theory.recursive_components, 0), is_unsettled_(theory.recursive_components, false),
      useful_(unfounded.support_count(), 0), target_(unfounded.atom_count(), 0),
      is_available_(unfounded.support_count(), false),
      plain_step_(unfounded.support_count(), nothing), missing_(unfounded.support_count(), 0),
      leads_there_(unfounded.atom_count(), 0), derived_(unfounded.atom_count(), 0),
      reached_(unfounded.atom_count(), 0) {
    for (std::uint32_t a = 0; a < unfounded.atom_count(); ++a) {
        const std::uint32_t cycle = unfounded.component_of_atom(a);
        cycle_of_[unfounded.atom(a)] = cycle;
        atoms_of_[cycle].push_back(a);
    }
    for (std::uint32_t s = 0; s < unfounded.support_count(); ++s) {
        supports_of_[unfounded.component_of_atom(unfounded.support(s).atom)].push_back(s);
    }
}

bool UsefulSupports::judge(const Parent &parent, std::vector<Lit> &implied) {
    ++stamp_;
    for (std::uint32_t cycle = 0; cycle < theory_.recursive_components; ++cycle) {
        if (parent.has_part_of(cycle) && !judge_cycle(cycle, parent, implied)) return false;
    }
    return true;
}

bool UsefulSupports::is_seen(Var var, const Parent &parent) const {
    const auto &clauses = uses_.foreign_clauses(var);
    return uses_.is_always_seen(var) ||
           std::any_of(clauses.begin(), clauses.end(), parent.may_be_active);
}

// Whether the body is false although none of its literals is: then these must not all hold.
bool UsefulSupports::restricts_needs(std::uint32_t support) const {
    const auto &of = unfounded_.support(support);
    const auto is_false = [&](Lit lit) { return propagator_.is_false(lit); };
    return is_false(of.body) && std::none_of(of.others.begin(), of.others.end(), is_false) &&
           std::none_of(of.needs.begin(), of.needs.end(),
                        [&](std::uint32_t need) { return is_false(Lit(unfounded_.atom(need))); });
}

// Lists the exits; false if there are too many. Of a cycle of which nothing was left out yet, the list may then be
// incomplete.
bool UsefulSupports::find_exits(std::uint32_t cycle, const Parent &parent) {
    auto &exits = exits_[cycle];
    exits.clear();
    std::size_t open = 0;
    for (const std::uint32_t a : atoms_of_[cycle]) {
        const Var var = unfounded_.atom(a);
        if (is_demand(a)) {
            exits.push_back(a);
            continue;
        }
        if (!parent.contains(var)) continue;
        const auto &uses = unfounded_.needed_by(a);
        const bool is_exit =
            (is_watched_[a] && (is_seen(var, parent) ||
                                std::any_of(uses.begin(), uses.end(),
                                            [&](std::uint32_t s) {
                                                const Var body = unfounded_.support(s).body.var();
                                                return propagator_.is_open(body) &&
                                                       is_seen(body, parent);
                                            }))) ||
            std::any_of(uses.begin(), uses.end(),
                        [&](std::uint32_t s) { return restricts_needs(s); });
        if (!is_exit) continue;
        exits.push_back(a);
        if (++open > most_exits && !is_reduced_[cycle]) return false;
    }
    return open <= most_exits;
}

// Finds the supports that are available, and the plain steps among them.
void UsefulSupports::classify(std::uint32_t cycle, const Parent &parent) {
    const auto holds_or_may = [&](Lit lit) {
        return propagator_.is_true(lit) || parent.contains(lit.var());
    };
    for (const std::uint32_t s : supports_of_[cycle]) {
        const auto &support = unfounded_.support(s);
        plain_step_[s] = nothing;
        is_available_[s] =
            holds_or_may(Lit(unfounded_.atom(support.atom))) && holds_or_may(support.body);
        if (!is_available_[s]) continue;
        if (!std::all_of(support.others.begin(), support.others.end(),
                         [&](Lit lit) { return propagator_.is_true(lit); })) {
            continue;
        }
        std::uint32_t from = nothing;
        std::size_t needs = 0;
        for (const std::uint32_t need : support.needs) {
            if (unfounded_.is_founded(need)) continue;
            from = need;
            ++needs;
        }
        if (needs == 1) plain_step_[s] = from;
    }
}

// Collects T(exit), and marks it with the number of a new search.
void UsefulSupports::find_targets(std::uint32_t exit) {
    ++search_;
    targets_.assign(1, exit);
    leads_there_[exit] = search_;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
        for (const std::uint32_t s : unfounded_.supports_of(targets_[i])) {
            const std::uint32_t from = plain_step_[s];
            if (from == nothing || leads_there_[from] == search_) continue;
            leads_there_[from] = search_;
            targets_.push_back(from);
        }
    }
}

// Drops demands to which a sure path from another one leads; false if too many exits are left.
bool UsefulSupports::drop_implied_exits(std::uint32_t cycle) {
    auto &exits = exits_[cycle];
    std::size_t kept = 0;
    for (std::size_t i = 0; i < exits.size(); ++i) {
        bool implied = false;
        if (is_true(exits[i])) {
            find_targets(exits[i]);
            const auto implies = [&](std::uint32_t other) {
                return is_true(other) && leads_there_[other] == search_;
            };
            implied = std::any_of(exits.begin(), exits.begin() + static_cast<std::ptrdiff_t>(kept),
                                  implies) ||
                      std::any_of(exits.begin() + static_cast<std::ptrdiff_t>(i) + 1, exits.end(),
                                  implies);
        }
        if (!implied) exits[kept++] = exits[i];
        if (kept > most_exits) return false;
    }
    exits.resize(kept);
    return true;
}

// Marks the atoms that the most generous decisions derive, by supports that need no target if those are blocked.
void UsefulSupports::derive(std::uint32_t cycle, bool block_targets) {
    open_.clear();
    const auto found = [&](std::uint32_t atom) {
        if (derived_[atom] == search_ || unfounded_.is_founded(atom)) return;
        derived_[atom] = search_;
        open_.push_back(atom);
    };
    for (const std::uint32_t s : supports_of_[cycle]) {
        if (!is_available_[s]) continue;
        const auto &support = unfounded_.support(s);
        missing_[s] = static_cast<std::uint32_t>(
            std::count_if(support.needs.begin(), support.needs.end(),
                          [&](std::uint32_t need) { return !unfounded_.is_founded(need); }));
        if (missing_[s] == 0) found(support.atom);
    }
    while (!open_.empty()) {
        const std::uint32_t atom = open_.back();
        open_.pop_back();
        if (block_targets && leads_there_[atom] == search_) continue;
        for (const std::uint32_t s : unfounded_.needed_by(atom)) {
            if (is_available_[s] && --missing_[s] == 0) found(unfounded_.support(s).atom);
        }
    }
}

// Marks the supports that lead to some of `from`.
void UsefulSupports::mark_useful(std::span<const std::uint32_t> from, bool block_targets) {
    const auto is_blocked = [&](std::uint32_t atom) {
        return block_targets && leads_there_[atom] == search_;
    };
    open_.assign(from.begin(), from.end());
    for (const std::uint32_t atom : from) reached_[atom] = search_;
    while (!open_.empty()) {
        const std::uint32_t atom = open_.back();
        open_.pop_back();
        for (const std::uint32_t s : unfounded_.supports_of(atom)) {
            if (!is_available_[s]) continue;
            const auto &needs = unfounded_.support(s).needs;
            const bool is_sure_path =
                is_blocked(atom) && plain_step_[s] != nothing && is_blocked(plain_step_[s]);
            const bool is_possible =
                std::all_of(needs.begin(), needs.end(), [&](std::uint32_t need) {
                    return unfounded_.is_founded(need) ||
                           (derived_[need] == search_ && !is_blocked(need));
                });
            if (!is_possible && !is_sure_path) continue;
            useful_[s] = stamp_;
            for (const std::uint32_t need : needs) {
                if (unfounded_.is_founded(need) || reached_[need] == search_) continue;
                reached_[need] = search_;
                open_.push_back(need);
            }
        }
    }
}

// Notes that an exit cannot be derived; false if it must be.
bool UsefulSupports::exclude(std::uint32_t exit, std::vector<Lit> &implied) const {
    if (is_demand(exit)) return false;
    if (is_watched_[exit]) implied.emplace_back(unfounded_.atom(exit), false);
    return true;
}

bool UsefulSupports::judge_cycle(std::uint32_t cycle, const Parent &parent,
                                 std::vector<Lit> &implied) {
    const auto &atoms = atoms_of_[cycle];
    if (!is_reduced_[cycle] &&
        std::none_of(atoms.begin(), atoms.end(), [&](std::uint32_t a) { return is_demand(a); })) {
        return true;
    }
    bool few = find_exits(cycle, parent);
    if (!few && !is_reduced_[cycle]) return true;
    classify(cycle, parent);
    few = few && drop_implied_exits(cycle);
    if (!few && !is_reduced_[cycle]) return true;
    judged_[cycle] = stamp_;
    const auto &exits = exits_[cycle];
    if (!few) {
        ++search_;
        derive(cycle, false);
        for (const std::uint32_t exit : exits) {
            if (derived_[exit] != search_ && !exclude(exit, implied)) return false;
        }
        mark_useful(exits, false);
    }
    for (std::size_t i = 0; few && i < exits.size(); ++i) {
        find_targets(exits[i]);
        derive(cycle, true);
        const bool possible = std::any_of(targets_.begin(), targets_.end(),
                                          [&](std::uint32_t t) { return derived_[t] == search_; });
        if (!possible && !exclude(exits[i], implied)) return false;
        mark_useful(targets_, true);
        if (!has_one_demand(cycle)) continue;
        for (const std::uint32_t t : targets_) target_[t] = stamp_;
        NEURASP_ASSERT(std::any_of(supports_of_[cycle].begin(), supports_of_[cycle].end(),
                                   [&](std::uint32_t s) { return is_useful(s); }),
                       "a demand that can be derived has a useful support");
        imply_only_way(implied);
    }
    is_unsettled_[cycle] =
        std::any_of(exits.begin(), exits.end(),
                    [&](std::uint32_t exit) { return is_true(exit); }) ||
        std::any_of(supports_of_[cycle].begin(), supports_of_[cycle].end(), [&](std::uint32_t s) {
            const std::uint32_t head = unfounded_.support(s).atom;
            return is_useful(s) && is_true(head) && !unfounded_.is_founded(head);
        });
    forget(cycle);
    return true;
}

// If only one body leads into the targets of a demand, it is true in every model.
void UsefulSupports::imply_only_way(std::vector<Lit> &implied) {
    Lit way = false_lit;
    for (const std::uint32_t t : targets_) {
        for (const std::uint32_t s : unfounded_.supports_of(t)) {
            if (!is_useful(s) || plain_step_[s] != nothing) continue;
            const Lit body = unfounded_.support(s).body;
            if (way != false_lit && way != body) return;
            way = body;
        }
    }
    if (way != false_lit && propagator_.is_open(way.var())) implied.push_back(way);
}

std::uint32_t UsefulSupports::choice_near(std::uint32_t cycle, Order::Near near,
                                          const std::vector<std::uint32_t> &position) const {
    Var first = 0;
    for (const std::uint32_t s : supports_of_[cycle]) {
        if (!is_useful(s) || plain_step_[s] != nothing) continue;
        const auto &support = unfounded_.support(s);
        const bool is_near =
            near == Order::Near::target
                ? is_target(support.atom)
                : std::all_of(support.needs.begin(), support.needs.end(),
                              [&](std::uint32_t need) { return unfounded_.is_founded(need); });
        if (!is_near) continue;
        for (const Lit lit : support.others) {
            const Var var = lit.var();
            if (!propagator_.is_open(var) || theory_.choice_of(var) == nothing) continue;
            if (first == 0 || position[var] < position[first]) first = var;
        }
    }
    return first == 0 ? nothing : theory_.choice_of(first);
}

// From now on, of the atoms that are open, only exits may be demanded.
void UsefulSupports::forget(std::uint32_t cycle) {
    const auto &exits = exits_[cycle];
    for (const std::uint32_t a : atoms_of_[cycle]) {
        if (!is_watched_[a] || !propagator_.is_open(unfounded_.atom(a))) continue;
        if (std::find(exits.begin(), exits.end(), a) != exits.end()) continue;
        is_watched_[a] = false;
        forgotten_.push_back(a);
    }
    if (is_reduced_[cycle]) return;
    is_reduced_[cycle] = true;
    forgotten_.push_back(static_cast<std::uint32_t>(is_watched_.size()) + cycle);
}

void UsefulSupports::forget_unneeded(const std::function<bool(Var)> &is_needed) {
    for (std::uint32_t a = 0; a < is_watched_.size(); ++a) {
        const Var var = unfounded_.atom(a);
        if (!is_watched_[a] || !propagator_.is_open(var) || is_needed(var)) continue;
        is_watched_[a] = false;
        forgotten_.push_back(a);
    }
}

void UsefulSupports::undo(std::uint32_t mark) {
    while (forgotten_.size() > mark) {
        const std::uint32_t last = forgotten_.back();
        forgotten_.pop_back();
        if (last < is_watched_.size()) {
            is_watched_[last] = true;
        } else {
            is_reduced_[last - is_watched_.size()] = false;
        }
    }
}

} // namespace neurasp::circuit
