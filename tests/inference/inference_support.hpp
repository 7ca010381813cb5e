// Short ways to make groundings, outputs and answers in tests.
#pragma once

#include "inference/access.hpp"
#include "inference/weights.hpp"
#include "neurasp/neurasp.hpp"
#include "support/pulled_models.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace neurasp::inference::test {

using neurasp::test::all_models;
using neurasp::test::some_models;

// A few units in the last place: probabilities are computed with 64-bit mantissas and returned as doubles.
inline constexpr double probability_tolerance = 1e-14;

inline Grounding grounding_of(const std::string &text) {
    const Program program = Program::from_text(text);
    const ProgramParts &parts = internal::Access::parts(program);
    return Grounding(parts.sources, parts.program, {});
}

// The codes of the errors that `body` throws as InputError, separated by blanks.
template <class Body> std::string error_codes(Body &&body) {
    try {
        body();
    } catch (const InputError &error) {
        std::string codes;
        for (const Diagnostic &diagnostic : error.diagnostics()) {
            if (diagnostic.severity != Severity::error) continue;
            codes += (codes.empty() ? "" : " ") + diagnostic.code;
        }
        return codes;
    }
    return "";
}

// The first error that `body` throws as InputError.
template <class Body> Diagnostic first_error(Body &&body) {
    try {
        body();
    } catch (const InputError &error) {
        for (const Diagnostic &diagnostic : error.diagnostics()) {
            if (diagnostic.severity == Severity::error) return diagnostic;
        }
    }
    return {};
}

inline NetworkOutputs output(const std::string &network, const std::string &terms,
                             std::vector<double> values) {
    NetworkOutputs outputs;
    outputs.set(network, terms, std::move(values));
    return outputs;
}

// P(O) of a program for an observation.
inline ProbabilityAnswer probability(const std::string &program, const std::string &observation,
                                     const NetworkOutputs &outputs,
                                     const std::vector<std::string> &queries = {},
                                     const Settings &settings = {}, const Limits &limits = {}) {
    Reasoner reasoner(Program::from_text(program));
    return reasoner.ask(observation, queries).probability(outputs, settings, limits);
}

inline bool holds(const StableModel &model, const std::string &atom) {
    return std::find(model.atoms.begin(), model.atoms.end(), atom) != model.atoms.end();
}

} // namespace neurasp::inference::test
