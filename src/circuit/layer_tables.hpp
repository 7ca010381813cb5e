// Layers as tables of equally wide sums, the form in which tensors evaluate a circuit.
#pragma once

#include "circuit/layers.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace neurasp::circuit {

// Sums that are computed together. Those of a group are padded to the same width.
struct TableGroup {
    std::uint32_t width = 0;
    std::uint32_t rows = 0;
    std::vector<Slot> outcomes; // the right operands of every row, if all have the same ones
};

// Operands lie one after the other, group by group; those of a group are `width` rows of a table with a column for each sum.
struct SumTables {
    std::vector<TableGroup> groups;
    std::vector<std::int64_t> left;
    std::vector<std::int64_t> right;
};

struct LayerTables {
    std::size_t fixed = 0; // rows of values that are no steps: the inputs, and last a 0
    std::size_t root = 0;
    SumTables values; // rows from `fixed` on
    // Rows of derivatives: 0, the root's, then those of the groups. The left operand is a derivative, the right one a value.
    SumTables derivatives;
    std::vector<std::int64_t>
        input_places; // by random input, the row of its derivative; 0 if it has none
};

// `least_shared`: so many terms with the same outcomes on the right are worth a group of their own.
LayerTables make_layer_tables(const Layers &layers, std::size_t least_shared);

} // namespace neurasp::circuit
