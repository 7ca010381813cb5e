// Queries that are asked for each instance: which variables are global, and their places.
#include "reading.hpp"

#include <gtest/gtest.h>

namespace neurasp::language::test {
namespace {

Reading read_each(const std::string &text) { return read_texts({{Role::each_query, text, 4}}); }

// The variables, then the texts at their places, in parentheses if in arithmetic: "X Y | X X (Y)".
std::string variables_and_places(const std::string &text) {
    const Reading reading = read_each(text);
    EXPECT_EQ(reading.findings(), "");
    const EachQuery &query = reading.program.each_queries.at(0);
    EXPECT_EQ(query.number, 4U);
    std::string result;
    for (const std::string &name : query.variables) result += name + " ";
    result += "|";
    for (const EachQuery::Place &place : query.places) {
        const std::string name(reading.sources.text(place.span));
        EXPECT_EQ(name, query.variables.at(place.variable));
        result += " " + (place.in_arithmetic ? "(" + name + ")" : name);
    }
    return result;
}

TEST(EachQuery, HasItsVariablesAsArguments) {
    EXPECT_EQ(read_each("p(X,f(Y)), not q(X)").lowered(),
              "__neurasp_query(4,X,Y) :- p(X,f(Y)), not q(X).\n");
    EXPECT_EQ(read_each("a, b.").lowered(), "__neurasp_query(4) :- a, b.\n");
    EXPECT_EQ(read_each("p(_)").lowered(), "__neurasp_query(4) :- p(_).\n");
}

TEST(EachQuery, OrdersVariablesAsTheyCome) {
    EXPECT_EQ(variables_and_places("q(Y,X), p(X)"), "Y X | Y X X");
    EXPECT_EQ(variables_and_places("p(X_1'), \"X\" != X_1'"), "X_1' | X_1' X_1'");
}

TEST(EachQuery, LeavesLocalVariablesAlone) {
    EXPECT_EQ(variables_and_places("p(X), #count{Y : q(X,Y)} > Z, r(Z)"), "X Z | X X Z Z");
    EXPECT_EQ(variables_and_places("N = #sum{W,Y : q(W,Y); V : r(V)}, n(N)"), "N | N N");
    EXPECT_EQ(variables_and_places("p(X), q(Y) : r(X,Y), s(Y); t(Z)"), "X Z | X X Z");
    EXPECT_EQ(variables_and_places("{q(Y) : r(Y)} = 1, p(X)"), "X | X");
}

TEST(EachQuery, KnowsWhichPlacesAreInArithmetic) {
    EXPECT_EQ(variables_and_places("p(X), Y = X*2-1, q(3-Y)"), "X Y | X Y (X) (Y)");
}

} // namespace
} // namespace neurasp::language::test
