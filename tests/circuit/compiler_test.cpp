// Small programs, compiled and compared with brute force over total choices.
#include "circuit/compiler.hpp"

#include "circuit/model_count.hpp"
#include "circuit_support.hpp"
#include "theory_support.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace neurasp::circuit {
namespace {

using test::Example;

CompilerResult compiled(const Theory &theory, Below below = Below::ratios,
                        const CompilerLimits &limits = {}) {
    base::Budget budget;
    return compile(theory, below, limits, budget);
}

// Checks that the circuit, plain and smooth, has the value that brute force finds.
void expect_right(const Example &example, const std::vector<std::string> &evidence) {
    const auto weights = test::some_weights(example);
    const double expected = example.probability(evidence, weights);
    for (const bool whole : {false, true}) {
        const Theory theory = translate(example.input(evidence, whole)).theory.value();
        for (const Below below : {Below::ratios, Below::models}) {
            const Circuit circuit = compiled(theory, below).circuit.value();
            const auto rows = test::weights_of(theory, weights);
            circuit.verify();
            EXPECT_NEAR(test::plain_value(circuit, rows), expected, test::rounding);
            const Circuit smooth = smoothed(circuit);
            smooth.verify();
            EXPECT_NEAR(test::plain_value(smooth, rows), expected, test::rounding);
        }
    }
}

const std::vector<std::vector<std::string>> three_variables{
    {"d(1)", "d(2)", "d(3)"}, {"x", "nx"}, {"y", "ny"}};
const std::string choose = "{d(1..3); x; nx; y; ny}. ";

TEST(Compiler, programs_without_free_choices) {
    for (const std::string text :
         {"a :- x. a :- d(2), y. b :- not a.", "a :- x, not b. b :- d(1). :- d(3), y.",
          "a :- 2 {x; y; d(3)}. b :- #sum{2 : d(2); 3 : d(3); -1 : x} > 1. a :- b."}) {
        SCOPED_TRACE(text);
        expect_right(Example(choose + text, three_variables), {"a"});
        expect_right(Example(choose + text, three_variables), {"not a", "b"});
    }
}

TEST(Compiler, programs_with_positive_cycles) {
    for (const std::string text :
         {"a :- b. b :- a. a :- x. b :- y, d(1).",
          "a :- b, x. b :- c. c :- a, not d(1). a :- d(2), y. c :- d(3). b :- c, y.",
          "e(1,2) :- x. e(2,3) :- y. e(1,3) :- d(1). e(3,2) :- not d(2). "
          "r(1). r(B) :- r(A), e(A,B). a :- r(3). b :- r(2)."}) {
        SCOPED_TRACE(text);
        expect_right(Example(choose + text, three_variables), {"a"});
        expect_right(Example(choose + text, three_variables), {"not b"});
        expect_right(Example(choose + text, three_variables), {"a", "b"});
    }
}

TEST(Compiler, programs_that_leave_choices_open) {
    for (const std::string text :
         {"{a; b} :- x. c :- a, d(1). :- c, b.", "a :- not b, x. b :- not a. c :- a. {c} :- d(2).",
          "{a} :- d(1). b :- a, y. a :- b. {c} :- b. :- c, not x.",
          "a | b :- d(1). c :- a. a :- c, y. b :- d(2). {e} :- b, x.",
          "1 {a; b; c} 2 :- y. e :- a, x. e :- b, d(3)."}) {
        SCOPED_TRACE(text);
        expect_right(Example(choose + text, three_variables), {"a"});
        expect_right(Example(choose + text, three_variables), {"not a", "b"});
        expect_right(Example(choose + text, three_variables), {"not c"});
    }
}

TEST(Compiler, evidence_inside_a_cycle_with_a_choice) {
    const Example example("{x; nx; y; ny}. a :- x. a :- b. {b} :- a. c :- b, y. b :- c.",
                          {{"x", "nx"}, {"y", "ny"}});
    expect_right(example, {"not c"});
    expect_right(example, {"c"});
}

// With s(1), f may hold by itself, with s(0) only if b does. Once b is true and not derived yet, no clause tells these apart.
TEST(Compiler, what_allows_an_atom_of_a_cycle_still_matters_when_its_clause_is_satisfied) {
    const Example example("{r(0..1); s(0..2)}. b :- a, r(0). a :- b. a :- s(2). {f} :- s(1). "
                          "b :- f, not s(2). {g}. a :- g, not f. {f} :- b.",
                          {{"r(0)", "r(1)"}, {"s(0)", "s(1)", "s(2)"}});
    expect_right(example, {"a", "b"});
}

// Random variables {c(0), d(0)}, {c(1), d(1)}, ..
std::vector<std::vector<std::string>> coins(int count) {
    std::vector<std::vector<std::string>> variables;
    for (int i = 0; i < count; ++i) {
        const std::string number = "(" + std::to_string(i) + ")";
        variables.push_back({"c" + number, "d" + number});
    }
    return variables;
}

// r(4) is false, so r(1) and c(4) exclude each other: r(1) matters although the cycle only passes through it.
TEST(Compiler, a_false_atom_on_a_cycle_constrains_those_before_it) {
    const Example example(
        "{c(0..4); d(0..4)}. e(1,5) :- c(0). e(3,5) :- c(1). e(1,2) :- c(2). e(2,3) :- c(3). "
        "e(1,4) :- c(4). e(Y,X) :- e(X,Y). r(2) :- c(4). r(Y) :- r(X), e(X,Y).",
        coins(5));
    expect_right(example, {"not r(4)"});
}

// The body `r(5), c(8)` derives r(2), which may be settled, and r(4), which is on no cycle.
TEST(Compiler, a_body_of_a_cycle_that_others_share_still_matters) {
    const Example example(
        "{c(0..8); d(0..8)}. e(6,1) :- c(1), c(0). e(6,3) :- c(2). e(2,6) :- c(3). e(1,5) :- c(4). "
        "e(5,6) :- c(6). e(3,2) :- c(7). e(5,4) :- c(8). e(2,6) :- c(6), c(4). e(5,2) :- c(8). "
        "e(6,4) :- c(5). r(1) :- c(7). r(2) :- c(5). r(Y) :- r(X), e(X,Y).",
        coins(9));
    expect_right(example, {"r(2)", "r(4)"});
}

// The body `p(1,X), e(X,Y)` belongs to the cycle of p and alone derives q(Y), which is on another one.
TEST(Compiler, a_body_of_a_cycle_that_enters_another_cycle_still_matters) {
    const Example example("{c(0..3); d(0..3)}. e(3,1) :- c(1). e(4,3) :- c(2). e(4,3) :- c(3). "
                          "e(Y,X) :- e(X,Y). p(X,Y) :- e(X,Y). p(X,Y) :- p(X,Z), e(Z,Y). "
                          "r(Y) :- p(1,Y). q(Y) :- r(X), e(X,Y). q(Y) :- q(X), h(X,Y). "
                          "h(Y,X) :- h(X,Y). h(4,2) :- c(1). h(1,4) :- c(0).",
                          coins(4));
    expect_right(example, {"q(4)"});
}

// A bare atom of one cycle is the body of a rule of two others: no clause shows that they still depend on it.
TEST(Compiler, an_atom_of_a_cycle_that_is_a_body_of_another_cycle_still_matters) {
    std::vector<std::vector<std::string>> variables;
    for (const int outcomes : {2, 3, 2, 2, 2, 2, 3}) {
        const std::string name = "r" + std::to_string(variables.size());
        variables.emplace_back();
        for (int o = 0; o < outcomes; ++o) {
            variables.back().push_back(name + "(" + std::to_string(o) + ")");
        }
    }
    const Example example(
        "{r0(0..1)}. {r1(0..2)}. {r2(0..1)}. {r3(0..1)}. {r4(0..1)}. {r5(0..1)}. "
        "{r6(0..2)}. a0(1) :- a0(0). a0(2) :- a0(1), not r3(1). a0(0) :- a0(2), "
        "r0(1). a0(0) :- a0(1). a0(1) :- a0(2), a0(1), r6(2). a0(0) :- a0(1), "
        "r2(0). a0(1) :- a0(1), a0(2), r3(1), r4(0). a0(1) :- not r0(1), r4(0). "
        "a1(1) :- a1(0), r2(1). a1(2) :- a1(1), not r5(1). a1(3) :- a1(2). a1(0) "
        ":- a1(3), r1(1), r4(1). a1(1) :- a1(2). a1(1) :- a1(0), r1(1). a1(0) :- "
        "a1(2), r1(1). a1(1) :- a1(3). a1(1) :- a1(2), r1(1). a1(1) :- a0(2). "
        "a1(0) :- a0(0), r5(0). a1(3) :- r6(2). a2(1) :- a2(0), r1(0). a2(2) :- "
        "a2(1), r6(0). a2(3) :- a2(2). a2(0) :- a2(3), r4(0). a2(1) :- a2(2), not "
        "r6(1). a2(0) :- a2(2), not r6(1). a2(0) :- a0(1). ",
        variables);
    expect_right(example, {"a1(3)", "a2(3)"});
}

TEST(Compiler, an_impossible_observation_is_the_false_circuit) {
    const Example example(choose + "a :- x. b :- not a.", three_variables);
    const Theory theory = translate(example.input({"a", "b"})).theory.value();
    const Circuit circuit = compiled(theory).circuit.value();
    circuit.verify();
    const auto rows = test::weights_of(theory, test::some_weights(example));
    EXPECT_EQ(test::plain_value(circuit, rows), 0.0);
}

TEST(Compiler, a_certain_observation_is_the_true_circuit) {
    const Example example(choose + "a :- x. a :- nx.", three_variables);
    const Theory theory = translate(example.input({"a"})).theory.value();
    const Circuit circuit = compiled(theory).circuit.value();
    EXPECT_EQ(circuit.node_count(), 1U);
    EXPECT_EQ(circuit.root(), true_node);
}

// The columns of eight queens, one random variable for each row.
Theory queens() {
    std::vector<std::vector<std::string>> variables;
    for (int row = 1; row <= 8; ++row) {
        variables.emplace_back();
        for (int column = 1; column <= 8; ++column) {
            variables.back().push_back("q(" + std::to_string(row) + "," + std::to_string(column) +
                                       ")");
        }
    }
    const Example example("{q(1..8,1..8)}. :- q(I,J), q(K,J), I < K. "
                          ":- q(I,J), q(K,L), I < K, |J-L| = K-I.",
                          variables);
    return translate(example.input({})).theory.value();
}

TEST(Compiler, counts_the_solutions_of_eight_queens) {
    const CompilerResult result = compiled(queens());
    const Circuit smooth = smoothed(result.circuit.value());
    smooth.verify();
    EXPECT_EQ(count_assignments(smooth).to_string(), "92");
    EXPECT_GT(result.statistics.decisions, 0U);
    EXPECT_EQ(result.limit, "");
}

TEST(Compiler, is_deterministic) {
    const Theory theory = queens();
    EXPECT_EQ(compiled(theory).circuit.value(), compiled(theory).circuit.value());
}

TEST(Compiler, the_node_limit_ends_it) {
    const CompilerResult result = compiled(queens(), Below::ratios, {10, 2'000'000'000});
    EXPECT_FALSE(result.circuit);
    EXPECT_EQ(result.limit, "node limit");
}

TEST(Compiler, the_memory_limit_ends_it) {
    const CompilerResult result = compiled(queens(), Below::ratios, {2'000'000, 1});
    EXPECT_FALSE(result.circuit);
    EXPECT_EQ(result.limit, "memory limit");
}

TEST(Compiler, the_time_limit_ends_it) {
    Limits limits;
    limits.seconds = 0.0;
    base::Budget budget(limits);
    const CompilerResult result = compile(queens(), Below::ratios, {}, budget);
    EXPECT_FALSE(result.circuit);
    EXPECT_EQ(result.limit, base::describe(base::LimitReached::time));
}

TEST(Compiler, the_stop_flag_ends_it) {
    const std::atomic<bool> stop{true};
    Limits limits;
    limits.stop = StopToken(stop);
    base::Budget budget(limits);
    const CompilerResult result = compile(queens(), Below::ratios, {}, budget);
    EXPECT_FALSE(result.circuit);
    EXPECT_EQ(result.limit, base::describe(base::LimitReached::stopped));
}

} // namespace
} // namespace neurasp::circuit
