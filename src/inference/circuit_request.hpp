// What a task asks of a circuit.
#pragma once

#include "inference/compilation.hpp"
#include "inference/enumeration.hpp"

#include <fmt/format.h>

namespace neurasp::inference {

// The observation and, in optimal mode, the least cost as a request.
struct ObservedRequest {
    CircuitRequest request;
    bool no_model = false; // nothing satisfies the observation
    bool proven = true;    // false: the least cost is not known
};

inline ObservedRequest observed_request(Task &task) {
    ObservedRequest result;
    result.request.evidence = observed(task.atoms);
    const CostRestriction restriction = find_cost_restriction(task, result.request.evidence);
    result.no_model = restriction.no_model;
    result.proven = restriction.proven;
    if (restriction.cost) result.request.cost.push_back(*restriction.cost);
    return result;
}

// The answer that came from a circuit.
inline void finish(AnswerInfo &info, const base::Budget &budget, const CompiledProblem &problem) {
    info.engine = "circuit";
    info.detail = fmt::format("a circuit of {} nodes and {} edges", problem.statistics.nodes,
                              problem.statistics.edges);
    info.seconds = budget.seconds_used();
}

// Or why it did not.
inline std::string no_circuit(const CompiledProblem &problem) {
    return fmt::format("no circuit ({})", problem.obstacle);
}

} // namespace neurasp::inference
