// One question with its numbers and limits: what an engine works on.
#pragma once

#include "base/budget.hpp"
#include "inference/circuit_library.hpp"
#include "inference/request.hpp"
#include "inference/weights.hpp"
#include "neurasp/question.hpp"

namespace neurasp::inference {

struct Task {
    const Scope &scope;
    const Request &request; // what `observe` made of the scope, or something that starts from it
    const Weights &weights;
    const Settings &settings;
    CircuitLibrary &library;
    const circuit::CompilerLimits &most; // that a circuit may take
    base::Budget &budget;

    const Grounding &grounding() const { return scope.grounding(); }
    // Where models are summed up: what observation and queries depend on. The least cost depends on all.
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
