// Invariants of this layer, broken on purpose.
#include "circuit/circuit_builder.hpp"
#include "circuit/circuit_cache.hpp"
#include "circuit/gates.hpp"
#include "circuit/theory_support.hpp"
#include "support/broken_invariant.hpp"

#include <gmock/gmock.h>

namespace neurasp::circuit::test {
namespace {

using neurasp::test::broken_invariant;
using ::testing::HasSubstr;

TEST(CircuitAssertions, CatchADecisionWithOutcomesOutOfOrder) {
    NEURASP_NEEDS_ASSERTIONS();
    CircuitBuilder builder({{3, 2}, 2});
    const Edge swapped[] = {{builder.input(0, 1), true_node}, {builder.input(0, 0), true_node}};
    const Edge foreign[] = {{builder.input(1, 0), true_node}};
    for (const std::span<const Edge> edges : {std::span<const Edge>(swapped), {foreign}}) {
        EXPECT_THAT(broken_invariant([&] { builder.decision(0, edges); }),
                    HasSubstr("the edges of a decision are outcomes of its variable"));
    }
}

TEST(CircuitAssertions, CatchABuilderThatIsUsedAfterItsEnd) {
    NEURASP_NEEDS_ASSERTIONS();
    CircuitBuilder builder({{2}, 1});
    static_cast<void>(std::move(builder).finish(true_node));
    EXPECT_THAT(broken_invariant([&] { static_cast<void>(std::move(builder).finish(true_node)); }),
                HasSubstr("a finished builder is not used again"));
}

TEST(CircuitAssertions, CatchAnInputANodeAndAVariableThatDoNotExist) {
    NEURASP_NEEDS_ASSERTIONS();
    const Circuit circuit({{3, 2}, 2});
    EXPECT_THAT(broken_invariant([&] { circuit.input(1, 2); }), HasSubstr("an outcome"));
    EXPECT_THAT(broken_invariant([&] { circuit.input(2, 0); }), HasSubstr("an outcome"));
    EXPECT_THAT(broken_invariant([&] { circuit.node(NodeId(1U)); }),
                HasSubstr("after it was added"));
    EXPECT_THAT(broken_invariant([&] { circuit.variable_of(one_input); }),
                HasSubstr("belong to no variable"));
}

TEST(CircuitAssertions, CatchACacheEntryWithoutACircuit) {
    NEURASP_NEEDS_ASSERTIONS();
    CircuitCache cache(1000);
    EXPECT_THAT(broken_invariant([&] { cache.put({1, 2}, nullptr); }), HasSubstr("no entry is"));
}

TEST(CircuitAssertions, CatchAChoiceOfUnknownVariablesAndAMultiplexerOfTheWrongSize) {
    NEURASP_NEEDS_ASSERTIONS();
    Theory theory;
    EXPECT_THAT(broken_invariant([&] {
                    theory.add_choice({{Lit(1), Lit(1, false)}, 0});
                }),
                HasSubstr("known variables"));
    const std::vector<Lit> outcomes = add_choice(theory, 3);
    Gates gates(theory);
    EXPECT_THAT(broken_invariant([&] {
                    gates.multiplexer(0, {true_lit, outcomes[0]});
                }),
                HasSubstr("one input for each outcome"));
}

TEST(CircuitAssertions, CatchAnOutcomeThatIsNotAnAtomOfTheProgram) {
    NEURASP_NEEDS_ASSERTIONS();
    const Example example("{a; b}. c :- a.", {{"a", "b"}});
    TranslationInput input = example.input({"c"});
    input.inputs.emplace_back(example.program().atom_limit());
    EXPECT_THAT(broken_invariant([&] { translate(input); }),
                HasSubstr("outcomes and inputs are atoms of the program"));
}

} // namespace
} // namespace neurasp::circuit::test
