// Runs all comparisons of one trial, and describes a failure.
#include "verify.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>

namespace neurasp::property {

namespace {

std::string show(long double value) {
    std::ostringstream out;
    out << std::setprecision(17) << value;
    return out.str();
}

void append(Problems &all, const Problems &more) {
    all.insert(all.end(), more.begin(), more.end());
}

} // namespace

Trial make_trial(const RandomProgram &program, const ObservationSpec &observation,
                 const oracle::Oracle &truth, Dice &dice) {
    std::vector<VariableSpec> variables = variables_of(program, observation);
    oracle::Probabilities probabilities = make_probabilities(variables, dice);
    NetworkOutputs outputs = network_outputs(variables, probabilities);
    return {program,           observation, truth, std::move(variables), std::move(probabilities),
            std::move(outputs)};
}

Settings settings_for(const Mode &mode) {
    Settings settings;
    settings.engine = mode.engine;
    settings.optimal = mode.optimal;
    return settings;
}

bool near(long double expected, double actual) {
    const long double difference = std::fabs(static_cast<long double>(actual) - expected);
    return difference <= relative_tolerance * std::fabs(expected) + smallest_value;
}

void compare(Problems &problems, const std::string &what, long double expected, double actual) {
    if (!near(expected, actual))
        problems.push_back(what + ": expected " + show(expected) + ", got " + show(actual));
}

void compare(Problems &problems, const std::string &what, long double expected,
             const Probability &actual) {
    if (!actual.exact) problems.push_back(what + ": only bounded");
    if (actual.lower != actual.value || actual.upper != actual.value)
        problems.push_back(what + ": exact, and yet its bounds are not its value");
    compare(problems, what, expected, actual.value);
    if (expected == 0.0L) {
        if (!(std::isinf(actual.log) && actual.log < 0))
            problems.push_back(what + ": log expected -inf, got " + show(actual.log));
    } else if (!(std::fabs(std::log(expected) - static_cast<long double>(actual.log)) <=
                 relative_tolerance * (1 + std::fabs(std::log(expected))))) {
        problems.push_back(what + ": log expected " + show(std::log(expected)) + ", got " +
                           show(actual.log));
    }
}

Problems verify(const Question &question, const Trial &trial, const Mode &mode) {
    Problems problems;
    for (const auto check : {verify_probability, verify_marginals, verify_gradient, verify_models,
                             verify_most_probable, verify_samples, verify_argmax}) {
        try {
            append(problems, check(question, trial, mode));
        } catch (const std::exception &error) {
            problems.push_back(std::string("exception: ") + error.what());
        }
    }
    return problems;
}

std::string describe(const Trial &trial, const Mode &mode, const Problems &problems) {
    std::ostringstream out;
    out << "seed " << trial.program.seed << " (replay: NEURASP_PROPERTY_SEED=" << trial.program.seed
        << " NEURASP_PROPERTY_PROGRAMS=1)\n--- program\n"
        << neurasp_text(trial.program) << "--- observe\n"
        << observation_text(trial.observation) << "--- queries\n";
    for (const std::string &query : trial.observation.queries) out << query << '\n';
    out << "--- rows\n" << std::setprecision(17);
    for (const auto &[network, entries] : trial.outputs.table())
        for (const auto &[terms, entry] : entries) {
            out << network << ' ' << terms << " :";
            for (const double value : entry.values) out << ' ' << value;
            out << '\n';
        }
    out << "--- engine " << mode.engine << (mode.optimal ? ", optimal" : "") << '\n';
    for (const std::string &problem : problems) out << problem << '\n';
    return out.str();
}

} // namespace neurasp::property
