// Chooses orders of decisions, which then compete for the circuit (race.hpp).
//
// Three families of orders compete. *Lines* over random variables (order.hpp) work for every theory and give the smallest
// circuits for sums, counts, permutations, paths. *Node orders* (node_order.hpp) decide on tables and defined variables
// as well; they are for theories that outcomes determine, without positive cycles, and win on Bayesian networks and
// noisy-or, where lines find nothing. With positive cycles the estimates mislead (deciding on other atoms made circuits up to
// 29 times larger), so there are only lines, and *cycle orders* (cycle_order.hpp): lines in which random variables follow the
// atoms of the cycles. Of these there are four: both directions, and two that first decide what is next to the demand or
// next to what is derived, which is better where arcs are many and directed.
//
// The choice between lines and node orders compares estimates: L, log2 of the boundary states of the best line, with E,
// log2 of the decisions of the best elimination order.
//   - L is small: lines. Planning more would take longer than compiling.
//   - L <= E: lines first. Node orders follow if lines fail and E is not much larger than L.
//   - L > E: node orders first, the line over nodes only if it is not much more expensive than elimination; lines last,
//     and only if L is not much larger than E.
// Cycle orders are looked for if lines fail in the first round.
//
// The theory is compiled as it is. What preprocessing was tried, and did not help, is in README.md.
#include "circuit/compiler.hpp"

#include "base/stopwatch.hpp"
#include "circuit/cycle_order.hpp"
#include "circuit/elimination.hpp"
#include "circuit/race.hpp"
#include "circuit/search.hpp"
#include "circuit/tables.hpp"
#include "circuit/useful_supports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace neurasp::circuit {

namespace {

// Orders that compete from the start, in the order in which they are tried.
struct Start {
    std::vector<Order> orders;
    Race::Rules rules;
    double least_cost = 0.0;
};

// The cost of the cheaper one; infinite if there is none.
double least_cost(const NodeOrders &nodes) {
    double least = std::numeric_limits<double>::infinity();
    for (const auto &order : {nodes.line, nodes.elimination}) {
        if (order) least = std::min(least, order->cost);
    }
    return least;
}

Start start_with_lines(std::vector<Order> lines) {
    constexpr std::size_t lines_tried = 3;
    Start start;
    start.least_cost = lines.front().cost;
    start.orders = std::move(lines);
    if (start.orders.size() > lines_tried) start.orders.resize(lines_tried);
    return start;
}

// Node orders first, because they are expected to be cheaper than lines.
Start start_with_nodes(const NodeOrders &nodes, const std::vector<Order> &lines) {
    constexpr double close = 3.0; // what a line over nodes may cost more than elimination
    constexpr double near = 8.0;  // what a line over random variables may cost more
    constexpr double most_bits = 40.0;
    constexpr std::uint64_t least_decisions = 8'000;
    Start start;
    start.least_cost = least_cost(nodes);
    start.rules.cheap_decisions = 20'000;
    start.rules.first_decisions = std::max(
        least_decisions,
        static_cast<std::uint64_t>(2.0 * std::exp2(std::min(start.least_cost, most_bits))));
    for (const auto &order : {nodes.line, nodes.elimination}) {
        if (order && order->cost < start.least_cost + close) start.orders.push_back(*order);
    }
    if (!lines.empty() && lines.front().cost <= start.least_cost + near) {
        start.orders.push_back(lines.front());
    }
    return start;
}

// Finding orders takes about as long as so many steps of the search: 2 us a clause for 500 clauses, 10 us for 10,000.
std::uint64_t steps_of_ordering(std::size_t clauses) {
    const auto count = static_cast<double>(clauses);
    return static_cast<std::uint64_t>(count * std::sqrt(count) / 4.0);
}

// The orders to choose from, and the tables that they decide on.
struct Plan {
    std::vector<Order> lines;
    std::vector<Table> tables;
    NodeOrders nodes; // none if they are not worth looking for
    // Whether something outside of positive cycles looks at many of their atoms, so that orders of those alone say little.
    bool has_many_exits = false;
};

Plan plan_for(const Theory &theory, Below below, base::Budget &budget,
              const CompilerSwitches &switches) {
    using Orders = CompilerSwitches::Orders;
    constexpr double small_cost = 10.0; // a line succeeds in its first attempt
    constexpr double worthwhile = 4.0;  // what node orders may cost more than lines
    Plan plan;
    const auto rest = Search(theory, {}, below, budget, switches).remainder();
    if (!rest) { // there is no model
        plan.lines = {{std::vector<std::uint32_t>(theory.variable_limit(), 0), {}, 0.0}};
        return plan;
    }
    plan.lines = find_orders(theory, rest->clauses, rest->is_open);
    plan.has_many_exits = rest->exits > UsefulSupports::most_exits;
    plan.lines.front().favourite = plan.has_many_exits;
    if (!theory.determined || !theory.recursive.empty()) return plan;
    const double line_cost = plan.lines.front().cost;
    if (switches.orders == Orders::lines ||
        (switches.orders == Orders::automatic && line_cost <= small_cost)) {
        return plan;
    }
    NodeOrderCosts costs;
    if (switches.orders == Orders::automatic) costs = {line_cost + worthwhile, line_cost};
    if (switches.find_tables) plan.tables = find_tables(theory);
    plan.nodes = find_node_orders(theory, plan.tables, *rest, costs);
    if (switches.orders == Orders::elimination) plan.nodes.line.reset();
    if (switches.orders == Orders::node_lines && plan.nodes.line) plan.nodes.elimination.reset();
    return plan;
}

// Orders over cycles, for theories that outcomes determine.
std::vector<Order> cycle_orders(const Theory &theory, const Plan &plan,
                                CompilerSwitches::Orders which) {
    using Orders = CompilerSwitches::Orders;
    if (!theory.determined || theory.recursive.empty()) return {};
    std::vector<Order> orders = find_cycle_orders(theory, plan.lines.front());
    const bool any_direction =
        which == Orders::cycles || (which == Orders::automatic && plan.has_many_exits);
    if (orders.empty() || any_direction) return orders;
    orders.insert(orders.begin() + 1, 2, orders.front());
    orders.front().favourite = true;
    orders[1].near = Order::Near::target;
    orders[2].near = Order::Near::source;
    if (which == Orders::near_target) return {orders[1]};
    if (which == Orders::near_source) return {orders[2]};
    return orders;
}

void try_orders(const Theory &theory, Below below, const CompilerLimits &limits,
                base::Budget &budget, const CompilerSwitches &switches, const Plan &plan,
                CompilerResult &result) {
    using Orders = CompilerSwitches::Orders;
    const bool fixed = switches.orders != Orders::automatic;
    const bool has_nodes = plan.nodes.line || plan.nodes.elimination;
    const bool nodes_first =
        has_nodes && (fixed || least_cost(plan.nodes) < plan.lines.front().cost);
    Start start = nodes_first
                      ? start_with_nodes(plan.nodes, fixed ? std::vector<Order>() : plan.lines)
                      : start_with_lines(plan.lines);
    if (switches.orders >= Orders::cycles) {
        auto orders = cycle_orders(theory, plan, switches.orders);
        if (!orders.empty()) start.orders = std::move(orders);
    }
    start.rules.favourites_first = plan.has_many_exits;
    Race race(theory, plan.tables, below, limits, budget, switches, start.rules, result);
    if (race.enter(start.orders)) return;
    constexpr double hopeless_cost = 120.0; // log2 of states: more decisions cannot help
    if (start.least_cost > hopeless_cost) {
        result.limit = fmt::format(
            "too many of its parts depend on each other, about {:.0f} at a time", start.least_cost);
        return;
    }
    std::vector<Order> later;
    if (!nodes_first) {
        for (const auto &order : {plan.nodes.line, plan.nodes.elimination}) {
            if (order) later.push_back(*order);
        }
    }
    if (!fixed) {
        for (Order &order : cycle_orders(theory, plan, switches.orders)) {
            later.push_back(std::move(order));
        }
    }
    if (!race.enter(later)) race.run();
}

} // namespace

