// Walks a circuit node by node and evaluates it by the documented formula alone.
#include "inference_support.hpp"

#include <gtest/gtest.h>

#include <set>

namespace neurasp::inference::test {
namespace {

double weight_of(const CircuitView &view, const std::vector<double> &weights, std::uint32_t input) {
    if (input == 0) return 1.0;
    if (input <= weights.size()) return weights[input - 1];
    return view.constant(input).value_or(1.0);
}

double evaluate(const CompiledQuestion &circuit, const NetworkOutputs &outputs) {
    const CircuitView view = circuit.view();
    const std::vector<double> weights = circuit.weights(outputs);
    EXPECT_EQ(weights.size(), circuit.input_count());
    std::vector<double> values;
    for (std::uint32_t id = 0; id < view.node_count(); ++id) {
        const CircuitView::Node node = view.node(id);
        const bool sum = node.kind == CircuitView::Kind::sum;
        double value = sum ? 0.0 : 1.0;
        for (const CircuitView::Edge &edge : node.edges) {
            const double term = weight_of(view, weights, edge.input) * values.at(edge.child);
            value = sum ? value + term : value * term;
        }
        values.push_back(value);
    }
    return values.at(view.root());
}

CompiledQuestion compiled(const std::string &program, const std::string &observation, bool smooth) {
    CompileSettings settings;
    settings.smooth = smooth;
    Reasoner reasoner(Program::from_text(program));
    const Compilation result = reasoner.ask(observation).compile(settings);
    EXPECT_EQ(result.note, "");
    return result.circuit.value();
}

// b is not an input although it is external, because a rule defines it: P(c) = P(d(0,a,t)).
TEST(CircuitView, ExternalsThatRulesDefineAreNotInputs) {
    CompileSettings settings;
    settings.external_inputs = true;
    Reasoner reasoner(Program::from_text("nn(d(1,a),[t,f]). #external b. #external e. "
                                         "b :- d(0,a,t). c :- b. c :- e."));
    const Compilation result = reasoner.ask(":- not c.").compile(settings);
    ASSERT_EQ(result.note, "");
    std::vector<std::string> externals;
    for (const CircuitVariable &variable : result.circuit->variables()) {
        if (variable.external) externals.push_back(variable.atoms[0]);
    }
    EXPECT_EQ(externals, std::vector<std::string>{"e"});
    EXPECT_NEAR(evaluate(*result.circuit, output("d", "a", {0.2, 0.8})), 0.2,
                probability_tolerance);
}

// Coins in a row, never two heads next to each other; by hand, a chain with two states.
TEST(CircuitView, EvaluatesToTheProbability) {
    double tails = 1.0;
    double heads = 0.0;
    std::vector<double> column;
    for (int i = 0; i < 8; ++i) {
        const double p = 0.05 + 0.1 * i;
        column.push_back(p);
        const double before = tails + heads;
        heads = tails * p;
        tails = before * (1.0 - p);
    }
    for (const bool smooth : {false, true}) {
        const auto circuit = compiled("nn(c(8,x),[h,t]).", ":- c(I,x,h), c(I+1,x,h).", smooth);
        EXPECT_EQ(circuit.view().smooth(), smooth);
        EXPECT_NEAR(evaluate(circuit, output("c", "x", column)), heads + tails,
                    probability_tolerance);
    }
}

// With a (0.6) there are four models, two of them with p; without a, r needs b (0.3):
// 0.18 + 0.42 / 2 + 0.12.
TEST(CircuitView, WeighsFreeAtomsByOneAndDividesByNum) {
    for (const bool smooth : {false, true}) {
        const auto circuit =
            compiled("0.6 : a. 0.3 : b. {p; q} :- a. r :- p. r :- b.", ":- not r.", smooth);
        EXPECT_NEAR(evaluate(circuit, {}), 0.51, probability_tolerance);
    }
}

TEST(CircuitView, IsZeroForTheImpossible) {
    EXPECT_EQ(evaluate(compiled("0.6 : a.", ":- not b.", false), {}), 0.0);
}

TEST(CircuitView, SaysWhatItsSumsBranchOn) {
    const auto circuit = compiled("0.6 : a. 0.3 : b. r :- a. r :- b.", ":- not r.", false);
    const CircuitView view = circuit.view();
    std::set<std::uint32_t> branched;
    std::size_t edges = 0;
    for (std::uint32_t id = 0; id < view.node_count(); ++id) {
        const CircuitView::Node node = view.node(id);
        edges += node.edges.size();
        EXPECT_TRUE(node.kind == CircuitView::Kind::sum || !node.variable) << id;
        if (node.variable) branched.insert(*node.variable);
        for (const CircuitView::Edge &edge : node.edges) EXPECT_LT(edge.child, id);
    }
    EXPECT_EQ(edges, view.edge_count());
    ASSERT_FALSE(branched.empty());
    EXPECT_LT(*branched.rbegin(), circuit.variables().size());
    EXPECT_EQ(view.constant(0), std::nullopt);
    EXPECT_EQ(view.constant(1), std::nullopt);
    EXPECT_THROW(view.node(static_cast<std::uint32_t>(view.node_count())), ContractError);
}

TEST(CircuitView, OutlivesItsQuestion) {
    const CircuitView view = compiled("0.6 : a.", ":- not a.", false).view();
    EXPECT_NO_THROW(view.node(view.root()));
}

} // namespace
} // namespace neurasp::inference::test
