// Circuit::verify finds every broken invariant.
#include "circuit/circuit.hpp"

#include "circuit/circuit_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace neurasp::circuit::test {
namespace {

using ::testing::HasSubstr;

std::string complaint(const Circuit &circuit) {
    try {
        circuit.verify();
    } catch (const std::logic_error &error) {
        return error.what();
    }
    return {};
}

Circuit three_variables() { return Circuit({{3, 2, 2}, 2}); }

TEST(Verify, AcceptsRandomCircuits) {
    base::RandomStream random(2);
    for (int i = 0; i < 500; ++i) EXPECT_EQ(complaint(random_circuit(random)), "");
}

TEST(Verify, AcceptsTrueAndFalse) {
    Circuit circuit({{}, 0});
    circuit.set_smooth(true);
    EXPECT_EQ(complaint(circuit), "");
    circuit.set_root(circuit.add_sum(0, {}));
    EXPECT_EQ(complaint(circuit), "");
}

TEST(Verify, RejectsASumOverAnotherVariable) {
    Circuit circuit = three_variables();
    const Edge edges[] = {{circuit.input(0, 0), true_node}, {circuit.input(1, 0), true_node}};
    circuit.add_sum(0, edges);
    EXPECT_THAT(complaint(circuit), HasSubstr("node 1: not deterministic"));
}

TEST(Verify, RejectsASumEdgeWithoutAnOutcome) {
    Circuit circuit = three_variables();
    const InputId constant = circuit.add_constant(base::ScaledReal(0.5L));
    Circuit other = circuit;
    const Edge with_one[] = {{one_input, true_node}};
    circuit.add_sum(0, with_one);
    EXPECT_THAT(complaint(circuit), HasSubstr("not deterministic"));
    const Edge with_constant[] = {{constant, true_node}};
    other.add_sum(0, with_constant);
    EXPECT_THAT(complaint(other), HasSubstr("not deterministic"));
}

TEST(Verify, RejectsAnOutcomeThatOccursTwiceInASum) {
    Circuit circuit = three_variables();
    const Edge edges[] = {{circuit.input(0, 0), true_node},
                          {circuit.input(0, 1), true_node},
                          {circuit.input(0, 0), true_node}};
    circuit.add_sum(0, edges);
    EXPECT_THAT(complaint(circuit), HasSubstr("the same outcome"));
}

TEST(Verify, RejectsFactorsThatShareAVariable) {
    Circuit circuit = three_variables();
    const Edge edges[] = {{circuit.input(0, 0), true_node}, {circuit.input(0, 1), true_node}};
    circuit.add_product(edges);
    EXPECT_THAT(complaint(circuit), HasSubstr("node 1: not decomposable: two factors"));
}

TEST(Verify, RejectsSharedVariablesDeepBelow) {
    Circuit circuit = three_variables();
    const Edge left[] = {{circuit.input(0, 0), true_node}, {circuit.input(1, 1), true_node}};
    const NodeId a = circuit.add_product(left);
    const Edge right[] = {{circuit.input(1, 0), true_node}};
    const NodeId b = circuit.add_sum(1, right);
    const Edge both[] = {{one_input, a}, {one_input, b}};
    circuit.add_product(both);
    EXPECT_THAT(complaint(circuit), HasSubstr("node 3: not decomposable"));
}

TEST(Verify, RejectsAnEdgeWhoseChildMentionsItsVariable) {
    Circuit circuit = three_variables();
    const Edge below[] = {{circuit.input(0, 0), true_node}};
    const NodeId child = circuit.add_sum(0, below);
    const Edge above[] = {{circuit.input(0, 1), child}};
    circuit.add_sum(0, above);
    EXPECT_THAT(complaint(circuit), HasSubstr("an edge and its child share"));
}

TEST(Verify, RejectsBranchesOverDifferentVariablesOnlyIfSmoothnessIsClaimed) {
    Circuit circuit({{2, 2}, 2});
    const Edge below[] = {{circuit.input(1, 0), true_node}};
    const NodeId child = circuit.add_sum(1, below);
    const Edge above[] = {{circuit.input(0, 0), child}, {circuit.input(0, 1), true_node}};
    circuit.set_root(circuit.add_sum(0, above));
    EXPECT_EQ(complaint(circuit), "");
    circuit.set_smooth(true);
    EXPECT_THAT(complaint(circuit), HasSubstr("not smooth: the branches"));
}

TEST(Verify, RejectsARootWithoutAllVariablesIfSmoothnessIsClaimed) {
    Circuit circuit({{2, 2}, 2});
    const Edge edges[] = {{circuit.input(0, 0), true_node}};
    circuit.set_root(circuit.add_sum(0, edges));
    EXPECT_EQ(complaint(circuit), "");
    circuit.set_smooth(true);
    EXPECT_THAT(complaint(circuit), HasSubstr("not smooth: the root"));
}

TEST(Verify, ChecksVariablesBeyondTheFirstBlock) {
    Circuit circuit = chain(1200);
    EXPECT_EQ(complaint(circuit), "");
    const Edge edges[] = {{circuit.input(1100, 0), true_node}, {one_input, circuit.root()}};
    circuit.add_product(edges);
    EXPECT_THAT(complaint(circuit), HasSubstr("not decomposable"));
}

TEST(Verify, DeadEndsDoNotCountAgainstSmoothness) {
    Circuit circuit({{2, 2}, 2});
    const NodeId dead = circuit.add_sum(0, {});
    const Edge below[] = {{circuit.input(1, 0), true_node}, {circuit.input(1, 1), true_node}};
    const NodeId child = circuit.add_sum(1, below);
    const Edge above[] = {{circuit.input(0, 0), child}, {circuit.input(0, 1), dead}};
    circuit.set_root(circuit.add_sum(0, above));
    circuit.set_smooth(true);
    EXPECT_EQ(complaint(circuit), "");
}

TEST(Verify, RejectsARootThatIsNotANode) {
    Circuit circuit({{2}, 1});
    circuit.set_root(NodeId(1U));
    EXPECT_THAT(complaint(circuit), HasSubstr("root"));
}

} // namespace
} // namespace neurasp::circuit::test
