// Circuits as nnf text and as drawings.
#include "circuit/dot.hpp"
#include "circuit/nnf.hpp"
#include "circuit/outcome_labels.hpp"

#include "circuit/circuit_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <sstream>

namespace neurasp::circuit::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// One random variable of three outcomes, one free atom, one constant.
Circuit small_circuit() {
    Circuit circuit({{3, 2}, 1});
    const InputId half = circuit.add_constant(base::ScaledReal(0.5L));
    const Edge atom_edges[] = {{circuit.input(1, 0), true_node}, {circuit.input(1, 1), true_node}};
    const NodeId atom = circuit.add_sum(1, atom_edges);
    const Edge product_edges[] = {{half, true_node}, {one_input, atom}};
    const NodeId product = circuit.add_product(product_edges);
    const Edge edges[] = {{circuit.input(0, 0), product}, {circuit.input(0, 2), true_node}};
    circuit.set_root(circuit.add_sum(0, edges));
    return circuit;
}

Names small_names() { return {{"digit(i)", "say \"a\""}, {{"zero", "one", "two"}}}; }

// The value of an nnf text, computed line by line.
double nnf_value(const std::string &text, const std::vector<double> &weights) {
    std::istringstream in(text);
    std::string word;
    std::size_t nodes = 0;
    std::size_t edges = 0;
    std::size_t variables = 0;
    in >> word >> nodes >> edges >> variables;
    EXPECT_EQ(word, "nnf");
    std::vector<double> values;
    std::size_t edges_seen = 0;
    while (in >> word) {
        double value = word == "O" ? 0.0 : 1.0;
        long literal = 0;
        if (word == "O" || word == "L") in >> literal;
        EXPECT_LE(static_cast<std::size_t>(std::abs(literal)), variables);
        if (word == "L") value = literal > 0 ? weights[static_cast<std::size_t>(literal)] : 1.0;
        std::size_t children = 0;
        if (word != "L") in >> children;
        edges_seen += children;
        for (std::size_t i = 0; i < children; ++i) {
            std::size_t child = 0;
            in >> child;
            value = word == "O" ? value + values.at(child) : value * values.at(child);
        }
        values.push_back(value);
    }
    EXPECT_EQ(values.size(), nodes);
    EXPECT_EQ(edges_seen, edges);
    return values.back();
}

TEST(Nnf, IsTheTextOfC2d) {
    EXPECT_EQ(to_nnf(small_circuit()), "nnf 9 8 5\n"
                                       "L 4\n"
                                       "L -4\n"
                                       "O 4 2 0 1\n"
                                       "L 5\n"
                                       "A 2 3 2\n"
                                       "L 1\n"
                                       "A 2 5 4\n"
                                       "L 3\n"
                                       "O 0 2 6 7\n");
}

TEST(Nnf, ExplainsItsVariablesIfAsked) {
    const Names names = small_names();
    const std::string text = to_nnf(small_circuit(), &names);
    EXPECT_THAT(text, HasSubstr("c 2 is outcome one of digit(i)\n"));
    EXPECT_THAT(text, HasSubstr("c 4 is the atom say \"a\"\n"));
    EXPECT_THAT(text, HasSubstr("c 5 is true and weighs 0.5\n"));
    EXPECT_TRUE(text.ends_with(to_nnf(small_circuit())));
}

TEST(Nnf, HasTheValueOfTheCircuit) {
    base::RandomStream random(50);
    for (int i = 0; i < 300; ++i) {
        const Circuit circuit = pruned(random_circuit(random));
        const std::vector<double> own = random_weights(circuit, random);
        std::vector<double> weights{0.0};
        weights.insert(weights.end(), own.begin(), own.end());
        weights.insert(weights.end(), circuit.variable_count() - circuit.random_variable_count(),
                       1.0);
        for (const base::ScaledReal &constant : circuit.constants()) {
            weights.push_back(constant.to_double());
        }
        const double expected = plain_value(circuit, own);
        EXPECT_NEAR(nnf_value(to_nnf(circuit), weights), expected, rounding * expected);
    }
}

TEST(Nnf, WritesTrueAndFalse) {
    Circuit circuit({{}, 0});
    EXPECT_EQ(to_nnf(circuit), "nnf 1 0 0\nA 0\n");
    circuit.set_root(circuit.add_sum(0, {}));
    EXPECT_EQ(to_nnf(circuit), "nnf 1 0 0\nO 0 0\n");
}

