// Branch and bound over groups of atoms, as a propagator inside clasp's search.
//
// The problem. Each group is a multi-valued variable: exactly one of its atoms is true in every model, and each atom
// has a cost. We want models of least cost (the most probable models, with costs made from -log p by the caller),
// first the best one, then all below a limit.
//
// The idea. The lower bound of a partial assignment is the sum, over the groups, of the cheapest outcome that is not
// false yet. When it reaches the limit, the branch is cut off. An open outcome whose choice alone would lift the bound
// to the limit is made false. Both are explained to clasp by clauses, so its conflict learning does the rest. Decisions
// go to the group with the largest regret, the difference between its two cheapest outcomes, and make its cheapest
// open outcome true: the first models are cheap, and a low limit comes early.
//
// Explanations. A group costs more than its cheapest outcome only because cheaper outcomes are false. So the clause
// contains these outcomes: at least one of them must become true. The bound often exceeds the limit by more than it has
// to; this surplus allows groups to be left out, which keeps the clauses short.
//
// Why not clasp's own optimisation: its weights have 32 bits, and rounding costs to 32 bits would make different ones
// equal. Ours are 128-bit integers, so sums are exact and the bound can be updated by differences without
// drifting. The original Python implementation rounds to integer weights for #minimize and grounds anew for each
// Sudoku board: it does not finish within 5 s on most boards with ten wrong cells, where this takes milliseconds
// (docs/performance.md).
//
// Invariants. `first` is the index of the cheapest outcome of its group that is not false, `open` the number of
// outcomes that are not false, and `lower_` the sum of the groups' bounds; propagate() and undo() keep all three up
// to date as literals become false and open again. The limit only falls during a search. Clauses are volatile: they
// depend on the limit and must not outlive the search. clasp keeps its promise about volatile clauses only above decision
// level 0, so enforce() waits for the first call above it.
//
// Cost. A changed literal costs constant time, apart from advancing `first`. Enforcing the bound is linear in the
// number of groups, plus the outcomes that are too expensive; a clause costs another pass over the groups.
#include "asp/cost_bound.hpp"

#include "asp/clingo_abi.hpp"
#include "asp/clingo_call.hpp"

#include <algorithm>
#include <numeric>

namespace neurasp::asp {

CostBound::CostBound(const std::vector<Group> &groups) {
    for (const Group &group : groups) {
        GroupState state;
        for (std::size_t i = 0; i < group.atoms.size(); ++i) {
            state.outcomes.push_back({group.costs[i], group.atoms[i], 0, false});
        }
        std::stable_sort(state.outcomes.begin(), state.outcomes.end(),
                         [](const Outcome &a, const Outcome &b) { return a.cost < b.cost; });
        groups_.push_back(std::move(state));
    }
    const auto regret = [&](std::uint32_t group) {
        const auto &outcomes = groups_[group].outcomes;
        return outcomes.size() < 2 ? no_limit : outcomes[1].cost - outcomes[0].cost;
    };
    decision_order_.resize(groups_.size());
    std::iota(decision_order_.begin(), decision_order_.end(), 0U);
    std::stable_sort(decision_order_.begin(), decision_order_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return regret(a) > regret(b); });
}

void CostBound::set_limit(Cost limit) {
    limit_ = limit;
    limit_changed_ = true;
}

void CostBound::start(clingo_propagate_init *init, std::span<const std::uint32_t> ids) {
    const clingo_assignment *assignment = clingo_propagate_init_assignment(init);
    places_.clear();
    lower_ = 0;
    limit_changed_ = true;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        GroupState &group = groups_[g];
        group.first = 0;
        group.open = group.outcomes.size();
        lower_ += group.bound();
        for (std::size_t o = 0; o < group.outcomes.size(); ++o) {
            Outcome &outcome = group.outcomes[o];
            outcome.is_false = false;
            asp::check(clingo_propagate_init_solver_literal(
                init, static_cast<clingo_literal_t>(ids[outcome.atom.index()]), &outcome.literal));
            const Place place{static_cast<std::uint32_t>(g), static_cast<std::uint32_t>(o)};
            places_[-outcome.literal].push_back(place);
            asp::check(clingo_propagate_init_add_watch(init, -outcome.literal));
            int value = clingo_truth_value_free;
            asp::check(clingo_assignment_truth_value(assignment, outcome.literal, &value));
            if (value == clingo_truth_value_false) set_false(place);
        }
    }
}

