// Tries linear orders until one gives a circuit within the limits: the best few with a small number of decisions, then
// with eight times as many, and so on.
#include "circuit/compiler.hpp"

#include "base/stopwatch.hpp"
#include "circuit/search.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace neurasp::circuit {

namespace {

// Whether no other order can give a much smaller circuit.
bool is_minimal(const Circuit &circuit) {
    return circuit.edge_count() <= 2 * circuit.random_variable_count();
}

// Tries the best orders with few decisions, then with more. While that is cheap, several orders are tried and the
// smallest circuit is kept, because it will be evaluated often.
void try_orders(const Theory &theory, Below below, const CompilerLimits &limits,
                base::Budget &budget, const std::vector<Order> &orders, CompilerResult &result) {
    constexpr std::size_t orders_tried = 3;
    constexpr std::uint64_t first_decisions = 8'000;
    constexpr std::uint64_t cheap_decisions = 1'000;
    constexpr double hopeless_cost = 120.0; // log2 of boundary states: more decisions cannot help
    for (std::uint64_t decisions = first_decisions; !result.circuit; decisions *= 8) {
        for (std::size_t i = 0; i < std::min(orders.size(), orders_tried); ++i) {
            Search search(theory, below, limits, budget, decisions);
            try {
                Circuit circuit = search.run(orders[i]);
                if (!result.circuit || circuit.edge_count() < result.circuit->edge_count()) {
                    result.circuit = std::move(circuit);
                }
            } catch (const LimitEnds &end) {
                result.limit = end.limit;
            }
            search.add_to(result.statistics);
            if (result.circuit &&
                (result.statistics.decisions > cheap_decisions || is_minimal(*result.circuit))) {
                return;
            }
            if (!result.circuit && result.limit != decision_limit) return;
        }
        if (!result.circuit && orders.front().cost > hopeless_cost) {
            result.limit =
                fmt::format("too many of its parts depend on each other, about {:.0f} at a time",
                            orders.front().cost);
            return;
        }
    }
}

} // namespace

CompilerResult compile(const Theory &theory, Below below, const CompilerLimits &limits,
                       base::Budget &budget) {
    CompilerResult result;
    if (budget.exhausted()) {
        result.limit = base::describe(budget.reached());
        return result;
    }
    const base::Stopwatch order_watch;
    std::vector<Order> orders;
    if (const auto start = Search(theory, below, limits, budget, ~std::uint64_t{0}).start()) {
        orders = find_orders(theory, start->clauses, start->is_open);
    } else {
        orders.push_back({std::vector<std::uint32_t>(theory.variable_limit(), 0), 0.0});
    }
    result.statistics.seconds_order = order_watch.seconds();
    const base::Stopwatch search_watch;
    try_orders(theory, below, limits, budget, orders, result);
    result.statistics.seconds_search = search_watch.seconds();
    return result;
}

} // namespace neurasp::circuit