TEST(Dot, ASumIsATableOfOutcomesAndAProductABox) {
    const std::string text = to_dot(small_circuit(), small_names());
    EXPECT_TRUE(text.starts_with("digraph circuit {\n"));
    EXPECT_TRUE(text.ends_with("}\n"));
    EXPECT_THAT(text, HasSubstr("<TD PORT=\"c0\">zero</TD>"));
    EXPECT_THAT(text, HasSubstr("n3:c0:s -> n2;"));
    // nothing more is needed: grey, and no arrow
    EXPECT_THAT(text, HasSubstr("<TD PORT=\"c1\" BGCOLOR=\"#d8d8d8\">two</TD>"));
    EXPECT_THAT(text, Not(HasSubstr("n3:c1:s ->")));
    EXPECT_THAT(text, HasSubstr("<TD>0.5</TD>"));
    EXPECT_THAT(text, HasSubstr("n2 -> n1;"));
    // a free atom: both of its values lead to true
    EXPECT_THAT(text, HasSubstr("<B>say &quot;a&quot;</B>"));
    EXPECT_THAT(text, HasSubstr("true<BR/>false"));
}

// zero: 0.25 * 0.5 * (1 + 1), two: 0.5; so two thirds of 0.75 are in the cell "two".
TEST(Dot, ProbabilitiesAreShownIfTheyAreKnown) {
    const std::vector<base::ScaledReal> weights = {base::ScaledReal(0.25L), base::ScaledReal(0.25L),
                                                   base::ScaledReal(0.5L)};
    const std::string text = to_dot(small_circuit(), small_names(), weights);
    EXPECT_THAT(text, HasSubstr("P = 0.75\\n"));
    EXPECT_THAT(text, HasSubstr("= 0.75</FONT>"));
    EXPECT_THAT(text, HasSubstr("zero<BR/><FONT POINT-SIZE=\"10\">0.25</FONT>"));
    EXPECT_THAT(text, HasSubstr("= 2</FONT>")); // of the free atom
    // given the root, a third passes: 0.5 + 4 / 3
    EXPECT_THAT(text, HasSubstr("n3:c0:s -> n2 [penwidth=1.83];"));
    EXPECT_THAT(text, HasSubstr("n2 -> n1 [penwidth=1.83];"));
}

TEST(Dot, WhatCannotHappenIsDashed) {
    const std::vector<base::ScaledReal> weights = {base::ScaledReal(), base::ScaledReal(0.25L),
                                                   base::ScaledReal(0.75L)};
    const std::string text = to_dot(small_circuit(), small_names(), weights);
    EXPECT_THAT(text, HasSubstr("n3:c0:s -> n2 [style=dashed"));
    EXPECT_THAT(to_dot(small_circuit(), small_names()), Not(HasSubstr("dashed")));
}

TEST(Dot, NumbersWhatHasNoName) {
    const std::string text = to_dot(small_circuit());
    EXPECT_THAT(text, HasSubstr("<B>variable 0</B>"));
    EXPECT_THAT(text, HasSubstr(">2</TD>"));
}

TEST(Dot, ASumOfOneOutcomeIsABox) {
    Circuit circuit({{2}, 1});
    const Edge edges[] = {{circuit.input(0, 1), true_node}};
    circuit.set_root(circuit.add_sum(0, edges));
    const std::string text = to_dot(circuit, {{"coin"}, {{"coin(head)", "coin(tail)"}}});
    EXPECT_THAT(text, HasSubstr("<TD>coin(tail)</TD>"));
    EXPECT_THAT(text, Not(HasSubstr("PORT")));
}

