// Unit propagation with two watched literals, exactly-one for choices and tables, and learning from conflicts (propagator.hpp).
#include "circuit/propagator.hpp"

#include <algorithm>

namespace neurasp::circuit {

Propagator::Propagator(const Theory &theory, std::span<const Table> tables)
    : theory_(theory), values_(2 * theory.variable_limit(), 0),
      level_of_(theory.variable_limit(), 0), place_of_(theory.variable_limit(), 0),
      reasons_(theory.variable_limit()), watches_(2 * theory.variable_limit()),
      group_of_(2 * theory.variable_limit(), nothing), seen_(theory.variable_limit(), false) {
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
            watch(store_clause(clause, false));
        } else if (is_false(clause[0])) {
            failed_ = true;
        } else if (!is_true(clause[0])) {
            assign(clause[0], {});
        }
    }
}

void Propagator::add_group(std::span<const Lit> literals, bool complete) {
    for (const Lit lit : literals) {
        group_of_[lit.code()] = static_cast<std::uint32_t>(groups_.size());
    }
    groups_.push_back({literals, complete});
    not_false_.push_back(static_cast<std::uint32_t>(literals.size()));
}

std::uint32_t Propagator::store_clause(std::span<const Lit> literals, bool learned) {
    const auto index = static_cast<std::uint32_t>(clauses_.size());
    clauses_.push_back({static_cast<std::uint32_t>(literals_.size()),
                        static_cast<std::uint32_t>(literals.size()), learned, false});
    literals_.insert(literals_.end(), literals.begin(), literals.end());
    if (learned) ++learned_count_;
    return index;
}

void Propagator::watch(std::uint32_t clause) {
    const Lit *literals = literals_.data() + clauses_[clause].begin;
    watches_[literals[0].code()].push_back({clause, literals[1]});
    watches_[literals[1].code()].push_back({clause, literals[0]});
}

void Propagator::assign(Lit lit, Reason reason) {
    values_[lit.code()] = 1;
    values_[(~lit).code()] = -1;
    level_of_[lit.var()] = level();
    reasons_[lit.var()] = reason;
    place_of_[lit.var()] = static_cast<std::uint32_t>(trail_.size());
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
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Watch entry = list[i];
        if (is_true(entry.blocker)) {
            list[kept++] = entry;
            continue;
        }
        const ClauseHead &head = clauses_[entry.clause];
        if (head.removed) continue;
        Lit *literals = literals_.data() + head.begin;
        if (literals[0] == lit) std::swap(literals[0], literals[1]);
        if (is_true(literals[0])) {
            list[kept++] = {entry.clause, literals[0]};
            continue;
        }
        std::uint32_t next = 2;
        while (next < head.size && is_false(literals[next])) ++next;
        if (next < head.size) {
            std::swap(literals[1], literals[next]);
            watches_[literals[1].code()].push_back({entry.clause, literals[0]});
            continue;
        }
        list[kept++] = entry;
        if (is_false(literals[0])) {
            conflict_.assign(literals, literals + head.size);
            for (++i; i < list.size(); ++i) list[kept++] = list[i];
            list.resize(kept);
            return false;
        }
        assign(literals[0], {ReasonKind::clause, entry.clause});
    }
    list.resize(kept);
    return true;
}

// The false literals that forced `lit`.
std::span<const Lit> Propagator::reason_of(Lit lit) {
    reason_literals_.clear();
    const Reason reason = reasons_[lit.var()];
    if (reason.kind == ReasonKind::literal) {
        reason_literals_.push_back(~Lit::from_code(reason.index));
    } else if (reason.kind == ReasonKind::group) {
        for (const Lit other : groups_[reason.index].literals) {
            if (other != lit) reason_literals_.push_back(other);
        }
    } else if (reason.kind == ReasonKind::clause) {
        const ClauseHead &head = clauses_[reason.index];
        for (std::uint32_t i = 0; i < head.size; ++i) {
            const Lit other = literals_[head.begin + i];
            if (other != lit) reason_literals_.push_back(other);
        }
    }
    return reason_literals_;
}