std::vector<std::vector<std::uint32_t>> decision_sequences(const Theory &theory,
                                                           base::Budget &budget) {
    std::vector<std::vector<std::uint32_t>> sequences;
    for (const Order &order :
         plan_for(theory, Below::ratios, budget, {CompilerSwitches::Orders::lines}).lines) {
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

std::span<const NamedSwitches> all_compiler_switches() {
    using Orders = CompilerSwitches::Orders;
    constexpr std::uint64_t most = ~std::uint64_t{0};
    static constexpr NamedSwitches all[] = {
        {"automatic", {}},
        {"cycles", {Orders::cycles}},
        {"cycles, near the target", {Orders::near_target}},
        {"cycles, near the source", {Orders::near_source}},
        {"cycles, little memory", {Orders::cycles, true, true, 4, 4}},
        {"lines", {Orders::lines, true, true}},
        {"lines, walking", {Orders::lines, true, false}},
        {"lines, all supports", {Orders::lines, true, true, most, 20'000, false}},
        {"elimination", {Orders::elimination, true, true}},
        {"elimination, no tables", {Orders::elimination, false, true}},
        {"node lines", {Orders::node_lines, true, true}},
        {"node lines, no tables", {Orders::node_lines, false, true}},
        {"lines, little memory", {Orders::lines, true, true, 4, 4}},
        {"lines, walking, little memory", {Orders::lines, true, false, 4, 4}},
        {"node lines, little memory", {Orders::node_lines, true, true, 4, 4}},
    };
    return all;
}

CompilerResult compile(const Theory &theory, Below below, const CompilerLimits &limits,
                       base::Budget &budget, const CompilerSwitches &switches) {
    CompilerResult result;
    if (budget.exhausted()) {
        result.limit = base::describe(budget.reached());
        return result;
    }
    result.statistics.steps = steps_of_ordering(theory.clause_count());
    if (result.statistics.steps > limits.steps) {
        result.limit = Race::step_limit;
        return result;
    }
    const base::Stopwatch order_watch;
    const Plan plan = plan_for(theory, below, budget, switches);
    result.statistics.seconds_order = order_watch.seconds();
    const base::Stopwatch search_watch;
    try_orders(theory, below, limits, budget, switches, plan, result);
    result.statistics.seconds_search = search_watch.seconds();
    return result;
}

} // namespace neurasp::circuit
