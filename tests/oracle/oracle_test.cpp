// The oracle against answers computed by hand.
#include "oracle/oracle.hpp"

#include <gtest/gtest.h>

namespace neurasp::oracle {
namespace {

constexpr double tolerance = 1e-15; // sums of a few long doubles

// original A1 (docs/original.md): Num = 2 for a.
Input choice_beside_a_network() {
    Input input;
    input.program = "{e} :- d(a).";
    input.variables = {{"d(a)", "d(b)", "d(c)"}};
    input.constraints = {"d(c)"};
    input.queries = {"e", "not e"};
    return input;
}

TEST(Oracle, divides_by_num) {
    const Oracle oracle(choice_beside_a_network());
    const Probabilities p = {{0.2L, 0.3L, 0.5L}};
    EXPECT_EQ(oracle.models().size(), 4U);
    EXPECT_NEAR(static_cast<double>(oracle.probability(p, false) - 0.5L), 0, tolerance);
    EXPECT_NEAR(static_cast<double>(oracle.mass(p) - 1.0L), 0, tolerance);
    EXPECT_NEAR(static_cast<double>(oracle.joint(p, 0, false) - 0.1L), 0, tolerance);
    EXPECT_NEAR(static_cast<double>(oracle.joint(p, 1, false) - 0.4L), 0, tolerance);
}

TEST(Oracle, gives_the_gradient_of_proposition_1) {
    const Oracle oracle(choice_beside_a_network());
    const auto gradient = oracle.gradient({{0.2L, 0.3L, 0.5L}}, Convention::proposition1, false);
    ASSERT_TRUE(gradient);
    EXPECT_NEAR(static_cast<double>((*gradient)[0][0]), 0, 1e-12);
    EXPECT_NEAR(static_cast<double>((*gradient)[0][1]), 0, 1e-12);
    EXPECT_NEAR(static_cast<double>((*gradient)[0][2]), -4, 1e-12);
}

TEST(Oracle, differentiates_where_the_probability_is_zero) {
    const Oracle oracle(choice_beside_a_network());
    const auto gradient = oracle.gradient({{0.0L, 0.5L, 0.5L}}, Convention::plain, false);
    ASSERT_TRUE(gradient);
    EXPECT_NEAR(static_cast<double>((*gradient)[0][0]), 2, 1e-12);
    EXPECT_FALSE(oracle.gradient({{0.0L, 0.0L, 1.0L}}, Convention::plain, false));
}

TEST(Oracle, finds_incoherence) {
    Input input;
    input.program = ":- a, b.";
    input.variables = {{"a", "-a"}, {"b", "-b"}};
    const Oracle oracle(input);
    EXPECT_FALSE(oracle.coherent());
    EXPECT_TRUE(oracle.is_witness({"b", "a"}));
    EXPECT_FALSE(oracle.is_witness({"a", "-b"}));
    EXPECT_FALSE(oracle.is_witness({"a"}));
}

TEST(Oracle, keeps_the_least_cost_models_in_optimal_mode) {
    Input input;
    input.program = ":~ a. [1@2] :~ b. [3@1] :~ -b. [2@1] {c}. :~ c. [-1@1]";
    input.variables = {{"a", "-a"}, {"b", "-b"}};
    const Oracle oracle(input);
    EXPECT_EQ(oracle.models().size(), 8U);
    const auto counted = oracle.counted(true);
    ASSERT_EQ(counted.size(), 1U);
    EXPECT_EQ(counted[0]->atoms, (std::vector<std::string>{"-a", "-b", "c"}));
    EXPECT_EQ(counted[0]->cost, (std::vector<std::int64_t>{0, 1}));
}

TEST(Oracle, ranks_models) {
    Input input;
    input.variables = {{"a", "b", "c"}};
    const Oracle oracle(input);
    const auto ranking = oracle.ranking({{0.2L, 0.5L, 0.3L}}, false);
    ASSERT_EQ(ranking.size(), 3U);
    EXPECT_EQ(ranking[0]->atoms.front(), "b");
    EXPECT_EQ(ranking[1]->atoms.front(), "c");
    EXPECT_EQ(ranking[2]->atoms.front(), "a");
}

TEST(Oracle, reports_programs_that_clingo_refuses) {
    Input input;
    input.program = "p(X) :- not q(X).";
    EXPECT_THROW(Oracle{input}, std::runtime_error);
}

} // namespace
} // namespace neurasp::oracle
