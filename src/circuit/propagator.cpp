// Unit propagation with two watched literals, exactly-one for choices and tables, and learning from conflicts.
//
// The method is that of Chaff and its successors (Moskewicz et al. 2001; Marques-Silva and Sakallah 1999 for learning). Each
// clause is visited only when one of its two watched literals, the first two, becomes false, and not even then if the
// blocker, another literal that was noted with the watch, is true. What differs is that random variables and tables are
// groups: a literal of a group that becomes true excludes the others without any clause.
//
// Clauses are in one arena, each behind its size; a clause is known by its place there. A pair is never read from the
// arena: its watch has its other literal, which also is its reason. Most clauses of our theories are pairs.
//
// Invariants. The watched literals of a clause are its first two. At a fixpoint, a clause of the theory that is not
// satisfied watches two open literals. A learned clause may be unit without being noticed: the search undoes one level at a
// time, and what such a clause forces is only assigned right after the conflict that it comes from. A reason is never
// dropped: reduce_learned() keeps the clauses that are reasons on the trail, and moves places along when it compacts the
// arena.
//
// Cost. A visit of a clause costs its length at worst. Learned clauses are halved when they become many; pairs stay.
// Propagation takes 4 to 5 % of the time on grids of tables and random Bayesian networks of 80 nodes, so no more was tried here.
#include "circuit/propagator.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <utility>

