// The layers of circuits: their form. What is computed with them is compared with other ways in batch_evaluator_test.cpp.
#include "circuit/layers.hpp"

#include "base/random_stream.hpp"
#include "circuit/circuit_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::circuit::test {
namespace {

Layers layers_of(const Circuit &circuit) { return Layers(StraightLine(circuit)); }

std::size_t terms_of(const StraightLine &program) {
    std::size_t terms = 0;
    for (std::size_t step = 0; step < program.step_count(); ++step) {
        terms += program.singles(step).size() + program.pairs(step).size();
    }
    return terms;
}

TEST(Layers, OfRandomCircuitsHaveTheirForm) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        base::RandomStream random(seed);
        const Circuit circuit = pruned(random_circuit(random));
        const StraightLine program(circuit);
        const Layers layers(program);
        layers.verify();
        EXPECT_EQ(layers.values().terms.size(), terms_of(program));
        EXPECT_EQ(layers.used_inputs().size() + layers.unused_inputs().size(),
                  circuit.random_input_count());
    }
}

// Decisions about one variable each, one below the other.
TEST(Layers, OfAChainAreAsManyAsItsSums) {
    const Circuit circuit = chain(5);
    const Layers layers = layers_of(circuit);
    ASSERT_EQ(layers.values().layers.size(), 6U);
    EXPECT_EQ(layers.values().runs.size(), 5U);
    for (const LayeredSums::Run &run : layers.values().runs) {
        EXPECT_EQ(run.rows, 1U);
        EXPECT_EQ(run.width, 2U);
    }
    EXPECT_TRUE(layers.unused_inputs().empty());
    // four sums below the root, and the inputs in one layer
    EXPECT_EQ(layers.derivatives().layers.size(), 6U);
    EXPECT_EQ(layers.derivative_count(), 1U + 4U + 10U);
}

TEST(Layers, OfAFalseCircuitAreEmpty) {
    Circuit circuit({{2, 3}, 2});
    circuit.set_root(circuit.add_sum(0, {}));
    const Layers layers = layers_of(circuit);
    EXPECT_EQ(layers.root(), layers.zero_row());
    EXPECT_TRUE(layers.values().runs.empty());
    EXPECT_EQ(layers.unused_inputs().size(), 5U);
}

TEST(Layers, KnowARootThatIsAnInput) {
    Circuit circuit({{2, 3}, 2});
    const Edge edge{circuit.input(1, 2), true_node};
    circuit.set_root(circuit.add_product({&edge, 1}));
    const Layers layers = layers_of(circuit);
    EXPECT_EQ(layers.root(), circuit.input(1, 2).value);
    ASSERT_EQ(layers.used_inputs().size(), 1U);
    EXPECT_EQ(layers.used_inputs()[0].input, layers.root());
    EXPECT_EQ(layers.used_inputs()[0].derivative, 0U); // that of the root by itself
}

} // namespace
} // namespace neurasp::circuit::test
