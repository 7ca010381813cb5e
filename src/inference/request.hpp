// The request that a circuit or a search is made for. Engines, `compile`, `explain` and training all get theirs
// from `observe`.
#pragma once

#include "base/budget.hpp"
#include "inference/scope.hpp"

#include <compare>
#include <optional>
#include <span>
#include <vector>

namespace neurasp::inference {

struct Request {
    std::vector<Literal> evidence;
    std::vector<std::vector<Literal>> alternatives; // if there are any, at least one holds
    std::optional<std::vector<std::int64_t>> cost;  // the greatest cost, by priority
    bool models = false; // the circuit tells apart the models of each total choice
    // Only sums are wanted, not which total choice is most probable: free choices may then be coins (circuit/coins.hpp).
    bool sums_only = false;
    bool external_inputs = false; // externals become variables of the circuit
    // Conditions (each a list of alternatives) of which the circuit mentions whether they hold, for sums over the models
    // that satisfy each of them (circuit_marginals.cpp).
    std::vector<std::vector<std::vector<Literal>>> shown;

    Request with(Literal literal) const {
        Request more = *this;
        more.evidence.push_back(literal);
        return more;
    }
    friend auto operator<=>(const Request &, const Request &) = default;
};

// The observation and, in optimal mode, the least cost as a request.
struct ObservedRequest {
    enum class State {
        ready,
        no_model,     // nothing satisfies the observation; the request may still be used
        cost_unknown, // the budget ended before the least cost was found; the request must not be used
    };
    Request request;
    State state = State::ready;
};

ObservedRequest observe(const Scope &scope, bool optimal, base::Budget &budget);
// Completes a request by the least cost of the models of the problem under these assumptions.
void find_least_cost(ObservedRequest &observed, const SearchProblem &problem,
                     std::span<const Literal> assumptions, base::Budget &budget);

} // namespace neurasp::inference