// coin = head and die(1), or die(2) whatever the coin, or die(3) and tail.
TEST(Dot, ASumOfCasesNamesWholeAtomsAndHasNoHead) {
    Circuit circuit({{2, 3}, 2});
    const Edge below_one[] = {{circuit.input(1, 0), true_node}};
    const NodeId one = circuit.add_product(below_one);
    const Edge below_two[] = {{circuit.input(1, 1), true_node}};
    const NodeId two = circuit.add_product(below_two);
    const Edge below_three[] = {{circuit.input(1, 2), true_node}};
    const NodeId three = circuit.add_product(below_three);
    const Edge cases[] = {
        {circuit.input(0, 0), one}, {one_input, two}, {circuit.input(0, 1), three}};
    circuit.set_root(circuit.add_cases(cases));
    const Names names{{"coin", "die"},
                      {{"coin(head)", "coin(tail)"}, {"die(1)", "die(2)", "die(3)"}}};
    const std::string text = to_dot(circuit, names);
    EXPECT_THAT(text, HasSubstr("<TD PORT=\"c0\">coin(head)</TD><TD PORT=\"c1\">case</TD>"
                                "<TD PORT=\"c2\">coin(tail)</TD>"));
    EXPECT_THAT(text, Not(HasSubstr("<B>")));
    EXPECT_THAT(text, HasSubstr("n4:c1:s -> n2;"));
    // 0.25 * 0.5 + 0.3 + 0.75 * 0.2 = 0.575
    const std::vector<double> weights{0.25, 0.75, 0.5, 0.3, 0.2};
    const std::string weighted = to_dot(circuit, names, scaled(weights));
    EXPECT_THAT(weighted, HasSubstr("P = 0.575\\n"));
    EXPECT_THAT(weighted, HasSubstr("coin(tail)<BR/><FONT POINT-SIZE=\"10\">0.75</FONT>"));
    // 0.3 / 0.575 of the probability passes the case: 0.5 + 4 * 0.5217
    EXPECT_THAT(weighted, HasSubstr("n4:c1:s -> n2 [penwidth=2.59];"));
}

// Every arrow starts in a cell or node and ends in a node that is there.
TEST(Dot, ArrowsOfRandomCircuitsHaveEnds) {
    base::RandomStream random(51);
    for (int i = 0; i < 200; ++i) {
        const Circuit circuit = random_circuit(random);
        std::istringstream in(to_dot(circuit, {}, scaled(random_weights(circuit, random))));
        std::map<std::string, std::string> nodes; // what is drawn for each
        std::vector<std::pair<std::string, std::string>> arrows;
        for (std::string line; std::getline(in, line);) {
            std::istringstream words(line);
            std::string first;
            std::string second;
            std::string third;
            words >> first >> second >> third;
            if (second == "->") arrows.emplace_back(first, third.substr(0, third.find(';')));
            if (first.starts_with("n") && second.starts_with("[") && first != "node") {
                nodes[first] = line;
            }
        }
        ASSERT_FALSE(nodes.empty());
        for (const auto &[from, to] : arrows) {
            EXPECT_TRUE(nodes.contains(to)) << to;
            const std::size_t colon = from.find(':');
            const auto tail = nodes.find(from.substr(0, colon));
            ASSERT_NE(tail, nodes.end()) << from;
            if (colon == std::string::npos) continue;
            const std::string port = from.substr(colon + 1, from.rfind(':') - colon - 1);
            EXPECT_THAT(tail->second, HasSubstr("PORT=\"" + port + "\""));
        }
    }
}

TEST(Dot, DrawsTrueAndFalse) {
    Circuit circuit({{}, 0});
    EXPECT_THAT(to_dot(circuit), HasSubstr("label=\"1\""));
    circuit.set_root(circuit.add_sum(0, {}));
    EXPECT_THAT(to_dot(circuit), HasSubstr("label=\"0\""));
}

TEST(OutcomeLabels, WriteWhatAtomsShareOnce) {
    const OutcomeLabels digits = shorten({"digit(0,i1,0)", "digit(0,i1,10)"});
    EXPECT_EQ(digits.pattern, "digit(0,i1,?)");
    EXPECT_EQ(digits.labels, (std::vector<std::string>{"0", "10"}));
    EXPECT_EQ(shorten({"f(a,x)", "f(b,x)"}).pattern, "f(?,x)");
    // no part of a name or number is torn off
    EXPECT_EQ(shorten({"f(ab)", "f(ac)"}).labels, (std::vector<std::string>{"ab", "ac"}));
    EXPECT_EQ(shorten({"f(12)", "f(2)"}).labels, (std::vector<std::string>{"12", "2"}));
}

TEST(OutcomeLabels, AreTheAtomsIfNothingIsShared) {
    for (const std::vector<std::string> &atoms :
         {std::vector<std::string>{"a", "-a"}, {"a(1)", "b(1)"}, {"a(1)"}}) {
        EXPECT_EQ(shorten(atoms).pattern, "");
        EXPECT_EQ(shorten(atoms).labels, atoms);
    }
}

TEST(Dot, LeavesOutWhatTheRootDoesNotNeed) {
    Circuit circuit = small_circuit();
    circuit.set_root(NodeId(1U));
    EXPECT_THAT(to_dot(circuit), Not(HasSubstr("n2")));
}

} // namespace
} // namespace neurasp::circuit::test
