// The input of an engine: one question with its numbers and limits.
#pragma once

#include "base/budget.hpp"
#include "inference/circuit_library.hpp"
#include "inference/request.hpp"
#include "inference/weights.hpp"
#include "neurasp/question.hpp"

namespace neurasp::inference {

struct Task {
    const Scope &scope;
    const Request &request; // made by `observe`, or derived from such a request
    const Weights &weights;
    const Settings &settings;
    CircuitLibrary &library;
    const circuit::CompilerLimits &most; // limits of a circuit
    base::Budget &budget;

    const Grounding &grounding() const { return scope.grounding(); }
    // The problem for sums over models: what the observation and the queries depend on. A least cost depends on
    // the whole program.
    const SearchProblem &problem() const {
        return request.cost ? grounding().problem() : scope.focus();
    }
    Task with(base::Budget &other) const {
        return {scope, request, weights, settings, library, most, other};
    }
    Task with(const Request &other) const {
        return {scope, other, weights, settings, library, most, budget};
    }
};

} // namespace neurasp::inference
