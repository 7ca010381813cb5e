// Chooses orders of decisions and tries them until one gives a circuit within the limits.
//
// Two families of orders compete. *Lines* over random variables (order.hpp) work for every theory and give the smallest
// circuits for sums, counts, permutations, paths. *Node orders* (node_order.hpp) decide on tables and defined variables
// as well; they are for theories that outcomes determine, without positive cycles, and win on Bayesian networks and
// noisy-or, where lines find nothing. With positive cycles the estimates mislead (deciding on other atoms made circuits up to
// 29 times larger), so there are only lines.
//
// The choice compares estimates: L, log2 of the boundary states of the best line, with E, log2 of the decisions of the best
// elimination order.
//   - L is small: lines. Planning more would take longer than compiling.
//   - L <= E: lines first. Node orders follow if lines fail and E is not much larger than L.
//   - L > E: node orders first, the line over nodes only if it is not much more expensive than elimination; lines last,
//     and only if L is not much larger than E.
//
// The race. An estimate says little among the best few, so all get a budget of decisions before any gets eight times as many.
// After a success, the others may take twice as many decisions as it did, as long as all of it is cheap, and the smallest
// circuit wins, because it will be evaluated often. Budgets count decisions, never seconds: the same theory gives the
// same circuit on every machine.
#include "circuit/compiler.hpp"

#include "base/stopwatch.hpp"
#include "circuit/elimination.hpp"
#include "circuit/search.hpp"
#include "circuit/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace neurasp::circuit {

namespace {

// Whether no other order can give a much smaller circuit.
bool is_minimal(const Circuit &circuit) {
    return circuit.edge_count() <= 2 * circuit.random_variable_count();
}

// Orders that compete, in the order in which they are tried.
struct Race {
    std::vector<Order> orders;
    std::uint64_t first_decisions = 1'000; // of each order in the first round
    std::uint64_t cheap_decisions =
        1'000; // while all attempts took no more, others are tried after a success
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

Race race_of_lines(std::vector<Order> lines) {
    constexpr std::size_t lines_tried = 3;
    Race race;
    race.least_cost = lines.front().cost;
    race.orders = std::move(lines);
    if (race.orders.size() > lines_tried) race.orders.resize(lines_tried);
    return race;
}

// Node orders first, because they are expected to be cheaper than lines.
Race race_of_nodes(const NodeOrders &nodes, const std::vector<Order> &lines) {
    constexpr double close = 3.0; // what a line over nodes may cost more than elimination
    constexpr double near = 8.0;  // what a line over random variables may cost more
    constexpr double most_bits = 40.0;
    constexpr std::uint64_t least_decisions = 8'000;
    Race race;
    race.least_cost = least_cost(nodes);
    race.cheap_decisions = 20'000;
    race.first_decisions =
        std::max(least_decisions,
                 static_cast<std::uint64_t>(2.0 * std::exp2(std::min(race.least_cost, most_bits))));
    for (const auto &order : {nodes.line, nodes.elimination}) {
        if (order && order->cost < race.least_cost + close) race.orders.push_back(*order);
    }
    if (!lines.empty() && lines.front().cost <= race.least_cost + near) {
        race.orders.push_back(lines.front());
    }
    return race;
}

class Racing {
  public:
    Racing(const Theory &theory, std::span<const Table> tables, Below below,
           const CompilerLimits &limits, base::Budget &budget, const CompilerSwitches &switches,
           CompilerResult &result)
        : theory_(theory), tables_(tables), below_(below), limits_(limits), budget_(budget),
          switches_(switches), result_(result) {}

