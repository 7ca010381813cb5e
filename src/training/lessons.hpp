// What an observation can teach: whether it is possible, which events it depends on, which outcomes it allows.
#pragma once

#include "neurasp/learning_check.hpp"
#include "training/observation_probe.hpp"

#include <vector>

namespace neurasp::training {

struct ObservationFacts {
    ObservationId id;
    Lesson lesson = Lesson::unknown;
    bool possible = false; // known to be
    // If it is possible, the events that P(O) mentions; for each whether P(O) depends on it, and the outcomes that are
    // possible. If the lesson is not known, these are all events and outcomes that there are.
    std::vector<Place> places;
    std::vector<bool> matters;
    std::vector<OutcomeSet> outcomes;
};

// Looks at an observation that is prepared. `program` is that of the probe; it is asked only where evaluation does not
// decide whether the observation teaches anything.
ObservationFacts look_at_observation(TrainingProgram &program, ObservationProbe &probe,
                                     const Observation &observation, ObservationId id,
                                     const Limits &limits);

} // namespace neurasp::training
