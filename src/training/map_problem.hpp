// The constraints that examples put on maps of outcomes.
#pragma once

#include "neurasp/learning_check.hpp"
#include "training/lessons.hpp"
#include "training/outcome_relation.hpp"

#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace neurasp::training {

struct MappedOutcome {
    std::uint32_t network = 0;
    std::uint32_t outcome = 0;

    friend auto operator<=>(const MappedOutcome &, const MappedOutcome &) = default;
};

struct ShortcutProblem {
    MapProblem maps;
    std::vector<MappedOutcome> outcomes; // by variable of `maps`, in their order
    // Examples whose known outcomes violate the observation; they put no constraints.
    std::vector<std::size_t> contradictory;
    bool all_known = true; // the true outcomes of all examples that count
    bool complete = true;  // no constraint is missing, and no outcome is there that does not occur
    bool all_seen =
        true; // no example was left out because it is not known whether its observation is possible
};

// Collects the constraints of the examples, those of equal examples once.
class MapProblemBuilder {
  public:
    // `facts` by observation; `matters` by network: others have no maps. All must outlive it. At most `choices` total
    // choices are looked at where true outcomes are not known.
    MapProblemBuilder(const TrainingProgram &program, ObservationProbe &probe,
                      std::span<const ObservationFacts> facts, const std::vector<bool> &matters,
                      std::uint64_t choices);

    ShortcutProblem build(std::span<const LearningExample> examples);

  private:
    static constexpr std::uint32_t unknown = 0xffffffffU;
    // All events of all calls of an observation, in the order of its calls; for each the known outcome, or `unknown`.
    using Known = std::vector<std::uint32_t>;
    // Examples with the same observation and the same known outcomes.
    struct Case {
        std::size_t observation = 0;
        const Known *known = nullptr;
        std::vector<std::size_t> examples;
    };
    struct Event {
        std::uint32_t network = 0;
        std::uint32_t place = 0; // among `places_`; `unknown` if it has none
    };
    struct ObservationLayout {
        std::vector<Event> events;                        // of all calls
        std::map<std::string, std::size_t> first_of_call; // "network terms" -> its first event
        std::vector<Place> places;                        // of networks that matter
        std::vector<std::uint32_t> event_of_place;
    };

    const ObservationLayout &layout_of(std::size_t observation);
    Known known_outcomes(const LearningExample &example);
    std::vector<Case> cases_of(std::span<const LearningExample> examples);
    // The outcomes that each place may truly have. Nothing if the known ones violate the observation.
    std::optional<std::vector<OutcomeSet>> true_outcomes(const Case &each, bool &is_known);
    void add(const Case &each, std::uint64_t choices);
    void note_occurring(const Case &each, const std::vector<OutcomeSet> &sets);
    void add_constraint(const Case &each, const TableRelation::Tuple &truth);
    void number_variables();

    struct Requirement {
        ObservedPattern pattern;
        std::vector<MappedOutcome> outcomes; // by slot
        std::size_t observation = 0;

        friend auto operator<=>(const Requirement &, const Requirement &) = default;
    };

    const TrainingProgram &program_;
    ObservationProbe &probe_;
    std::span<const ObservationFacts> facts_;
    const std::vector<bool> &matters_;
    std::uint64_t choices_left_;
    std::map<std::size_t, ObservationLayout> layouts_; // by observation
    std::map<std::pair<std::size_t, Known>, std::size_t> places_of_cases_;
    std::set<MappedOutcome> occurring_;
    std::set<Requirement> requirements_;
    ShortcutProblem problem_;
};

} // namespace neurasp::training
