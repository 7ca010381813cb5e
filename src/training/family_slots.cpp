// Chooses the slots of a family.
//
// Why. The parts of observations could all be Boolean variables, but then the circuit would cover sets of parts that never
// occur: a sum with two values at once, a path with five ends. A slot has only outcomes that some observation
// has, and exactly one of them holds. Circuits with slots are much smaller for it.
//
// How. Each position among the constraints is a slot, because observations of one kind have the same forms in the same order.
// Facts have no order. Those of one predicate are one slot if they occur in few combinations (the two ends of a path: 120
// pairs); else one slot for each position, if their number is always the same (then sorted by number, so that equal sets are
// equal); else each fact is a slot of its own, there or not.
//
// Parts that decide nothing (bans and fees only) are in no slot, and a position with nothing else is not a slot.
//
// Invariant: the statements that decide something and are there are the union of those of the slots' outcomes.
#include "training/family_slots.hpp"

#include <algorithm>
#include <set>

namespace neurasp::training {

namespace {

// Sets of facts become outcomes of one slot if there are at most this many, or one for this many observations.
constexpr std::size_t few_combinations = 256;
constexpr std::size_t observations_per_combination = 4;

} // namespace

FamilySlots::FamilySlots(std::span<const PartedObservation> observations,
                         const inference::PartTable &parts, std::vector<std::uint32_t> statement_of,
                         std::vector<bool> decides)
    : parts_(parts), statement_of_(std::move(statement_of)), decides_(std::move(decides)) {
    add_constraint_slots(observations);
    add_fact_slots(observations);
}

FamilySlots::Facts FamilySlots::facts_of(const PartedObservation &observation) const {
    Facts facts;
    for (const PartId part : observation.facts) {
        const std::uint32_t statement = statement_of_[part];
        if (decides_[statement]) facts[parts_.form(part)].push_back(statement);
    }
    for (auto &[form, statements] : facts) std::sort(statements.begin(), statements.end());
    return facts;
}

std::vector<std::uint32_t> FamilySlots::value_of(const Source &source,
                                                 const PartedObservation &observation,
                                                 const Facts &facts) const {
    if (source.kind == Source::Kind::constraint) {
        const std::uint32_t statement = statement_of_[observation.constraints[source.index]];
        if (!decides_[statement]) return {};
        return {statement};
    }
    const auto found = facts.find(source.form);
    if (found == facts.end()) return {};
    const auto &statements = found->second;
    switch (source.kind) {
    case Source::Kind::fact:
        if (source.index >= statements.size()) return {};
        return {statements[source.index]};
    case Source::Kind::single:
        if (!std::binary_search(statements.begin(), statements.end(), source.index)) return {};
        return {source.index};
    default: return statements;
    }
}

void FamilySlots::add_slot(Source source, std::span<const PartedObservation> observations,
                           std::span<const Facts> facts) {
    inference::FamilySlot slot;
    const auto add = [&](std::vector<std::uint32_t> value) {
        const auto next = static_cast<std::uint32_t>(slot.outcomes.size());
        if (source.outcome_of.try_emplace(value, next).second) {
            slot.outcomes.push_back(std::move(value));
        }
    };
    for (std::size_t i = 0; i < observations.size(); ++i) {
        add(value_of(source, observations[i], facts.empty() ? Facts{} : facts[i]));
    }
    const bool says_nothing = slot.outcomes.size() == 1 && slot.outcomes[0].empty();
    if (says_nothing) return;
    sources_.push_back(std::move(source));
    slots_.push_back(std::move(slot));
}

void FamilySlots::add_constraint_slots(std::span<const PartedObservation> observations) {
    if (observations.empty()) return;
    for (std::uint32_t i = 0; i < observations.front().constraints.size(); ++i) {
        add_slot({Source::Kind::constraint, 0, i, {}}, observations, {});
    }
}

void FamilySlots::add_fact_slots(std::span<const PartedObservation> observations) {
    std::vector<Facts> facts;
    std::map<std::uint32_t, std::set<std::vector<std::uint32_t>>> combinations; // by form
    for (const PartedObservation &observation : observations) {
        facts.push_back(facts_of(observation));
        for (const auto &[form, statements] : facts.back()) combinations[form].insert(statements);
    }
    for (const auto &combination : combinations) {
        const std::uint32_t form = combination.first;
        const auto &sets = combination.second;
        const bool few = sets.size() <= few_combinations ||
                         sets.size() * observations_per_combination <= observations.size();
        if (few) {
            add_slot({Source::Kind::facts, form, 0, {}}, observations, facts);
            continue;
        }
        const std::size_t size = sets.begin()->size();
        const bool same_size = std::all_of(sets.begin(), sets.end(),
                                           [&](const auto &s) { return s.size() == size; }) &&
                               std::all_of(facts.begin(), facts.end(),
                                           [&](const Facts &f) { return f.contains(form); });
        if (same_size) {
            for (std::uint32_t i = 0; i < size; ++i) {
                add_slot({Source::Kind::fact, form, i, {}}, observations, facts);
            }
            continue;
        }
        std::set<std::uint32_t> all;
        for (const auto &statements : sets) all.insert(statements.begin(), statements.end());
        for (const std::uint32_t statement : all) {
            add_slot({Source::Kind::single, form, statement, {}}, observations, facts);
        }
    }
}

std::optional<FamilySlots::Place> FamilySlots::find(const PartedObservation &observation) const {
    Place place;
    for (const auto *list : {&observation.constraints, &observation.facts}) {
        for (const PartId part : *list) {
            if (!is_known(part)) return std::nullopt;
            place.statements.push_back(statement_of_[part]);
        }
    }
    std::sort(place.statements.begin(), place.statements.end());
    const Facts facts = facts_of(observation);
    std::size_t left = 0; // statements that decide something, and are not yet in an outcome
    for (const PartId part : observation.constraints) left += decides_[statement_of_[part]] ? 1 : 0;
    for (const auto &[form, statements] : facts) left += statements.size();
    for (const Source &source : sources_) {
        const auto found = source.outcome_of.find(value_of(source, observation, facts));
        if (found == source.outcome_of.end()) return std::nullopt;
        place.outcomes.push_back(found->second);
        left -= found->first.size();
    }
    if (left > 0) return std::nullopt; // at a position, or more of a form, than there are slots
    return place;
}

} // namespace neurasp::training