    // Whether there is a circuit, or an end to all attempts.
    bool round(const Race &race, std::uint64_t decisions) {
        for (const Order &order : race.orders) {
            attempt(order, decisions);
            if (result_.circuit && (result_.statistics.decisions > race.cheap_decisions ||
                                    is_minimal(*result_.circuit))) {
                return true;
            }
            if (!result_.circuit && result_.limit != decision_limit) return true;
        }
        constexpr double hopeless_cost = 120.0; // log2 of states: more decisions cannot help
        if (!result_.circuit && race.least_cost > hopeless_cost) {
            result_.limit =
                fmt::format("too many of its parts depend on each other, about {:.0f} at a time",
                            race.least_cost);
            return true;
        }
        return result_.circuit.has_value();
    }

  private:
    void attempt(const Order &order, std::uint64_t decisions) {
        // Once there is a circuit, the limit does not matter, so that it never decides which one is found.
        CompilerLimits left = limits_;
        left.steps -= std::min(limits_.steps, result_.statistics.steps);
        if (result_.circuit) {
            left.steps = ~std::uint64_t{0};
            decisions = std::min(decisions, 2 * winner_decisions_);
        }
        Search search(theory_, tables_, below_, left, budget_, decisions, switches_);
        CompilerStatistics own;
        try {
            Circuit circuit = search.run(order);
            search.add_to(own);
            if (!result_.circuit || circuit.edge_count() < result_.circuit->edge_count()) {
                result_.circuit = std::move(circuit);
                winner_decisions_ = own.decisions;
            }
        } catch (const LimitEnds &end) {
            result_.limit = end.limit;
        }
        search.add_to(result_.statistics);
    }

    const Theory &theory_;
    std::span<const Table> tables_;
    Below below_;
    const CompilerLimits &limits_;
    base::Budget &budget_;
    const CompilerSwitches &switches_;
    CompilerResult &result_;
    std::uint64_t winner_decisions_ = 0;
};

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
};

Plan plan_for(const Theory &theory, Below below, base::Budget &budget,
              const CompilerSwitches &switches) {
    using Orders = CompilerSwitches::Orders;
    constexpr double small_cost = 10.0; // a line succeeds in its first attempt
    constexpr double worthwhile = 4.0;  // what node orders may cost more than lines
    Plan plan;
    const auto rest =
        Search(theory, {}, below, {}, budget, ~std::uint64_t{0}, switches).remainder();
    if (!rest) { // there is no model
        plan.lines = {{std::vector<std::uint32_t>(theory.variable_limit(), 0), {}, 0.0}};
        return plan;
    }
    plan.lines = find_orders(theory, rest->clauses, rest->is_open);
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

void try_orders(const Plan &plan, const CompilerSwitches &switches, Racing &racing) {
    constexpr std::uint64_t growth = 8;
    const bool fixed = switches.orders != CompilerSwitches::Orders::automatic;
    const bool has_nodes = plan.nodes.line || plan.nodes.elimination;
    const bool nodes_first =
        has_nodes && (fixed || least_cost(plan.nodes) < plan.lines.front().cost);
    Race race;
    if (nodes_first) {
        race = race_of_nodes(plan.nodes, fixed ? std::vector<Order>() : plan.lines);
    } else {
        race = race_of_lines(plan.lines);
    }
    bool complete = nodes_first;
    for (std::uint64_t decisions = race.first_decisions; !racing.round(race, decisions);
         decisions *= growth) {
        if (complete) continue;
        for (const auto &order : {plan.nodes.line, plan.nodes.elimination}) {
            if (order) race.orders.push_back(*order);
        }
        complete = true;
    }
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
    static constexpr NamedSwitches all[] = {
        {"automatic", {}},
        {"lines", {Orders::lines, true, true}},
        {"lines, walking", {Orders::lines, true, false}},
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
        result.limit = step_limit;
        return result;
    }
    const base::Stopwatch order_watch;
    const Plan plan = plan_for(theory, below, budget, switches);
    result.statistics.seconds_order = order_watch.seconds();
    const base::Stopwatch search_watch;
    Racing racing(theory, plan.tables, below, limits, budget, switches, result);
    try_orders(plan, switches, racing);
    result.statistics.seconds_search = search_watch.seconds();
    return result;
}

} // namespace neurasp::circuit
