// A random program in two forms made from one structure: NeurASP text for the library, plain ASP with
// a list of random variables for the oracle.
#pragma once

#include "dice.hpp"
#include "neurasp/neurasp.hpp"
#include "oracle/oracle.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace neurasp::property {

// One random variable: an event of a network's output, or an instance of a probabilistic rule.
struct VariableSpec {
    std::vector<std::string> atoms;
    std::string network; // empty for probabilistic rules
    std::string terms;
    std::size_t event = 0;
    bool one_column = false;
    std::vector<double> fixed; // probabilities of a probabilistic rule
    bool learnable = true;
};

// A statement in both forms; they differ only for what clingo does not know.
struct Statement {
    std::string neurasp;
    std::string plain;
};

struct ObservationSpec {
    std::vector<Statement> rules;         // facts and rules
    std::vector<std::string> constraints; // bodies
    std::vector<std::string> queries;     // bodies
    std::vector<VariableSpec> variables;  // those that its facts add
};

struct RandomProgram {
    std::uint64_t seed = 0;
    std::vector<Statement> statements;
    std::vector<VariableSpec> variables;
    std::set<std::string> shown; // predicates `name/arity`; empty: everything
    std::vector<ObservationSpec> observations;
};

// Seeds from here on stand for programs about positive cycles, weight bodies and large sets of rules; from the second
// number on, about tables; the others for a mixture of everything.
inline constexpr std::uint64_t first_cycle_seed = 1'000'000;
inline constexpr std::uint64_t first_table_seed = 2'000'000;

// Small: two to seven random variables of two to four outcomes (up to about 100 total choices).
RandomProgram make_program(std::uint64_t seed);

// Rows for the networks; the numbers of probabilistic rules are fixed.
oracle::Probabilities make_probabilities(const std::vector<VariableSpec> &variables, Dice &dice);

// All variables of a question, in order: the program's, then the observation's.
std::vector<VariableSpec> variables_of(const RandomProgram &program,
                                       const ObservationSpec &observation);
std::string neurasp_text(const RandomProgram &program);
std::string observation_text(const ObservationSpec &observation);
oracle::Input oracle_input(const RandomProgram &program, const ObservationSpec &observation);
NetworkOutputs network_outputs(const std::vector<VariableSpec> &variables,
                               const oracle::Probabilities &probabilities);
// The atoms that the program shows, in order.
std::vector<std::string> shown_atoms(const RandomProgram &program,
                                     const std::vector<std::string> &atoms);

} // namespace neurasp::property
