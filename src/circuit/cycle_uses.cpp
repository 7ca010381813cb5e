// Separates the clauses that define positive cycles from those that look at them (cycle_uses.hpp).
//
// The definitions of a cycle are the completion of its atoms and the gates of the bodies that need such atoms. A body that
// enters the cycle from outside needs none of them; it may matter for other cycles, too, so what mentions it is foreign.
#include "circuit/cycle_uses.hpp"

#include <algorithm>

namespace neurasp::circuit {

CycleUses::CycleUses(const Theory &theory, const UnfoundedSets &unfounded)
    : is_seen_(theory.variable_limit(), false), foreign_(theory.variable_limit()) {
    for (const Lit lit : theory.evidence) is_seen_[lit.var()] = true;
    if (unfounded.empty()) return;
    // by variable: owners whose definitions may mention it although it is inside
    std::vector<std::vector<Var>> own(theory.variable_limit());
    for (std::uint32_t s = 0; s < unfounded.support_count(); ++s) {
        const auto &support = unfounded.support(s);
        const Var head = unfounded.atom(support.atom);
        if (support.needs.empty()) is_seen_[support.body.var()] = true;
        if (!support.needs.empty()) own[support.body.var()].push_back(head);
        for (const std::uint32_t need : support.needs) {
            own[unfounded.atom(need)].push_back(support.body.var());
            if (support.body.var() == unfounded.atom(need)) own[support.body.var()].push_back(head);
        }
    }
    for (std::uint32_t i = 0; i < theory.clause_count(); ++i) {
        const Var owner = theory.owner(i);
        for (const Lit lit : theory.clause(i)) {
            const Var var = lit.var();
            if (own[var].empty() && unfounded.components_of(var).empty()) continue;
            const auto &owners = own[var];
            const bool inside =
                owner == var ||
                (owner != 0 && std::find(owners.begin(), owners.end(), owner) != owners.end());
            if (!inside) foreign_[var].push_back(i);
        }
    }
}

} // namespace neurasp::circuit
