// Relations between outcomes: as tables where they are small, by evaluation where they are not.
//
// Many examples share a relation: it depends on the observation and on which of its places have the same true outcome,
// not on which outcome that is. The sum 8 of (3, 5) and of (2, 6) is one table with nine tuples; the sum 8 of (4, 4) is
// another one with a single tuple, because both places are mapped alike.
//
// A table is listed place by place: a prefix is kept if the observation is possible with it, so the work depends on the
// number of tuples rather than on all combinations. A relation that is too large for a table (81 cells of a Sudoku, nine
// places that each decide nine cells) is asked at the sets that are left: one evaluation with derivatives says for every
// outcome whether some choice has it. If several places of the observation are decided by one of the relation, the
// evaluation lets them differ, so it removes too little, never too much. What is left is decided when every set has one
// outcome.
#include "training/outcome_relation.hpp"

#include <algorithm>
#include <optional>

namespace neurasp::training {

namespace {

using State = OutcomeRelation::State;
using Tuple = TableRelation::Tuple;

constexpr std::size_t most_points = 1024;       // in one evaluation
constexpr double most_combinations = 100'000.0; // of a relation that is listed

// Those of `prefixes` that can be continued. `sets_of` gives the sets for a prefix. Nothing if a limit was reached.
template <class SetsOf>
std::optional<std::vector<Tuple>>
possible_prefixes(ObservationProbe &probe, ObservationId observation, std::span<const Place> places,
                  std::vector<Tuple> prefixes, SetsOf sets_of) {
    std::vector<Tuple> kept;
    for (std::size_t begin = 0; begin < prefixes.size(); begin += most_points) {
        const std::size_t end = std::min(prefixes.size(), begin + most_points);
        std::vector<Point> points;
        for (std::size_t i = begin; i < end; ++i) {
            points.push_back(uniform_point(sets_of(prefixes[i])));
        }
        const auto results = probe.evaluate(observation, places, points, false);
        for (std::size_t i = begin; i < end; ++i) {
            if (!results[i - begin].known) return std::nullopt;
            if (results[i - begin].possible) kept.push_back(std::move(prefixes[i]));
        }
    }
    return kept;
}

// Each of the prefixes continued with each outcome of the set.
std::vector<Tuple> continued(const std::vector<Tuple> &prefixes, const OutcomeSet &set) {
    std::vector<Tuple> longer;
    for (const Tuple &prefix : prefixes) {
        for (std::uint32_t o = 0; o < set.universe(); ++o) {
            if (!set.contains(o)) continue;
            longer.push_back(prefix);
            longer.back().push_back(o);
        }
    }
    return longer;
}

// The tuples of the pattern, one outcome for each of `slots`; nothing if that takes more evaluations than are left.
std::optional<std::vector<Tuple>>
list_tuples(ObservationProbe &probe, const ObservedPattern &pattern, std::span<const Place> places,
            const std::vector<OutcomeSet> &slots, std::size_t &evaluations_left) {
    std::vector<Tuple> tuples(1);
    for (const OutcomeSet &slot : slots) {
        std::vector<Tuple> longer = continued(tuples, slot);
        if (longer.size() > evaluations_left) return std::nullopt;
        evaluations_left -= longer.size();
        auto kept = possible_prefixes(
            probe, pattern.observation, places, std::move(longer), [&](const Tuple &prefix) {
                std::vector<OutcomeSet> sets;
                for (const std::uint32_t s : pattern.slot_of) {
                    sets.push_back(s < prefix.size()
                                       ? OutcomeSet::only(slots[s].universe(), prefix[s])
                                       : slots[s]);
                }
                return sets;
            });
        if (!kept) return std::nullopt;
        tuples = std::move(*kept);
    }
    return tuples;
}

// All outcomes of each slot.
std::vector<OutcomeSet> slots_of(const ObservedPattern &pattern, const std::vector<Place> &places) {
    std::vector<OutcomeSet> slots;
    for (std::size_t p = 0; p < places.size(); ++p) {
        const std::uint32_t slot = pattern.slot_of[p];
        if (slot == slots.size()) slots.emplace_back(places[p].outcomes);
    }
    return slots;
}

} // namespace

State TableRelation::filter(std::span<OutcomeSet *const> sets) {
    std::vector<OutcomeSet> supported;
    double combinations = 1.0; // exact below 2^53, and no table is as large as that
    for (const OutcomeSet *set : sets) {
        supported.emplace_back(set->universe(), false);
    }
    std::size_t count = 0;
    for (const Tuple &tuple : tuples_) {
        std::size_t i = 0;
        while (i < tuple.size() && sets[i]->contains(tuple[i])) ++i;
        if (i < tuple.size()) continue;
        ++count;
        for (i = 0; i < tuple.size(); ++i) supported[i].add(tuple[i]);
    }
    if (count == 0) return State::violated;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        *sets[i] = std::move(supported[i]);
        combinations *= static_cast<double>(sets[i]->count());
    }
    return static_cast<double>(count) == combinations ? State::entailed : State::open;
}

