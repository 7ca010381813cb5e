// Adds clauses and choices to a theory.
#include "circuit/theory.hpp"

#include "base/assert.hpp"

#include <algorithm>

namespace neurasp::circuit {

void Theory::add_clause(std::span<const Lit> literals, Var owner) {
    scratch_.assign(literals.begin(), literals.end());
    std::sort(scratch_.begin(), scratch_.end());
    scratch_.erase(std::unique(scratch_.begin(), scratch_.end()), scratch_.end());
    std::erase(scratch_, false_lit);
    for (std::size_t i = 0; i < scratch_.size(); ++i) {
        if (scratch_[i] == true_lit) return;
        if (i > 0 && scratch_[i].var() == scratch_[i - 1].var()) return; // x or not x
    }
    if (scratch_.empty()) contradictory = true;
    literals_.insert(literals_.end(), scratch_.begin(), scratch_.end());
    begin_.push_back(static_cast<std::uint32_t>(literals_.size()));
    owners_.push_back(owner);
}

void Theory::add_choice(Choice choice) {
    const auto index = static_cast<std::uint32_t>(choices_.size());
    for (const Lit outcome : choice.outcomes) {
        NEURASP_ASSERT(outcome.var() < variable_limit(),
                       "the outcomes of a choice are literals of known variables");
        if (outcome.var() != 0) choice_of_[outcome.var()] = index;
    }
    choices_.push_back(std::move(choice));
}

} // namespace neurasp::circuit
