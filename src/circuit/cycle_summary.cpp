// Summarises positive cycles for the keys of components.
//
// The problem. The key of a component must determine its models. On a positive cycle, clauses are not enough: whether an
// atom can be true depends on whether it can still be derived without going round in a circle, and so on which atoms of
// the cycle are already founded and which bodies are still open. Putting all of this into the key is right, but then two
// states that differ inside and behave alike towards the outside get different keys, and nothing is found in the cache.
//
// The idea. Think of reachability in a graph whose edges are decided one by one. A node behind the frontier matters only
// in that it connects nodes of the frontier. In general: an atom is interior if every open way to derive it, and every
// open use of it, is a plain step, a body that is decided except for one atom of the cycle. Such a body is true if and
// only if that atom is. Unfolding these steps does not change the stable models, so a path of plain steps through
// interior atoms can be replaced by a link between its ends, and an interior atom that must be true by a demand: one of
// the atoms from which a path leads to it must be derived. Interior atoms, and the gates of plain steps, are then left
// out of the key; links and demands go into it as fingerprints.
//
// The steps of update(). classify() finds open supports and plain steps; find_interior() the interior atoms; find_links()
// follows plain steps backwards from every other atom; find_demands() collects the atoms that must be true but are not
// derived yet.
//
// Conditions. Nothing outside of the cycle may look at an interior atom or at the body of a plain step: no needed
// clause other than the definitions of the cycle (`foreign_`), no evidence, no body that is shared with another definition.
// A body that is false while none of its literals is, is a constraint on them, and so they are not interior. If the
// program leaves choices open, a body allows an atom without making it true, and no atom is interior.
//
// Other cycles look at bodies that enter them: once the head is true, no clause shows that its derivation still depends on
// such a body. So a body that enters one cycle is never a plain step of another one, and an atom that is such a body by
// itself is never interior. Both were overlooked once; a random program with linked cycles showed it (0.003256 instead of
// 0.002781), which is now a test of the compiler.
//
// Bodies of choices allow an atom without making it true. Whether one of them is true is in the key by the clause that demands
// a body, but not any more once another body, which still has to be derived, satisfies that clause. So true bodies of choices
// are among the demands. This was overlooked until a random program showed it (0.45 instead of 0.4875), which is now a
// test of the compiler, too.
//
// Invariant. Results are valid for the assignment of the last update(); stamps make those of earlier ones void.
//
// Cost. Linear in atoms and supports, plus a walk over plain steps for each atom that is not interior or is demanded; this
// is done at every split.
#include "circuit/cycle_summary.hpp"

#include "circuit/fingerprint.hpp"

#include <algorithm>

