// What a circuit or a search is asked for, and the only way to it from a question: engines, `compile`,
// `explain` and training all start with `observe`.
#pragma once

#include "base/budget.hpp"
#include "inference/scope.hpp"

#include <compare>
#include <optional>
#include <vector>

namespace neurasp::inference {

struct Request {
    std::vector<Literal> evidence;
    std::vector<std::vector<Literal>> alternatives; // one of them holds, if there are any
    std::optional<std::vector<std::int64_t>> cost;  // the greatest cost, by priority
    bool models = false;          // with the models below each total choice, over all variables
    bool external_inputs = false; // externals are variables of the circuit

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
        no_model,     // nothing satisfies the observation; the request holds for it all the same
        cost_unknown, // the budget ended before the least cost was known: the request must not be used
    };
    Request request;
    State state = State::ready;
};

ObservedRequest observe(const Scope &scope, bool optimal, base::Budget &budget);

} // namespace neurasp::inference
