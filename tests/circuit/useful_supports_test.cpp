// Which supports of positive cycles are left out, seen from the circuits that result.
#include "circuit/compiler.hpp"
#include "circuit/useful_supports.hpp"

#include "circuit_support.hpp"
#include "theory_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace neurasp::circuit {
namespace {

using test::Example;

// Reachability from node 0 in a directed graph; an arc is there or not.
struct Digraph {
    std::string program = "r(0). r(Y) :- r(X), e(X,Y). ";
    std::vector<std::vector<std::string>> variables;

    explicit Digraph(const std::vector<std::pair<int, int>> &arcs) {
        for (const auto &[a, b] : arcs) {
            const std::string ends = "(" + std::to_string(a) + "," + std::to_string(b) + ")";
            variables.push_back({"e" + ends, "n" + ends});
            program += "{e" + ends + "; n" + ends + "}. ";
        }
    }
};

// The arcs that the circuit of the evidence mentions, by index. Its value is compared with brute force.
std::set<std::size_t> arcs_in_circuit(const Digraph &graph,
                                      const std::vector<std::string> &evidence,
                                      const CompilerSwitches &switches = {}) {
    const Example example(graph.program, graph.variables);
    const Theory theory = translate(example.input(evidence)).theory.value();
    const auto weights = test::some_weights(example);
    base::Budget budget;
    const Circuit circuit = compile(theory, Below::ratios, {}, budget, switches).circuit.value();
    EXPECT_NEAR(test::plain_value(circuit, test::weights_of(theory, weights)),
                example.probability(evidence, weights), test::rounding);
    std::set<std::size_t> arcs;
    for (std::size_t i = 0; i < circuit.node_count(); ++i) {
        for (const Edge &edge : circuit.node(NodeId(i)).edges) {
            if (edge.input == one_input || circuit.is_constant(edge.input)) continue;
            arcs.insert(theory.choices()[circuit.variable_of(edge.input)].source);
        }
    }
    return arcs;
}

TEST(UsefulSupports, arcs_that_leave_the_target_do_not_matter) {
    // 0 -> 1 -> 2, and back from 2 to 1 and on to 3, which leads to 2
    const Digraph graph({{0, 1}, {1, 2}, {2, 1}, {2, 3}, {3, 2}, {1, 3}});
    const auto arcs = arcs_in_circuit(graph, {"r(2)"});
    EXPECT_EQ(arcs, (std::set<std::size_t>{0, 1, 4, 5}));
}

TEST(UsefulSupports, arcs_that_lead_nowhere_do_not_matter) {
    const Digraph graph({{0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 3}, {3, 2}, {1, 4}, {4, 1}});
    const auto arcs = arcs_in_circuit(graph, {"r(3)"});
    EXPECT_EQ(arcs, (std::set<std::size_t>{0, 2, 4}));
}

TEST(UsefulSupports, what_is_asked_of_another_atom_still_matters) {
    const Digraph graph({{0, 1}, {1, 2}, {2, 1}, {2, 3}, {3, 2}, {1, 3}});
    EXPECT_EQ(arcs_in_circuit(graph, {"r(2)", "not r(3)"}).count(3), 1U);
    EXPECT_EQ(arcs_in_circuit(graph, {"not r(2)"}).count(3), 0U);
}

// Two demands, one of which a sure path derives from the other, and three that do not imply each other.
TEST(UsefulSupports, several_demands) {
    const Digraph graph({{0, 1}, {1, 2}, {2, 3}, {3, 1}, {0, 3}, {2, 1}, {1, 3}, {3, 4}, {4, 0}});
    for (const std::vector<std::string> &evidence : {std::vector<std::string>{"r(1)", "r(3)"},
                                                     {"r(1)", "r(2)", "r(4)"},
                                                     {"r(4)", "not r(2)"},
                                                     {"r(1)", "r(2)", "r(3)", "r(4)"}}) {
        const auto all = arcs_in_circuit(
            graph, evidence, {.orders = CompilerSwitches::Orders::lines, .judge_supports = false});
        const auto useful = arcs_in_circuit(graph, evidence);
        EXPECT_TRUE(std::includes(all.begin(), all.end(), useful.begin(), useful.end()));
        EXPECT_EQ(useful.count(8), 0U); // into the source
    }
}

} // namespace
} // namespace neurasp::circuit
