// Tries linear orders until one gives a circuit within the limits: the best few with a small number of decisions each, then
// with eight times as many, and so on. The estimated cost of an order says little among the best few, so none of
// them gets a long attempt before all had a short one.
#include "circuit/compiler.hpp"

#include "base/stopwatch.hpp"
#include "circuit/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

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
    constexpr std::uint64_t first_decisions = 1'000;
    constexpr std::uint64_t cheap_decisions = 1'000;
    constexpr double hopeless_cost = 120.0; // log2 of boundary states: more decisions cannot help
    for (std::uint64_t decisions = first_decisions; !result.circuit; decisions *= 8) {
        for (std::size_t i = 0; i < std::min(orders.size(), orders_tried); ++i) {
            // Once there is a circuit, the limit does not matter, so that it never decides which one is found.
            CompilerLimits left = limits;
            left.steps -= std::min(limits.steps, result.statistics.steps);
            if (result.circuit) left.steps = ~std::uint64_t{0};
            Search search(theory, below, left, budget, decisions);
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

// Finding orders takes about as long as so many steps of the search: 2 us a clause for 500 clauses, 10 us for 10,000.
std::uint64_t steps_of_ordering(std::size_t clauses) {
    const auto count = static_cast<double>(clauses);
    return static_cast<std::uint64_t>(count * std::sqrt(count) / 4.0);
}

std::vector<Order> orders_of(const Theory &theory, Below below, base::Budget &budget) {
    if (const auto start = Search(theory, below, {}, budget, ~std::uint64_t{0}).start()) {
        return find_orders(theory, start->clauses, start->is_open);
    }
    return {{std::vector<std::uint32_t>(theory.variable_limit(), 0), 0.0}};
}

} // namespace

std::vector<std::vector<std::uint32_t>> decision_sequences(const Theory &theory,
                                                           base::Budget &budget) {
    std::vector<std::vector<std::uint32_t>> sequences;
    for (const Order &order : orders_of(theory, Below::ratios, budget)) {
        std::vector<std::uint32_t> sequence(theory.choices().size());
        std::iota(sequence.begin(), sequence.end(), 0U);
        // choices without a position have a value already
        std::stable_sort(sequence.begin(), sequence.end(), [&](std::uint32_t a, std::uint32_t b) {
            return order.position[theory.choices()[a].outcomes[0].var()] <
                   order.position[theory.choices()[b].outcomes[0].var()];
        });
        sequences.push_back(std::move(sequence));
    }
    return sequences;
}

CompilerResult compile(const Theory &theory, Below below, const CompilerLimits &limits,
                       base::Budget &budget) {
    CompilerResult result;
    if (budget.exhausted()) {
        result.limit = base::describe(budget.reached());
        return result;
    }
    result.statistics.steps = steps_of_ordering(theory.clause_count());
    if (result.statistics.steps > limits.steps) {
        result.limit = step_limit;
        return result;
    }
    const base::Stopwatch order_watch;
    const std::vector<Order> orders = orders_of(theory, below, budget);
    result.statistics.seconds_order = order_watch.seconds();
    const base::Stopwatch search_watch;
    try_orders(theory, below, limits, budget, orders, result);
    result.statistics.seconds_search = search_watch.seconds();
    return result;
}

} // namespace neurasp::circuit