namespace neurasp::circuit {

namespace {

// Marks the watch of a pair, in place of a clause. The arena never grows so large.
constexpr std::uint32_t pair_watch = nothing - 1;

} // namespace

Propagator::Propagator(const Theory &theory, std::span<const Table> tables,
                       std::size_t most_learned)
    : theory_(theory), values_(2 * theory.variable_limit(), 0), facts_(theory.variable_limit()),
      watches_(2 * theory.variable_limit()), group_of_(2 * theory.variable_limit(), nothing),
      learned_limit_(most_learned), seen_(theory.variable_limit(), 0) {
    values_[true_lit.code()] = 1;
    values_[false_lit.code()] = -1;
    for (const Choice &choice : theory.choices()) {
        if (choice.outcomes.size() > 2) add_group(choice.outcomes, true); // a Boolean needs none
    }
    for (const Table &table : tables) {
        if (table.values.size() > 1) add_group(table.values, table.complete);
    }
    failed_ = theory.contradictory;
    for (std::size_t i = 0; i < theory.clause_count() && !failed_; ++i) {
        const auto clause = theory.clause(i);
        if (clause.size() > 1) {
            watch(store_clause(clause));
        } else if (is_false(clause[0])) {
            failed_ = true;
        } else if (!is_true(clause[0])) {
            assign(clause[0], {});
        }
    }
    first_learned_ = static_cast<ClauseRef>(arena_.size());
}

void Propagator::add_group(std::span<const Lit> literals, bool complete) {
    for (const Lit lit : literals) {
        group_of_[lit.code()] = static_cast<std::uint32_t>(groups_.size());
    }
    groups_.push_back({literals, complete});
    not_false_.push_back(static_cast<std::uint32_t>(literals.size()));
}

Propagator::ClauseRef Propagator::store_clause(std::span<const Lit> literals) {
    const auto clause = static_cast<ClauseRef>(arena_.size());
    arena_.push_back(Lit::from_code(static_cast<std::uint32_t>(literals.size())));
    arena_.insert(arena_.end(), literals.begin(), literals.end());
    return clause;
}

void Propagator::watch(ClauseRef clause) {
    const auto literals = literals_of(clause);
    const ClauseRef entry = literals.size() == 2 ? pair_watch : clause;
    watches_[literals[0].code()].push_back({entry, literals[1]});
    watches_[literals[1].code()].push_back({entry, literals[0]});
}

void Propagator::assign(Lit lit, Reason reason) {
    values_[lit.code()] = 1;
    values_[(~lit).code()] = -1;
    facts_[lit.var()] = {level(), static_cast<std::uint32_t>(trail_.size()), reason};
    trail_.push_back(lit);
    if (const std::uint32_t group = group_of_[(~lit).code()]; group != nothing) --not_false_[group];
}

void Propagator::decide(Lit lit) {
    level_begin_.push_back(static_cast<std::uint32_t>(trail_.size()));
    if (!is_true(lit)) assign(lit, {});
}

void Propagator::undo_level() {
    const std::uint32_t begin = level_begin_.back();
    level_begin_.pop_back();
    for (std::size_t i = begin; i < trail_.size(); ++i) {
        const Lit lit = trail_[i];
        values_[lit.code()] = 0;
        values_[(~lit).code()] = 0;
        if (const std::uint32_t group = group_of_[(~lit).code()]; group != nothing) {
            ++not_false_[group];
        }
    }
    trail_.resize(begin);
    next_ = trail_.size();
}

bool Propagator::propagate() {
    if (failed_) return false;
    while (next_ < trail_.size()) {
        const Lit lit = trail_[next_++];
        if (!propagate_group(lit) || !propagate_clauses(~lit)) {
            ++conflicts_;
            if (level() == 0) failed_ = true;
            return false;
        }
    }
    NEURASP_ASSERT(watches_hold(),
                   "a clause of the theory that is not satisfied watches open literals");
    NEURASP_ASSERT(trail_holds(), "variables know their places on the trail and their levels");
    return true;
}

// Looks at all clauses of the theory, if it is small enough for that.
bool Propagator::watches_hold() const {
    constexpr std::size_t most_literals = 500;
    if (arena_.size() > most_literals) return true;
    for (ClauseRef clause = 0; clause < first_learned_; clause += size_of(clause) + 1) {
        const auto literals = literals_of(clause);
        const bool satisfied =
            std::any_of(literals.begin(), literals.end(), [&](Lit lit) { return is_true(lit); });
        if (!satisfied && (is_false(literals[0]) || is_false(literals[1]))) return false;
    }
    return true;
}

bool Propagator::trail_holds() const {
    constexpr std::size_t most_literals = 500;
    if (arena_.size() > most_literals) return true;
    for (std::uint32_t i = 0; i < trail_.size(); ++i) {
        const Fact &fact = facts_[trail_[i].var()];
        const auto levels_begun = std::upper_bound(level_begin_.begin(), level_begin_.end(), i);
        const auto level = static_cast<std::uint32_t>(levels_begun - level_begin_.begin());
        if (fact.place != i || fact.level != level || !is_true(trail_[i])) return false;
    }
    return true;
}

bool Propagator::propagate_group(Lit lit) {
    const std::uint32_t as_true = group_of_[lit.code()];
    if (as_true != nothing && !exclude_others(lit, groups_[as_true])) return false;
    const std::uint32_t as_false = group_of_[(~lit).code()];
    return as_false == nothing || !groups_[as_false].complete || require_last(as_false);
}

// At most one literal of a group is true.
bool Propagator::exclude_others(Lit lit, const Group &group) {
    for (const Lit other : group.literals) {
        if (other == lit || is_false(other)) continue;
        if (is_true(other)) {
            conflict_.assign({~other, ~lit});
            return false;
        }
        assign(~other, {ReasonKind::literal, lit.code()});
    }
    return true;
}

// If all literals of a complete group but one are false, that one is true.
bool Propagator::require_last(std::uint32_t group) {
    const auto literals = groups_[group].literals;
    if (not_false_[group] == 0) {
        conflict_.assign(literals.begin(), literals.end());
        return false;
    }
    if (not_false_[group] > 1) return true;
    for (const Lit other : literals) {
        if (!is_false(other)) {
            if (!is_true(other)) assign(other, {ReasonKind::group, group});
            break;
        }
    }
    return true;
}

// Visits the clauses that watch `lit`, which has just become false.
bool Propagator::propagate_clauses(Lit lit) {
    auto &list = watches_[lit.code()];
    Watch *kept = list.data();
    const Watch *const end = list.data() + list.size();
    const auto keep_from = [&](const Watch *rest) {
        kept = std::copy(rest, end, kept);
        list.resize(static_cast<std::size_t>(kept - list.data()));
    };
    for (const Watch *place = list.data(); place != end; ++place) {
        const Watch entry = *place;
        if (is_true(entry.blocker)) {
            *kept++ = entry;
            continue;
        }
        if (entry.clause == pair_watch) {
            *kept++ = entry;
            if (is_false(entry.blocker)) {
                conflict_.assign({lit, entry.blocker});
                keep_from(place + 1);
                return false;
            }
            assign(entry.blocker, {ReasonKind::literal, (~lit).code()});
            continue;
        }
        const auto literals = literals_of(entry.clause);
        if (literals[0] == lit) std::swap(literals[0], literals[1]);
        if (is_true(literals[0])) {
            *kept++ = {entry.clause, literals[0]};
            continue;
        }
        const auto next = std::find_if(literals.begin() + 2, literals.end(),
                                       [&](Lit other) { return !is_false(other); });
        if (next != literals.end()) {
            std::swap(literals[1], *next);
            watches_[literals[1].code()].push_back({entry.clause, literals[0]});
            continue;
        }
        *kept++ = entry;
        if (is_false(literals[0])) {
            conflict_.assign(literals.begin(), literals.end());
            keep_from(place + 1);
            return false;
        }
        assign(literals[0], {ReasonKind::clause, entry.clause});
    }
    keep_from(end);
    return true;
}

// The false literals that forced `lit`.
std::span<const Lit> Propagator::reason_of(Lit lit) {
    reason_literals_.clear();
    const Reason reason = facts_[lit.var()].reason;
    if (reason.kind == ReasonKind::literal) {
        reason_literals_.push_back(~Lit::from_code(reason.index));
    } else if (reason.kind == ReasonKind::group) {
        for (const Lit other : groups_[reason.index].literals) {
            if (other != lit) reason_literals_.push_back(other);
        }
    } else if (reason.kind == ReasonKind::clause) {
        for (const Lit other : literals_of(reason.index)) {
            if (other != lit) reason_literals_.push_back(other);
        }
    }
    return reason_literals_;
}

// First unique implication point: resolves the conflict with reasons until only one literal of its highest level is
// left. That literal comes first in `learned_`.
void Propagator::analyse() {
    std::uint32_t highest = 0;
    for (const Lit lit : conflict_) highest = std::max(highest, level_of(lit.var()));
    learned_.assign(1, Lit());
    std::size_t open = 0;
    marked_.clear();
    const auto mark = [&](Lit lit) {
        if (seen_[lit.var()] != 0 || level_of(lit.var()) == 0) return;
        seen_[lit.var()] = 1;
        marked_.push_back(lit.var());
        if (level_of(lit.var()) == highest) {
            ++open;
        } else {
            learned_.push_back(lit);
        }
    };
    for (const Lit lit : conflict_) mark(lit);
    std::size_t place = trail_.size();
    while (open > 0) {
        do {
            --place;
        } while (seen_[trail_[place].var()] == 0 || level_of(trail_[place].var()) != highest);
        const Lit lit = trail_[place];
        if (--open == 0) {
            learned_[0] = ~lit;
            break;
        }
        for (const Lit other : reason_of(lit)) mark(other);
    }
    for (const Var var : marked_) seen_[var] = 0;
}

void Propagator::learn_from_conflict() {
    analyse();
    last_learned_ = nothing;
    if (learned_[0] == Lit()) { // the conflict is already at level 0
        failed_ = true;
        return;
    }
    if (learned_.size() == 1) {
        // A unit clause has no second literal to watch, so it is stored with the constant false, whose level is 0.
        learned_.push_back(false_lit);
    }
    const auto second = std::max_element(learned_.begin() + 1, learned_.end(), [&](Lit a, Lit b) {
        return level_of(a.var()) < level_of(b.var());
    });
    std::iter_swap(learned_.begin() + 1, second);
    last_learned_ = store_clause(learned_);
    ++learned_count_;
    watch(last_learned_);
    if (learned_count_ > learned_limit_) reduce_learned();
}

bool Propagator::apply_learned() {
    if (failed_) return false;
    if (last_learned_ == nothing) return true;
    const ClauseRef clause = std::exchange(last_learned_, nothing);
    const auto literals = literals_of(clause);
    const bool forces =
        std::all_of(literals.begin() + 1, literals.end(), [&](Lit lit) { return is_false(lit); });
    if (!forces || is_true(literals[0])) return true;
    if (is_false(literals[0])) {
        conflict_.assign(literals.begin(), literals.end());
        return false;
    }
    assign(literals[0], {ReasonKind::clause, clause});
    return propagate();
}

bool Propagator::add_implied(std::span<const Lit> literals) {
    if (learned_count_ > learned_limit_) reduce_learned();
    std::vector<Lit> &clause = learned_;
    clause.assign(literals.begin(), literals.end());
    // first the literal that is not false (or became false last), then the one that became false last
    const auto rank = [&](Lit lit) { return is_false(lit) ? level_of(lit.var()) : nothing; };
    for (std::size_t place = 0; place < 2 && place < clause.size(); ++place) {
        const auto best =
            std::max_element(clause.begin() + static_cast<std::ptrdiff_t>(place), clause.end(),
                             [&](Lit a, Lit b) { return rank(a) < rank(b); });
        std::iter_swap(clause.begin() + static_cast<std::ptrdiff_t>(place), best);
    }
    if (clause.size() == 1) clause.push_back(false_lit);
    const ClauseRef added = store_clause(clause);
    ++learned_count_;
    watch(added);
    if (is_false(clause[0])) {
        conflict_ = clause;
        ++conflicts_;
        if (level() == 0) failed_ = true;
        return false;
    }
    if (!is_true(clause[0])) assign(clause[0], {ReasonKind::clause, added});
    return true;
}

// Drops the older half of the learned clauses, except reasons of current assignments and clauses of two literals.
void Propagator::reduce_learned() {
    std::vector<ClauseRef> needed;
    for (const Lit lit : trail_) {
        const Reason reason = facts_[lit.var()].reason;
        if (reason.kind == ReasonKind::clause) needed.push_back(reason.index);
    }
    if (last_learned_ != nothing) needed.push_back(last_learned_);
    std::sort(needed.begin(), needed.end());
    std::vector<std::pair<ClauseRef, ClauseRef>>
        moves; // from where, to where; `nothing` if it is dropped
    std::size_t to_remove = learned_count_ / 2;
    ClauseRef end = first_learned_;
    for (ClauseRef clause = first_learned_; clause < arena_.size();) {
        const std::uint32_t length = size_of(clause) + 1;
        if (to_remove > 0 && length > 3 &&
            !std::binary_search(needed.begin(), needed.end(), clause)) {
            --to_remove;
            --learned_count_;
            moves.emplace_back(clause, nothing);
        } else {
            moves.emplace_back(clause, end);
            std::copy_n(arena_.begin() + clause, length, arena_.begin() + end);
            end += length;
        }
        clause += length;
    }
    arena_.resize(end);
    const auto moved = [&](ClauseRef clause) {
        if (clause < first_learned_ || clause == pair_watch) return clause;
        return std::lower_bound(moves.begin(), moves.end(), std::pair(clause, ClauseRef{0}))
            ->second;
    };
    for (auto &list : watches_) {
        for (Watch &entry : list) entry.clause = moved(entry.clause);
        std::erase_if(list, [](const Watch &entry) { return entry.clause == nothing; });
    }
    for (const Lit lit : trail_) {
        Reason &reason = facts_[lit.var()].reason;
        if (reason.kind == ReasonKind::clause) reason.index = moved(reason.index);
    }
    if (last_learned_ != nothing) last_learned_ = moved(last_learned_);
    learned_limit_ += learned_limit_ / 20;
}

} // namespace neurasp::circuit
