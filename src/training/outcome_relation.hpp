// Relations between the outcomes that an observation allows, for MapSearch.
#pragma once

#include "training/map_search.hpp"
#include "training/observation_probe.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace neurasp::training {

// A list of tuples, one outcome for each place of the relation.
class TableRelation final : public OutcomeRelation {
  public:
    using Tuple = std::vector<std::uint32_t>;
    explicit TableRelation(std::vector<Tuple> tuples) : tuples_(std::move(tuples)) {}

    State filter(std::span<OutcomeSet *const> sets) override;
    const std::vector<Tuple> &tuples() const noexcept { return tuples_; }

  private:
    std::vector<Tuple> tuples_;
};

// The outcomes with which an observation is satisfied. `slot_of` gives for each place of the observation the place of the
// relation that decides its outcome: where two of them have the same true outcome, they are mapped alike.
struct ObservedPattern {
    ObservationId observation;
    std::vector<std::uint32_t> slot_of;

    friend auto operator<=>(const ObservedPattern &, const ObservedPattern &) = default;
};

// Asks the probe. For relations with too many tuples to list.
class ProbedRelation final : public OutcomeRelation {
  public:
    // `probe` must outlive it.
    ProbedRelation(ObservationProbe &probe, ObservedPattern pattern, std::vector<Place> places);

    State filter(std::span<OutcomeSet *const> sets) override;

  private:
    using Sets = std::vector<OutcomeSet>;
    State narrow(Sets &sets);
    ProbeResult look(const Sets &sets, bool with_ratios);
    State narrow_alone(OutcomeSet &set);

    ObservationProbe &probe_;
    ObservedPattern pattern_;
    std::vector<Place> places_;
    std::map<std::vector<std::uint8_t>, std::pair<State, Sets>> known_; // by the flags of all sets
};

// Makes each relation once.
class RelationBook {
  public:
    // Relations are listed, unless they are too large or `evaluations` in all are used up. `probe` must outlive it.
    RelationBook(ObservationProbe &probe, std::size_t evaluations)
        : probe_(probe), evaluations_left_(evaluations) {}

    std::shared_ptr<OutcomeRelation> get(const ObservedPattern &pattern,
                                         const std::vector<Place> &places);

  private:
    ObservationProbe &probe_;
    std::size_t evaluations_left_;
    std::map<ObservedPattern, std::shared_ptr<OutcomeRelation>> relations_;
};

struct SatisfyingChoices {
    std::vector<TableRelation::Tuple> choices; // one outcome for each place
    bool complete = true;                      // there are no others
    std::size_t evaluations = 0;
};

// The total choices from `sets`, one for each place, that satisfy an observation; as many of them as `most` evaluations
// show, and at least one.
SatisfyingChoices satisfying_choices(ObservationProbe &probe, ObservationId observation,
                                     std::span<const Place> places,
                                     const std::vector<OutcomeSet> &sets, std::size_t most);

} // namespace neurasp::training
