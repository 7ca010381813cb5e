// What an observation can teach: whether it is possible, which events it depends on, which outcomes it allows.
#pragma once

#include "neurasp/learning_check.hpp"
#include "training/observation_probe.hpp"

#include <vector>

namespace neurasp::training {

struct ObservationFacts {
    ObservationId id;
    Lesson lesson = Lesson::unknown;
    // The events that P(O) mentions; for each whether P(O) depends on it, and the outcomes that are possible. Empty if the
    // observation is impossible or not known to be possible.
    std::vector<Place> places;
    std::vector<bool> matters;
    std::vector<OutcomeSet> possible;
};

// Looks at an observation that is prepared. `program` is that of the probe; it is asked only where evaluation does not
// decide whether the observation teaches anything.
ObservationFacts look_at_observation(TrainingProgram &program, ObservationProbe &probe,
                                     const Observation &observation, ObservationId id,
                                     const Limits &limits);

} // namespace neurasp::training
