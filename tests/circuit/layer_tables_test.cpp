// Tables of layers, evaluated term by term, as tensors do, and compared with the circuit.
#include "circuit/layer_tables.hpp"

#include "base/random_stream.hpp"
#include "circuit/circuit_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace neurasp::circuit::test {
namespace {

constexpr std::size_t never_shared = 1U << 30U;

// Appends a row for each sum. `left_rows` and `right_rows` may be the same as `rows`: a group refers to earlier groups only.
void append_sums(const SumTables &tables, const std::vector<double> *left_rows,
                 const std::vector<double> *right_rows, std::vector<double> &rows) {
    std::size_t term = 0;
    for (const TableGroup &group : tables.groups) {
        std::vector<double> sums(group.rows, 0.0);
        for (std::size_t i = 0; i < group.width; ++i) {
            for (std::size_t column = 0; column < group.rows; ++column, ++term) {
                const auto left = static_cast<std::size_t>(tables.left.at(term));
                const auto right = static_cast<std::size_t>(tables.right.at(term));
                sums[column] += left_rows->at(left) * right_rows->at(right);
            }
        }
        rows.insert(rows.end(), sums.begin(), sums.end());
    }
    EXPECT_EQ(term, tables.left.size());
    EXPECT_EQ(term, tables.right.size());
}

std::vector<double> fixed_rows(const Circuit &circuit, const std::vector<double> &weights) {
    std::vector<double> rows{1.0};
    rows.insert(rows.end(), weights.begin(), weights.end());
    rows.resize(circuit.first_constant(), 1.0);
    for (const base::ScaledReal &constant : circuit.constants()) {
        rows.push_back(constant.to_double());
    }
    rows.push_back(0.0);
    return rows;
}

void expect_values_and_derivatives(const Circuit &circuit, const LayerTables &tables,
                                   const std::vector<double> &weights) {
    std::vector<double> values = fixed_rows(circuit, weights);
    ASSERT_EQ(values.size(), tables.fixed);
    append_sums(tables.values, &values, &values, values);
    EXPECT_NEAR(values.at(tables.root), plain_value(circuit, weights), rounding);
    std::vector<double> derivatives{0.0, 1.0};
    append_sums(tables.derivatives, &derivatives, &values, derivatives);
    for (std::size_t input = 0; input < weights.size(); ++input) {
        const auto place = static_cast<std::size_t>(tables.input_places.at(input));
        EXPECT_NEAR(derivatives.at(place), plain_derivative(circuit, weights, input), rounding);
    }
}

TEST(LayerTables, HaveTheValuesAndDerivativesOfRandomCircuits) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        base::RandomStream random(seed);
        const Circuit circuit = pruned(random_circuit(random));
        const auto weights = random_weights(circuit, random);
        const Layers layers{StraightLine(circuit)};
        for (const std::size_t least_shared : {std::size_t{1}, std::size_t{4}, never_shared}) {
            const LayerTables tables = make_layer_tables(layers, least_shared);
            expect_values_and_derivatives(circuit, tables, weights);
        }
    }
}

TEST(LayerTables, ShareOutcomesWhereManySumsDecideBetweenThem) {
    // two decisions about variable 0 in one layer, below a decision about variable 1
    Circuit circuit({{2, 2, 3}, 3});
    std::vector<NodeId> below;
    for (std::uint32_t i = 0; i < 2; ++i) {
        const Edge last[] = {{circuit.input(2, i), true_node},
                             {circuit.input(2, i + 1), true_node}};
        const NodeId child = circuit.add_sum(2, last);
        const Edge edges[] = {{circuit.input(0, 0), child}, {circuit.input(0, 1), child}};
        below.push_back(circuit.add_sum(0, edges));
    }
    const Edge edges[] = {{circuit.input(1, 0), below[0]}, {circuit.input(1, 1), below[1]}};
    circuit.set_root(circuit.add_sum(1, edges));
    const Layers layers{StraightLine(circuit)};
    const auto shares = [&](std::size_t least_shared) {
        const LayerTables tables = make_layer_tables(layers, least_shared);
        return std::any_of(tables.values.groups.begin(), tables.values.groups.end(),
                           [&](const TableGroup &group) {
                               return group.rows == 2 && group.outcomes == std::vector<Slot>{1, 2};
                           });
    };
    EXPECT_TRUE(shares(4));
    EXPECT_FALSE(shares(5));
}

} // namespace
} // namespace neurasp::circuit::test