ProbedRelation::ProbedRelation(ObservationProbe &probe, ObservedPattern pattern,
                               std::vector<Place> places)
    : probe_(probe), pattern_(std::move(pattern)), places_(std::move(places)) {}

State ProbedRelation::filter(std::span<OutcomeSet *const> sets) {
    std::vector<std::uint8_t> key;
    Sets copy;
    for (const OutcomeSet *set : sets) {
        copy.push_back(*set);
        key.insert(key.end(), set->flags().begin(), set->flags().end());
    }
    auto found = known_.find(key);
    if (found == known_.end()) {
        constexpr std::size_t most_known = 20'000;
        if (known_.size() >= most_known) known_.clear();
        const State state = narrow(copy);
        found = known_.emplace(std::move(key), std::pair(state, std::move(copy))).first;
    }
    const auto &[state, narrowed] = found->second;
    for (std::size_t i = 0; i < sets.size() && state != State::violated; ++i) {
        *sets[i] = narrowed[i];
    }
    return state;
}

// A total choice that cannot be judged within the limits counts as a violation, so that counts stay lower bounds.
State ProbedRelation::narrow(Sets &sets) {
    if (sets.size() == 1) return narrow_alone(sets.front());
    const auto all_single = [&] {
        return std::all_of(sets.begin(), sets.end(), [](const auto &s) { return s.is_single(); });
    };
    const bool was_single = all_single();
    const ProbeResult result = look(sets, !was_single);
    if (!result.known && !was_single) return State::open;
    if (!result.known) probe_.give_up();
    if (!result.possible) return State::violated;
    if (was_single) return State::entailed;
    std::size_t i = 0; // of the place's first ratio
    for (std::size_t p = 0; p < places_.size() && !result.ratios.empty(); ++p) {
        OutcomeSet &set = sets[pattern_.slot_of[p]];
        for (std::uint32_t o = 0; o < places_[p].outcomes; ++o, ++i) {
            if (set.contains(o) && !(result.ratios[i] > 0.0)) set.remove(o);
        }
        if (set.empty()) return State::violated;
    }
    return all_single() ? narrow(sets) : State::open;
}

State ProbedRelation::narrow_alone(OutcomeSet &set) {
    OutcomeSet kept(set.universe(), false);
    for (std::uint32_t o = 0; o < set.universe(); ++o) {
        if (!set.contains(o)) continue;
        const ProbeResult result = look({OutcomeSet::only(set.universe(), o)}, false);
        if (!result.known) probe_.give_up();
        if (result.possible) kept.add(o);
    }
    set = std::move(kept);
    return set.empty() ? State::violated : State::entailed;
}

ProbeResult ProbedRelation::look(const Sets &sets, bool with_ratios) {
    Sets of_places;
    for (const std::uint32_t slot : pattern_.slot_of) of_places.push_back(sets[slot]);
    return probe_.evaluate(pattern_.observation, places_, of_places, with_ratios);
}

std::shared_ptr<OutcomeRelation> RelationBook::get(const ObservedPattern &pattern,
                                                   const std::vector<Place> &places) {
    std::shared_ptr<OutcomeRelation> &relation = relations_[pattern];
    if (relation) return relation;
    const std::vector<OutcomeSet> slots = slots_of(pattern, places);
    double combinations = 1.0;
    for (const OutcomeSet &slot : slots) combinations *= static_cast<double>(slot.count());
    if (combinations <= most_combinations) {
        if (auto tuples = list_tuples(probe_, pattern, places, slots, evaluations_left_)) {
            relation = std::make_shared<TableRelation>(std::move(*tuples));
            return relation;
        }
    }
    relation = std::make_shared<ProbedRelation>(probe_, pattern, places);
    return relation;
}

SatisfyingChoices satisfying_choices(ObservationProbe &probe, ObservationId observation,
                                     std::span<const Place> places,
                                     const std::vector<OutcomeSet> &sets, std::size_t most) {
    SatisfyingChoices result{std::vector<Tuple>(1), true, 0};
    for (std::size_t p = 0; p < sets.size(); ++p) {
        // what is left is shared evenly by the places; each prefix that is possible becomes at least one choice
        const std::size_t left = most - std::min<std::size_t>(most, result.evaluations);
        const std::size_t share =
            std::max<std::size_t>(1, left / (sets.size() - p) / sets[p].count());
        if (result.choices.size() > share) {
            result.choices.resize(share);
            result.complete = false;
        }
        std::vector<Tuple> longer = continued(result.choices, sets[p]);
        result.evaluations += longer.size();
        auto kept = possible_prefixes(
            probe, observation, places, std::move(longer), [&](const Tuple &prefix) {
                std::vector<OutcomeSet> narrowed = sets;
                for (std::size_t i = 0; i < prefix.size(); ++i) {
                    narrowed[i] = OutcomeSet::only(sets[i].universe(), prefix[i]);
                }
                return narrowed;
            });
        if (!kept) return {{}, false, result.evaluations};
        result.choices = std::move(*kept);
    }
    return result;
}

} // namespace neurasp::training
