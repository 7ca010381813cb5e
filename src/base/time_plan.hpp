// Who gets how much of the time: every share of a time limit that the library or the command hands out, with
// its reason. A share is that part of the time left when the work begins; where time is not limited, it is
// the seconds beside it, or all the time there is.
//
// Shares count processor time (budget.hpp).
#pragma once

#include <optional>

namespace neurasp::base {

struct Share {
    double of_rest = 1.0;
    std::optional<double> unlimited; // seconds, where time is not limited; nothing: no limit
    std::optional<double> at_most;   // seconds, in any case
    // The rest is needed for something else: where time is limited, the share ends by the clock on the wall,
    // too, for a busy machine would leave nothing over.
    bool leaves_a_rest = false;
};

namespace time_plan {

// The whole of what is left.
inline constexpr Share all{};

// -- Circuit or enumeration (inference/policy.cpp) --
// Most questions that have a circuit at all have it within a second; enumeration must get its turn, and the
// circuit's second turn must be at least twice as long, or it is not worth it (circuit_library.cpp).
inline constexpr Share first_circuit{0.15, 1.0, {}};
// Users who ask for circuits by name are ready to wait longer for one.
inline constexpr Share first_circuit_by_name{0.5, 2.0, {}};
// Then enumeration: few models are counted sooner than a circuit is made.
inline constexpr Share first_enumeration{0.3, 2.0, {}};
// Neither ended: the circuit again, with all that is left. If that fails, what enumeration found is the answer.
inline constexpr Share second_circuit{1.0, {}, {}};
// What took too long is tried again only with so many times the time.
inline constexpr double circuit_again = 2.0;
// Without a limit, both go on in turns; each turn is so much longer than the last, so that what is done
// again costs no more than what is new.
inline constexpr double longer_turns = 4.0;

// -- Enumeration of P(O) (inference/enumerate_probability.cpp) --
// Models that satisfy O; the rest is for those that violate it, whose mass bounds P(O) from above.
inline constexpr Share satisfying{0.5, {}, {}, true};

// -- Samples (inference/question.cpp) --
// What "auto" leaves to samples where it may not find the answer in time.
inline constexpr double for_samples = 0.2;
inline constexpr Share before_samples{1.0 - for_samples, {}, {}, true};

// -- The mass beside an answer (inference/question.cpp) --
// A remark must not cost much more than the answer: this part of the time, and for a circuit no more than
// the answer took, or the least that is worth a try.
inline constexpr Share mass{0.2, {}, {}};
inline constexpr double least_for_mass_circuit = 0.02;

// -- Lists of few models as circuits (inference/few_models.cpp) --
// clasp finds 64 models at once or not at all; the compiler must get most of the time.
inline constexpr Share few_models{0.2, 0.2, 0.25};

// -- Explanations (inference/explanation.cpp) --
// First the most probable models with and without the query: derivations need nothing else, and the models are found
// at once or not at all.
inline constexpr Share explaining_model{0.4, 5.0, {}};
// Then two circuits, with and without the query. Without a limit, users still want an answer soon.
inline constexpr Share explaining_circuit{0.25, 10.0, {}};
// Where there is none, the probability, and the reasons with what is left.
inline constexpr Share explaining_probability{0.5, 5.0, {}};
inline constexpr Share explaining_reasons{0.7, 5.0, {}};
// Which constraints the most probable outcomes violate: a remark beside the answer.
inline constexpr Share explaining_conflict{0.2, 1.0, {}};

// -- The command (cli/session.cpp) --
// Grounding is part of the caller's time, but an answer gets at least this part of it.
inline constexpr double answering_at_least = 0.5;

} // namespace time_plan

} // namespace neurasp::base
