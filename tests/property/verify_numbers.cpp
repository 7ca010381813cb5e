// Probabilities, queries, marginals and gradients.
#include "verify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace neurasp::property {

namespace {

// Proposition 1 subtracts terms as large as the plain gradient; the difference keeps their error.
constexpr long double gradient_tolerance = 1e-9L;

void check_info(Problems &problems, const std::string &what, const HowAnswered &how) {
    if (!how.exact || how.interrupted) problems.push_back(what + ": not exact: " + how.limit);
}

template <class Variables>
const typename Variables::value_type *find(const Variables &variables,
                                           const std::vector<std::string> &atoms) {
    for (const auto &variable : variables)
        if (variable.atoms == atoms) return &variable;
    return nullptr;
}

void compare_gradient(Problems &problems, const Trial &trial, const GradientAnswer &answer,
                      const oracle::Probabilities &expected, const oracle::Probabilities &scale,
                      const std::string &what) {
    if (answer.variables.size() != trial.variables.size())
        problems.push_back(what + ": " + std::to_string(answer.variables.size()) + " variables");
    for (std::size_t v = 0; v < trial.variables.size(); ++v) {
        const VariableSpec &spec = trial.variables[v];
        const VariableGradient *found = find(answer.variables, spec.atoms);
        if (found == nullptr || found->values.size() != spec.atoms.size()) {
            problems.push_back(what + ": no entry for " + spec.atoms.front());
            continue;
        }
        if (found->learnable != spec.learnable)
            problems.push_back(what + ": learnable is wrong for " + spec.atoms.front());
        // two outcomes of 1e-200 that the observation needs: beyond the range of the answer
        if (scale[v][0] > std::numeric_limits<double>::max()) continue;
        for (std::size_t i = 0; i < spec.atoms.size(); ++i) {
            const long double difference =
                std::fabs(static_cast<long double>(found->values[i]) - expected[v][i]);
            if (!(difference <= gradient_tolerance * scale[v][i]))
                problems.push_back(what + " of " + spec.atoms[i] + ": expected " +
                                   std::to_string(expected[v][i]) + ", got " +
                                   std::to_string(found->values[i]));
        }
    }
}

} // namespace

Problems verify_probability(const Question &question, const Trial &trial, const Mode &mode) {
    Problems problems;
    const ProbabilityAnswer answer = question.probability(trial.outputs, settings_for(mode));
    const oracle::Probabilities &p = trial.probabilities;
    const long double observed = trial.truth.probability(p, mode.optimal);
    const long double mass = trial.truth.mass(p);
    check_info(problems, "probability", answer.how);
    compare(problems, "P(O)", observed, answer.probability);
    compare(problems, "mass", mass, answer.mass);
    if (answer.given_consistency.has_value() != (mass > 0))
        problems.push_back("given_consistency is wrongly (un)defined");
    else if (mass > 0)
        compare(problems, "given_consistency", observed / mass, *answer.given_consistency);
    const std::vector<std::string> &queries = trial.observation.queries;
    if (answer.queries.size() != queries.size())
        return problems.push_back("wrong number of query answers"), problems;
    for (std::size_t i = 0; i < queries.size(); ++i) {
        const long double joint = trial.truth.joint(p, i, mode.optimal);
        compare(problems, "joint of " + queries[i], joint, answer.queries[i].joint);
        if (answer.queries[i].conditional.has_value() != (observed > 0))
            problems.push_back("conditional of " + queries[i] + " is wrongly (un)defined");
        else if (observed > 0)
            compare(problems, "conditional of " + queries[i], joint / observed,
                    *answer.queries[i].conditional);
    }
    return problems;
}

Problems verify_marginals(const Question &question, const Trial &trial, const Mode &mode) {
    Problems problems;
    const MarginalsAnswer answer = question.marginals(trial.outputs, settings_for(mode));
    const oracle::Probabilities &p = trial.probabilities;
    const long double observed = trial.truth.probability(p, mode.optimal);
    check_info(problems, "marginals", answer.how);
    compare(problems, "P(O) of marginals", observed, answer.probability);
    if (observed == 0.0L) {
        if (!answer.atoms.empty() || !answer.variables.empty())
            problems.push_back("marginals although P(O) = 0");
        return problems;
    }
    std::map<std::string, long double> expected = trial.truth.joint_atoms(p, mode.optimal);
    std::map<std::string, double> actual(answer.atoms.begin(), answer.atoms.end());
    if (actual.size() != answer.atoms.size()) problems.push_back("an atom has two marginals");
    for (const auto &[atom, value] : actual)
        compare(problems, "marginal of " + atom, expected[atom] / observed, value);
    for (const auto &[atom, value] : expected)
        if (value > 0 && !actual.contains(atom) && !shown_atoms(trial.program, {atom}).empty())
            problems.push_back("no marginal of " + atom);
    for (const auto &[atom, value] : actual)
        if (shown_atoms(trial.program, {atom}).empty())
            problems.push_back("marginal of the hidden atom " + atom);
    const oracle::Probabilities outcomes = trial.truth.joint_outcomes(p, mode.optimal);
    for (std::size_t v = 0; v < trial.variables.size(); ++v) {
        const std::vector<std::string> &atoms = trial.variables[v].atoms;
        const VariableMarginal *found = find(answer.variables, atoms);
        if (found == nullptr || found->values.size() != atoms.size()) {
            problems.push_back("no marginal of the variable with " + atoms.front());
            continue;
        }
        for (std::size_t i = 0; i < atoms.size(); ++i)
            compare(problems, "variable's marginal of " + atoms[i], outcomes[v][i] / observed,
                    found->values[i]);
    }
    return problems;
}

Problems verify_gradient(const Question &question, const Trial &trial, const Mode &mode) {
    Problems problems;
    const oracle::Probabilities &p = trial.probabilities;
    const auto scale = trial.truth.gradient_scale(p, mode.optimal);
    for (const bool plain : {true, false}) {
        const std::string what = plain ? "plain gradient" : "gradient of Proposition 1";
        const auto expected = trial.truth.gradient(
            p, plain ? oracle::Convention::plain : oracle::Convention::proposition1, mode.optimal);
        const GradientAnswer answer = question.gradient(
            trial.outputs, plain ? GradientConvention::plain : GradientConvention::proposition1,
            settings_for(mode));
        check_info(problems, what, answer.how);
        compare(problems, "P(O) of " + what, trial.truth.probability(p, mode.optimal),
                answer.probability);
        if (answer.defined != expected.has_value())
            problems.push_back(what + " is wrongly (un)defined");
        else if (expected)
            compare_gradient(problems, trial, answer, *expected, *scale, what);
    }
    return problems;
}

} // namespace neurasp::property
