// Which tables are found in small programs.
#include "circuit/tables.hpp"

#include "theory_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::circuit {
namespace {

using test::Example;

// A node with three values below a random variable, and a node with two below that one.
const std::string two_nodes =
    "{a(0..1)}. {r0(0..2)}. {r1(0..2)}. {s0(0..1)}. {s1(0..1)}. {s2(0..1)}. "
    "b(V) :- a(0), r0(V). b(V) :- a(1), r1(V). "
    "c(V) :- b(0), s0(V). c(V) :- b(1), s1(V). c(V) :- b(2), s2(V). ";
const std::vector<std::vector<std::string>> network_variables{
    {"a(0)", "a(1)"},   {"r0(0)", "r0(1)", "r0(2)"}, {"r1(0)", "r1(1)", "r1(2)"},
    {"s0(0)", "s0(1)"}, {"s1(0)", "s1(1)"},          {"s2(0)", "s2(1)"}};

std::vector<Table> tables_of(const std::string &text) {
    const Example example(text, network_variables);
    return find_tables(translate(example.input({}, true)).theory.value());
}

TEST(Tables, nodes_of_a_network_are_found_with_their_rows) {
    const auto tables = tables_of(two_nodes);
    ASSERT_EQ(tables.size(), 2U);
    EXPECT_EQ(tables[0].values.size(), 3U);
    EXPECT_TRUE(tables[0].complete);
    EXPECT_EQ(tables[0].rows.size(), 6U);
    EXPECT_EQ(tables[1].rows.size(), 6U);
}

TEST(Tables, a_missing_row_leaves_a_table_incomplete) {
    const auto tables = tables_of("{a(0..1)}. {r0(0..2)}. {r1(0..2)}. {s0(0..1)}. {s1(0..1)}. "
                                  "{s2(0..1)}. b(V) :- a(0), r0(V). ");
    ASSERT_EQ(tables.size(), 1U);
    EXPECT_EQ(tables[0].values.size(), 3U);
    EXPECT_FALSE(tables[0].complete);
}

TEST(Tables, atoms_that_can_hold_together_are_in_none) {
    // another way to derive b(0), so that b(0) and b(1) can hold together, and then c(0) and c(1)
    const Example example(two_nodes + "b(0) :- s0(0), r0(1), r1(1).", network_variables);
    const Theory theory = translate(example.input({}, true)).theory.value();
    for (const Table &table : find_tables(theory)) {
        for (std::size_t i = 0; i < table.values.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                Theory both = theory;
                test::add_clause(both, {table.values[i]});
                test::add_clause(both, {table.values[k]});
                EXPECT_EQ(test::count_models(both), 0U);
            }
        }
        EXPECT_LT(table.values.size(), 3U) << "b(0) is in no table with b(1)";
    }
}

TEST(Tables, a_noisy_or_is_none) {
    EXPECT_TRUE(tables_of("{a(0..1)}. {r0(0..2)}. {r1(0..2)}. {s0(0..1)}. {s1(0..1)}. {s2(0..1)}. "
                          "n :- a(0), s0(0). n :- r0(0), s1(0).")
                    .empty());
}

TEST(Tables, a_single_head_with_rows_that_exclude_each_other_is_one) {
    const auto tables = tables_of("{a(0..1)}. {r0(0..2)}. {r1(0..2)}. {s0(0..1)}. {s1(0..1)}. "
                                  "{s2(0..1)}. b :- a(0), r0(1). b :- a(1), r1(1).");
    ASSERT_EQ(tables.size(), 1U);
    EXPECT_EQ(tables[0].values.size(), 1U);
    EXPECT_FALSE(tables[0].complete);
    EXPECT_EQ(tables[0].rows.size(), 2U);
}

} // namespace
} // namespace neurasp::circuit
