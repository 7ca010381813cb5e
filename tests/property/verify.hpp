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

// How the library is asked.
struct Mode {
    std::string engine;
    bool optimal = false;
};

// What differs, one line each; empty if all is well.
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

// All that takes an engine; an exception of the library is a problem too.
Problems verify(const Question &question, const Trial &trial, const Mode &mode);

// What is needed to replay a failure by hand.
std::string describe(const Trial &trial, const Mode &mode, const Problems &problems);

Settings settings_for(const Mode &mode);

// The library sums and multiplies doubles, at most a few thousand of them and partly as logarithms of
// size 1000: relative errors stay below 1e-12. A wrong weight or model changes far more than 1e-10.
inline constexpr long double relative_tolerance = 1e-10L;
// Below this a double has no full precision any more; logarithms are compared instead.
inline constexpr long double smallest_value = 1e-300L;

bool near(long double expected, double actual);
// Wants an exact probability; compares its value, and its logarithm where the value is positive.
void compare(Problems &problems, const std::string &what, long double expected,
             const Probability &actual);
void compare(Problems &problems, const std::string &what, long double expected, double actual);

} // namespace neurasp::property
