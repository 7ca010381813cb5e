// Turns examples into constraints on maps.
//
// An example whose true outcomes are known puts one constraint: mapped, these outcomes still satisfy the observation. Where
// some are not known, each total choice that is possible with the known ones may be the true one, and each puts a
// constraint. There may be very many such choices; then only some are looked at, and the maps that are found are too many,
// never too few.
//
// A map has one value for each outcome that occurs: that is known, or possible where it is not known. Outcomes that never
// occur are not mapped, because no example would notice. The same holds for networks that never matter.
//
// Thousands of examples are few cases: equal observations with equal known outcomes count once, and equal constraints as
// well.
#include "training/map_problem.hpp"

#include "base/without_blanks.hpp"

#include <algorithm>

namespace neurasp::training {

MapProblemBuilder::MapProblemBuilder(const TrainingProgram &program, ObservationProbe &probe,
                                     std::span<const ObservationFacts> facts,
                                     const std::vector<bool> &matters, std::uint64_t choices)
    : program_(program), probe_(probe), facts_(facts), matters_(matters), choices_left_(choices) {}

const MapProblemBuilder::ObservationLayout &MapProblemBuilder::layout_of(std::size_t observation) {
    const auto [found, is_new] = layouts_.try_emplace(observation);
    ObservationLayout &layout = found->second;
    if (!is_new) return layout;
    const ObservationFacts &facts = facts_[observation];
    const auto &calls = program_.at(facts.id).calls;
    std::vector<std::size_t> first;
    for (const NetworkCall &call : calls) {
        first.push_back(layout.events.size());
        layout
            .first_of_call[std::to_string(call.network) + " " + base::without_blanks(call.terms)] =
            layout.events.size();
        const Event event{static_cast<std::uint32_t>(call.network), unknown};
        layout.events.resize(layout.events.size() + program_.networks()[call.network].events,
                             event);
    }
    for (const Place &place : facts.places) {
        if (!matters_[place.network]) continue;
        const auto event = static_cast<std::uint32_t>(first[place.call] + place.event);
        layout.events[event].place = static_cast<std::uint32_t>(layout.places.size());
        layout.places.push_back(place);
        layout.event_of_place.push_back(event);
    }
    return layout;
}

MapProblemBuilder::Known MapProblemBuilder::known_outcomes(const LearningExample &example) {
    const ObservationLayout &layout = layout_of(example.observation);
    Known known(layout.events.size(), unknown);
    for (const KnownOutcomes &call : example.known) {
        const auto found = layout.first_of_call.find(std::to_string(call.network) + " " +
                                                     base::without_blanks(call.terms));
        if (found == layout.first_of_call.end()) continue;
        std::copy(call.outcomes.begin(), call.outcomes.end(),
                  known.begin() + static_cast<std::ptrdiff_t>(found->second));
    }
    return known;
}

std::vector<MapProblemBuilder::Case>
MapProblemBuilder::cases_of(std::span<const LearningExample> examples) {
    std::vector<Case> cases;
    for (std::size_t e = 0; e < examples.size(); ++e) {
        const std::size_t observation = examples[e].observation;
        if (!facts_[observation].possible) {
            if (facts_[observation].lesson == Lesson::unknown) problem_.all_seen = false;
            continue;
        }
        const auto [found, is_new] =
            places_of_cases_.try_emplace({observation, known_outcomes(examples[e])}, cases.size());
        if (is_new) cases.push_back({observation, &found->first.second, {}});
        cases[found->second].examples.push_back(e);
    }
    return cases;
}

std::optional<std::vector<OutcomeSet>> MapProblemBuilder::true_outcomes(const Case &each,
                                                                        bool &is_known) {
    const ObservationLayout &layout = layouts_.at(each.observation);
    std::vector<OutcomeSet> sets;
    is_known = true;
    for (std::size_t p = 0; p < layout.places.size(); ++p) {
        const std::uint32_t outcome = (*each.known)[layout.event_of_place[p]];
        sets.push_back(outcome == unknown ? OutcomeSet(layout.places[p].outcomes)
                                          : OutcomeSet::only(layout.places[p].outcomes, outcome));
        is_known = is_known && outcome != unknown;
    }
    const ProbeResult result =
        probe_.evaluate(facts_[each.observation].id, layout.places, sets, !is_known);
    if (result.complete && !result.possible) return std::nullopt;
    if (!result.known) probe_.give_up();
    // outcomes that cannot occur may seem to
    if (!result.known || (!is_known && !result.complete)) problem_.complete = false;
    std::size_t i = 0;
    for (std::size_t p = 0; p < sets.size() && !result.ratios.empty(); ++p) {
        for (std::uint32_t o = 0; o < sets[p].universe(); ++o, ++i) {
            if (sets[p].contains(o) && !(result.ratios[i] > 0.0)) sets[p].remove(o);
        }
    }
    return sets;
}

void MapProblemBuilder::note_occurring(const Case &each, const std::vector<OutcomeSet> &sets) {
    const ObservationLayout &layout = layouts_.at(each.observation);
    for (std::size_t e = 0; e < layout.events.size(); ++e) {
        const Event &event = layout.events[e];
        if (!matters_[event.network]) continue;
        const std::uint32_t outcome = (*each.known)[e];
        problem_.all_known = problem_.all_known && outcome != unknown;
        const std::size_t outcomes = program_.networks()[event.network].outcomes;
        for (std::uint32_t o = 0; o < outcomes; ++o) {
            const bool occurs = outcome != unknown       ? o == outcome
                                : event.place == unknown ? true
                                                         : sets[event.place].contains(o);
            if (occurs) occurring_.insert({event.network, o});
        }
    }
}

void MapProblemBuilder::add_constraint(const Case &each, const TableRelation::Tuple &truth) {
    const ObservationLayout &layout = layouts_.at(each.observation);
    Requirement requirement{{facts_[each.observation].id, {}}, {}, each.observation};
    for (std::size_t p = 0; p < truth.size(); ++p) {
        const MappedOutcome mapped{layout.places[p].network, truth[p]};
        auto &all = requirement.outcomes;
        const auto found = std::find(all.begin(), all.end(), mapped);
        requirement.pattern.slot_of.push_back(static_cast<std::uint32_t>(found - all.begin()));
        if (found == all.end()) all.push_back(mapped);
    }
    requirements_.insert(std::move(requirement));
}

void MapProblemBuilder::add(const Case &each, std::uint64_t choices) {
    bool is_known = true;
    const auto sets = true_outcomes(each, is_known);
    if (!sets) {
        problem_.contradictory.insert(problem_.contradictory.end(), each.examples.begin(),
                                      each.examples.end());
        return;
    }
    note_occurring(each, *sets);
    if (facts_[each.observation].lesson == Lesson::nothing) return;
    if (is_known) {
        TableRelation::Tuple truth;
        for (const OutcomeSet &set : *sets) truth.push_back(set.first());
        add_constraint(each, truth);
        return;
    }
    const ObservationLayout &layout = layouts_.at(each.observation);
    const SatisfyingChoices all =
        satisfying_choices(probe_, facts_[each.observation].id, layout.places, *sets, choices);
    problem_.complete = problem_.complete && all.complete;
    for (const TableRelation::Tuple &truth : all.choices) add_constraint(each, truth);
    choices_left_ -= std::min<std::uint64_t>(choices_left_, all.evaluations);
}

void MapProblemBuilder::number_variables() {
    constexpr std::size_t most_evaluations = 500'000; // for tables
    std::map<MappedOutcome, std::uint32_t> numbers;
    for (const MappedOutcome &mapped : occurring_) {
        numbers[mapped] = static_cast<std::uint32_t>(problem_.outcomes.size());
        problem_.outcomes.push_back(mapped);
        problem_.maps.variables.push_back(
            {program_.networks()[mapped.network].outcomes, mapped.outcome});
    }
    RelationBook relations(probe_, most_evaluations);
    for (const Requirement &requirement : requirements_) {
        MapConstraint constraint;
        constraint.relation =
            relations.get(requirement.pattern, layouts_.at(requirement.observation).places);
        for (const MappedOutcome &mapped : requirement.outcomes) {
            constraint.variables.push_back(numbers.at(mapped));
        }
        problem_.maps.constraints.push_back(std::move(constraint));
    }
    // constraints on few outcomes remove most, so they come first
    std::stable_sort(problem_.maps.constraints.begin(), problem_.maps.constraints.end(),
                     [](const MapConstraint &a, const MapConstraint &b) {
                         return a.variables.size() < b.variables.size();
                     });
}

ShortcutProblem MapProblemBuilder::build(std::span<const LearningExample> examples) {
    const std::vector<Case> cases = cases_of(examples);
    for (std::size_t c = 0; c < cases.size(); ++c) {
        // what is left of the choices is shared evenly, and each case gets one at least
        add(cases[c], std::max<std::uint64_t>(1, choices_left_ / (cases.size() - c)));
    }
    std::sort(problem_.contradictory.begin(), problem_.contradictory.end());
    number_variables();
    return std::move(problem_);
}

} // namespace neurasp::training