// First unique implication point: resolves the conflict with reasons until only one literal of its highest level is
// left. That literal comes first in `learned`.
void Propagator::analyse(std::vector<Lit> &learned) {
    std::uint32_t highest = 0;
    for (const Lit lit : conflict_) highest = std::max(highest, level_of_[lit.var()]);
    learned.assign(1, Lit());
    std::size_t open = 0;
    std::vector<Var> marked;
    const auto mark = [&](Lit lit) {
        if (seen_[lit.var()] || level_of_[lit.var()] == 0) return;
        seen_[lit.var()] = true;
        marked.push_back(lit.var());
        if (level_of_[lit.var()] == highest) {
            ++open;
        } else {
            learned.push_back(lit);
        }
    };
    for (const Lit lit : conflict_) mark(lit);
    std::size_t place = trail_.size();
    while (open > 0) {
        do {
            --place;
        } while (!seen_[trail_[place].var()] || level_of_[trail_[place].var()] != highest);
        const Lit lit = trail_[place];
        if (--open == 0) {
            learned[0] = ~lit;
            break;
        }
        for (const Lit other : reason_of(lit)) mark(other);
    }
    for (const Var var : marked) seen_[var] = false;
}

void Propagator::learn_from_conflict() {
    std::vector<Lit> learned;
    analyse(learned);
    last_learned_ = nothing;
    if (learned[0] == Lit()) { // the conflict is already at level 0
        failed_ = true;
        return;
    }
    if (learned.size() == 1) {
        // A unit clause has no second literal to watch, so it is stored with the constant false, whose level is 0.
        learned.push_back(false_lit);
    }
    const auto second = std::max_element(learned.begin() + 1, learned.end(), [&](Lit a, Lit b) {
        return level_of_[a.var()] < level_of_[b.var()];
    });
    std::iter_swap(learned.begin() + 1, second);
    last_learned_ = store_clause(learned, true);
    watch(last_learned_);
    if (learned_count_ > learned_limit_) reduce_learned();
}

bool Propagator::apply_learned() {
    if (failed_) return false;
    if (last_learned_ == nothing) return true;
    const ClauseHead head = clauses_[last_learned_];
    const std::uint32_t clause = last_learned_;
    last_learned_ = nothing;
    for (std::uint32_t i = 1; i < head.size; ++i) {
        if (!is_false(literals_[head.begin + i])) return true;
    }
    const Lit forced = literals_[head.begin];
    if (is_true(forced)) return true;
    if (is_false(forced)) {
        const Lit *literals = literals_.data() + head.begin;
        conflict_.assign(literals, literals + head.size);
        return false;
    }
    assign(forced, {ReasonKind::clause, clause});
    return propagate();
}

bool Propagator::add_implied(std::span<const Lit> literals) {
    if (learned_count_ > learned_limit_) reduce_learned();
    std::vector<Lit> clause(literals.begin(), literals.end());
    // first the literal that is not false (or became false last), then the one that became false last
    const auto rank = [&](Lit lit) { return is_false(lit) ? level_of_[lit.var()] : nothing; };
    for (std::size_t place = 0; place < 2 && place < clause.size(); ++place) {
        const auto best =
            std::max_element(clause.begin() + static_cast<std::ptrdiff_t>(place), clause.end(),
                             [&](Lit a, Lit b) { return rank(a) < rank(b); });
        std::iter_swap(clause.begin() + static_cast<std::ptrdiff_t>(place), best);
    }
    if (clause.size() == 1) clause.push_back(false_lit);
    const std::uint32_t index = store_clause(clause, true);
    watch(index);
    if (is_false(clause[0])) {
        conflict_ = clause;
        ++conflicts_;
        if (level() == 0) failed_ = true;
        return false;
    }
    if (!is_true(clause[0])) assign(clause[0], {ReasonKind::clause, index});
    return true;
}

// Drops the older half of the learned clauses, except reasons of current assignments and clauses of two literals.
void Propagator::reduce_learned() {
    std::vector<bool> is_reason(clauses_.size(), false);
    for (const Lit lit : trail_) {
        if (reasons_[lit.var()].kind == ReasonKind::clause) {
            is_reason[reasons_[lit.var()].index] = true;
        }
    }
    if (last_learned_ != nothing) is_reason[last_learned_] = true;
    std::size_t to_remove = learned_count_ / 2;
    std::vector<Lit> compact;
    compact.reserve(literals_.size());
    for (std::uint32_t i = 0; i < clauses_.size(); ++i) {
        ClauseHead &head = clauses_[i];
        if (head.removed) continue;
        if (head.learned && to_remove > 0 && head.size > 2 && !is_reason[i]) {
            head.removed = true;
            --to_remove;
            --learned_count_;
            continue;
        }
        const auto begin = static_cast<std::uint32_t>(compact.size());
        compact.insert(compact.end(), literals_.begin() + head.begin,
                       literals_.begin() + head.begin + head.size);
        head.begin = begin;
    }
    literals_ = std::move(compact);
    for (auto &list : watches_) {
        std::erase_if(list, [&](const Watch &entry) { return clauses_[entry.clause].removed; });
    }
    learned_limit_ += learned_limit_ / 20;
}

} // namespace neurasp::circuit