void CostBound::advance(GroupState &group) {
    while (group.first < group.outcomes.size() && group.outcomes[group.first].is_false) {
        ++group.first;
    }
}

void CostBound::set_false(Place place) {
    GroupState &group = groups_[place.group];
    Outcome &outcome = group.outcomes[place.outcome];
    if (outcome.is_false) return;
    outcome.is_false = true;
    --group.open;
    if (place.outcome == group.first) {
        lower_ -= group.bound();
        advance(group);
        lower_ += group.bound();
    }
}

void CostBound::unset_false(Place place) {
    GroupState &group = groups_[place.group];
    Outcome &outcome = group.outcomes[place.outcome];
    if (!outcome.is_false) return;
    outcome.is_false = false;
    ++group.open;
    if (place.outcome < group.first) {
        lower_ -= group.bound();
        group.first = place.outcome;
        lower_ += group.bound();
    }
}

void CostBound::observe(std::span<const std::int32_t> changes) {
    for (const std::int32_t literal : changes) {
        // Watches of an earlier search may still report literals that this one does not know.
        const auto found = places_.find(literal);
        if (found == places_.end()) continue;
        for (const Place place : found->second) set_false(place);
    }
}

bool CostBound::propagate(clingo_propagate_control *control,
                          std::span<const std::int32_t> changes) {
    observe(changes);
    return enforce(control);
}

void CostBound::undo(std::span<const std::int32_t> changes) {
    for (const std::int32_t literal : changes) {
        const auto found = places_.find(literal);
        if (found == places_.end()) continue;
        for (const Place place : found->second) unset_false(place);
    }
}

bool CostBound::check(clingo_propagate_control *control) {
    return !limit_changed_ || enforce(control);
}

bool CostBound::enforce(clingo_propagate_control *control) {
    constexpr std::size_t no_group = ~std::size_t{0};
    // At level 0, clasp has not yet assumed the literal that makes clauses volatile: it would keep them for later
    // searches, or crash. The first check above level 0 catches up.
    if (clingo_assignment_decision_level(clingo_propagate_control_assignment(control)) == 0) {
        limit_changed_ = true;
        return true;
    }
    if (lower_ >= limit_) {
        clause_.clear();
        explain(no_group, lower_ - limit_);
        return add_clause(control);
    }
    const Cost slack = limit_ - lower_;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const GroupState &group = groups_[g];
        for (std::size_t o = group.outcomes.size(); o-- > group.first + 1;) {
            const Outcome &outcome = group.outcomes[o];
            const Cost extra = outcome.cost - group.bound();
            if (extra < slack) break;
            if (outcome.is_false) continue;
            clause_.assign(1, -outcome.literal);
            explain(g, extra - slack);
            if (!add_clause(control)) return false;
        }
    }
    limit_changed_ = false;
    return true;
}

void CostBound::explain(std::size_t except, Cost surplus) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const GroupState &group = groups_[g];
        if (g == except || group.first == 0 || group.bound() == group.outcomes[0].cost) continue;
        const Cost gain = group.bound() - group.outcomes[0].cost;
        if (gain <= surplus) {
            surplus -= gain;
            continue;
        }
        for (std::size_t o = 0; o < group.first; ++o) {
            if (group.outcomes[o].cost < group.bound()) {
                clause_.push_back(group.outcomes[o].literal);
            }
        }
    }
}

bool CostBound::add_clause(clingo_propagate_control *control) {
    bool go_on = false;
    asp::check(clingo_propagate_control_add_clause(control, clause_.data(), clause_.size(),
                                                   clingo_clause_type_volatile, &go_on));
    return go_on;
}

std::int32_t CostBound::decide() const {
    for (const std::uint32_t g : decision_order_) {
        const GroupState &group = groups_[g];
        if (group.open > 1 && group.first < group.outcomes.size()) {
            return group.outcomes[group.first].literal;
        }
    }
    return 0;
}

} // namespace neurasp::asp
