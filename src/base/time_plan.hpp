// The time plan: every share of a time limit that the library or the command hands out, with the reason for it.
// A share is a fraction of the time that is left when the work begins. If time is not limited, the share is its
// `unlimited` seconds, or has no limit either.
//
// Shares count processor time (budget.hpp).
#pragma once

#include <optional>

namespace neurasp::base {

struct Share {
    double of_rest = 1.0;
    std::optional<double> unlimited; // seconds if time is not limited; nothing: no limit
    std::optional<double> at_most;   // seconds, in any case
    // Later work needs the rest of the time. So if time is limited, the share also ends by the wall clock:
    // on a busy machine, its processor time could last until the deadline.
    bool leaves_a_rest = false;
};

namespace time_plan {

// All the time that is left.
inline constexpr Share all{};

// -- Circuit or enumeration (inference/policy.cpp) --
// Most questions that can be compiled at all are compiled within a second. Enumeration must get its turn, and
// the circuit's second turn is worth it only if it is at least twice as long (circuit_library.cpp).
inline constexpr Share first_circuit{0.15, 1.0, {}};
// Users who ask for the circuit engine by name are ready to wait longer.
inline constexpr Share first_circuit_by_name{0.5, 2.0, {}};
// Then enumeration: a few models are counted sooner than a circuit is compiled.
inline constexpr Share first_enumeration{0.3, 2.0, {}};
// If neither finished, the circuit gets all the time that is left. If that fails too, the answer is what
// enumeration found.
inline constexpr Share second_circuit{1.0, {}, {}};
// A compilation that ran out of time is repeated only if it gets at least this many times as much.
inline constexpr double circuit_again = 2.0;
// Without a limit, the two take turns. Each turn is this many times as long as the last, so that work that is
// repeated costs no more than new work.
inline constexpr double longer_turns = 4.0;

// -- Enumeration of P(O) (inference/enumerate_probability.cpp) --
// For models that satisfy O; the rest is for models that violate it, whose mass bounds P(O) from above.
inline constexpr Share satisfying{0.5, {}, {}, true};

// -- Samples (inference/question.cpp) --
// The fraction of the time that "auto" reserves for samples, in case it finds no exact answer.
inline constexpr double for_samples = 0.2;
inline constexpr Share before_samples{1.0 - for_samples, {}, {}, true};

// -- The mass beside an answer (inference/question.cpp) --
// The mass is only a remark, so it must not cost much more than the answer: at most this share, and for a circuit
// at most as long as the answer took, or the shortest time worth a try.
inline constexpr Share mass{0.2, {}, {}};
inline constexpr double least_for_mass_circuit = 0.02;

// -- Whether there are models beyond those listed (inference/call.cpp, model_stream.cpp) --
// A remark as well; a further model is mostly found at once.
inline constexpr Share further_models{0.2, 1.0, 1.0};

// -- Lists of few models as circuits (inference/few_models.cpp) --
// clasp finds 64 models quickly or not at all; the compiler must get most of the time.
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
// Grounding counts towards the caller's time limit, but the answer gets at least this fraction of it.
inline constexpr double answering_at_least = 0.5;

} // namespace time_plan

} // namespace neurasp::base
