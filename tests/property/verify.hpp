// Compares every answer of the library with the oracle's.
#pragma once

#include "random_program.hpp"

#include <string>
#include <vector>

namespace neurasp::property {

// One question to both sides.
struct Trial {
    const RandomProgram &program;
    const ObservationSpec &observation;
    const oracle::Oracle &truth;
    std::vector<VariableSpec> variables;
    oracle::Probabilities probabilities;
    NetworkOutputs outputs;
};

Trial make_trial(const RandomProgram &program, const ObservationSpec &observation,
                 const oracle::Oracle &truth, Dice &dice);

// The settings of a question to the library.
struct Mode {
    std::string engine;
    bool optimal = false;
};

// The differences, one per line; empty if there are none.
using Problems = std::vector<std::string>;

// verify_numbers.cpp
Problems verify_probability(const Question &question, const Trial &trial, const Mode &mode);
Problems verify_marginals(const Question &question, const Trial &trial, const Mode &mode);
Problems verify_gradient(const Question &question, const Trial &trial, const Mode &mode);
// verify_models.cpp
Problems verify_models(const Question &question, const Trial &trial, const Mode &mode);
Problems verify_most_probable(const Question &question, const Trial &trial, const Mode &mode);
Problems verify_samples(const Question &question, const Trial &trial, const Mode &mode);
Problems verify_coherence(const Question &question, const Trial &trial);
Problems verify_argmax(const Question &question, const Trial &trial, const Mode &mode);

// verify_circuit.cpp: what Question::compile gives
Problems verify_circuit(const Question &question, const Trial &trial, bool optimal);

// Verifies all answers of an engine; an exception of the library counts as a difference.
Problems verify(const Question &question, const Trial &trial, const Mode &mode);

// Everything needed to replay a failure by hand.
std::string describe(const Trial &trial, const Mode &mode, const Problems &problems);

Settings settings_for(const Mode &mode);

// The library sums and multiplies doubles, at most a few thousand of them and partly as logarithms of
// size 1000: relative errors stay below 1e-12. A wrong weight or model changes far more than 1e-10.
inline constexpr long double relative_tolerance = 1e-10L;
// Below this, a double loses precision, and logarithms are compared instead.
inline constexpr long double smallest_value = 1e-300L;

bool near(long double expected, double actual);
// Expects an exact probability; compares its value, and its logarithm if the value is positive.
void compare(Problems &problems, const std::string &what, long double expected,
             const Probability &actual);
void compare(Problems &problems, const std::string &what, long double expected, double actual);

} // namespace neurasp::property