namespace neurasp::circuit {

CycleSummary::CycleSummary(const Theory &theory, const Propagator &propagator,
                           const UnfoundedSets &unfounded, const CycleUses &uses,
                           const UsefulSupports &useful)
    : theory_(theory), propagator_(propagator), unfounded_(unfounded), uses_(uses), useful_(useful),
      plain_step_(unfounded.support_count(), nothing),
      is_open_support_(unfounded.support_count(), false), is_live_(unfounded.atom_count(), false),
      is_interior_(unfounded.atom_count(), false), left_out_(theory.variable_limit(), 0),
      link_stamp_(theory.variable_limit(), 0), links_(theory.variable_limit(), 0),
      demands_(theory.recursive_components, 0), reached_(unfounded.atom_count(), 0) {}

bool CycleSummary::has_active_clause(Var var, const View &view) const {
    const auto &clauses = uses_.foreign_clauses(var);
    return uses_.is_always_seen(var) || std::any_of(clauses.begin(), clauses.end(), view.is_active);
}

// Finds the supports that are still possible, and the plain steps among them.
void CycleSummary::classify(const View &view) {
    for (std::uint32_t a = 0; a < is_live_.size(); ++a) {
        const Var var = unfounded_.atom(a);
        is_live_[a] =
            view.is_live(var) || (propagator_.is_true(Lit(var)) && !unfounded_.is_founded(a));
    }
    for (std::uint32_t s = 0; s < plain_step_.size(); ++s) {
        const auto &support = unfounded_.support(s);
        plain_step_[s] = nothing;
        is_open_support_[s] =
            is_live_[support.atom] && !propagator_.is_false(support.body) &&
            (useful_.is_useful(s) || !useful_.judges(unfounded_.component_of_atom(support.atom)));
        if (!is_open_support_[s]) continue;
        const bool decided = std::all_of(support.others.begin(), support.others.end(),
                                         [&](Lit lit) { return propagator_.is_true(lit); });
        std::uint32_t from = nothing;
        std::size_t open_needs = 0;
        for (const std::uint32_t need : support.needs) {
            if (unfounded_.is_founded(need)) continue;
            from = need;
            ++open_needs;
        }
        const bool plain = decided && open_needs == 1 && !support.choice &&
                           !has_active_clause(support.body.var(), view);
        if (plain) plain_step_[s] = from;
    }
}

void CycleSummary::find_interior(const View &view) {
    const auto is_plain = [&](std::uint32_t s) {
        return !is_open_support_[s] || plain_step_[s] != nothing;
    };
    // A body that is false although none of its literals is false is a constraint on them.
    const auto is_harmless = [&](std::uint32_t s) {
        const auto &support = unfounded_.support(s);
        if (!propagator_.is_false(support.body)) {
            // another definition may share the body
            return is_plain(s) &&
                   (is_open_support_[s] || !has_active_clause(support.body.var(), view));
        }
        return std::any_of(support.needs.begin(), support.needs.end(),
                           [&](std::uint32_t need) {
                               return propagator_.is_false(Lit(unfounded_.atom(need)));
                           }) ||
               std::any_of(support.others.begin(), support.others.end(),
                           [&](Lit lit) { return propagator_.is_false(lit); });
    };
    for (std::uint32_t a = 0; a < is_live_.size(); ++a) {
        const Var var = unfounded_.atom(a);
        const auto &supports = unfounded_.supports_of(a);
        const auto &uses = unfounded_.needed_by(a);
        is_interior_[a] = is_live_[a] && theory_.determined &&
                          std::all_of(supports.begin(), supports.end(), is_plain) &&
                          std::all_of(uses.begin(), uses.end(), is_harmless) &&
                          !has_active_clause(var, view);
        if (is_interior_[a] || useful_.is_target(a)) left_out_[var] = stamp_;
    }
    for (std::uint32_t s = 0; s < plain_step_.size(); ++s) {
        if (plain_step_[s] == nothing) continue;
        const Var body = unfounded_.support(s).body.var();
        if (body != unfounded_.atom(plain_step_[s])) left_out_[body] = stamp_;
    }
}

// Follows plain steps backwards from an atom and returns a fingerprint of the atoms found that are not interior. Sets
// `demanded` if one of those must be true itself.
std::uint64_t CycleSummary::follow(std::uint32_t atom, bool &demanded) {
    ++search_;
    std::uint64_t found = 0;
    std::vector<std::uint32_t> open{atom};
    reached_[atom] = search_;
    while (!open.empty()) {
        const std::uint32_t here = open.back();
        open.pop_back();
        for (const std::uint32_t s : unfounded_.supports_of(here)) {
            const std::uint32_t from = plain_step_[s];
            if (from == nothing || reached_[from] == search_) continue;
            reached_[from] = search_;
            open.push_back(from);
            if (is_interior_[from]) continue;
            found += mix(5, from);
            demanded = demanded || propagator_.is_true(Lit(unfounded_.atom(from)));
        }
    }
    return found;
}

void CycleSummary::find_links() {
    for (std::uint32_t a = 0; a < is_live_.size(); ++a) {
        if (!is_live_[a] || is_interior_[a] || useful_.is_target(a)) continue;
        bool demanded = false;
        const std::uint64_t found = follow(a, demanded);
        links_[unfounded_.atom(a)] = found == 0 ? 0 : mix(found, a);
        link_stamp_[unfounded_.atom(a)] = stamp_;
    }
}

void CycleSummary::find_demands() {
    std::fill(demands_.begin(), demands_.end(), 0);
    // pairs of a cycle and a set of atoms of which one is needed
    std::vector<std::pair<std::uint32_t, std::uint64_t>> sets;
    for (std::uint32_t a = 0; a < is_live_.size(); ++a) {
        const Var var = unfounded_.atom(a);
        if (!is_live_[a]) continue;
        const std::uint32_t cycle = unfounded_.component_of_atom(a);
        if (useful_.judges(cycle)) continue;
        if (!propagator_.is_true(Lit(var))) {
            // a body that allows the atom may have become true without it, and satisfied the clause that says so
            for (const std::uint32_t s : unfounded_.supports_of(a)) {
                const auto &support = unfounded_.support(s);
                if (support.choice && propagator_.is_true(support.body)) {
                    demands_[cycle] += mix(9, s);
                }
            }
            continue;
        }
        if (is_interior_[a]) {
            bool demanded = false;
            const std::uint64_t found = follow(a, demanded);
            if (!demanded) sets.emplace_back(cycle, found);
            continue;
        }
        demands_[cycle] += mix(3, a);
        for (const std::uint32_t s : unfounded_.supports_of(a)) {
            if (plain_step_[s] == nothing && propagator_.is_true(unfounded_.support(s).body)) {
                demands_[cycle] += mix(4, s);
            }
        }
    }
    std::sort(sets.begin(), sets.end());
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    for (const auto &[cycle, found] : sets) demands_[cycle] += mix(6, found);
}

// Of cycles whose useless supports are left out. What must be derived are their exits, whichever atoms are true; that an atom
// is true and not derived only matters where something needs it.
void CycleSummary::find_demands_of_judged() {
    ++search_; // marks atoms that were added
    const auto add = [&](std::uint32_t cycle, std::uint64_t kind, std::uint32_t atom) {
        if (reached_[atom] == search_) return;
        reached_[atom] = search_;
        demands_[cycle] += mix(kind, atom);
    };
    for (std::uint32_t s = 0; s < plain_step_.size(); ++s) {
        if (!is_open_support_[s] || !useful_.is_useful(s) || plain_step_[s] != nothing) continue;
        const auto &support = unfounded_.support(s);
        const std::uint32_t cycle = unfounded_.component_of_atom(support.atom);
        if (!useful_.judges(cycle)) continue;
        if (propagator_.is_true(support.body)) demands_[cycle] += mix(4, s);
        for (const std::uint32_t need : support.needs) {
            if (propagator_.is_true(Lit(unfounded_.atom(need))) && !unfounded_.is_founded(need)) {
                add(cycle, 7, need);
            }
        }
        if (useful_.is_target(support.atom)) add(cycle, 8, support.atom);
    }
    for (std::uint32_t cycle = 0; cycle < demands_.size(); ++cycle) {
        if (!useful_.judges(cycle) || useful_.has_one_demand(cycle)) continue;
        for (const std::uint32_t exit : useful_.exits(cycle)) {
            if (!propagator_.is_true(Lit(unfounded_.atom(exit)))) continue;
            bool demanded = false;
            demands_[cycle] += is_interior_[exit] ? mix(6, follow(exit, demanded)) : mix(3, exit);
        }
    }
}

void CycleSummary::update(const View &view) {
    ++stamp_;
    classify(view);
    find_interior(view);
    find_links();
    find_demands();
    find_demands_of_judged();
}

} // namespace neurasp::circuit
