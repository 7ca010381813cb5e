// Makes tables of layers.
//
// The idea. On tensors every operation costs microseconds whatever it does, so a layer should take few operations. Sums of a
// layer with about as many terms form a group: one gather of all left operands, one of all right ones, a product, and a sum
// over the table. Where many sums of a layer decide between the same outcomes, these are their right operands: such sums
// form a group whose right operands need no gather.
//
// Padding. A sum joins the group of the next wider ones of its layer if the terms added to it, which are 0, cost less than another
// group. `terms_of_a_group` was measured with torch at batch 256.
//
// An order of its own, all decisions about one variable after the other, was only counted: it needs more groups for grids and
// for counts of items, and slightly fewer for boards of Sudoku.
//
// Cost. Linear in the terms, except for sorting the rows.
#include "circuit/layer_tables.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

namespace neurasp::circuit {

namespace {

constexpr std::size_t terms_of_a_group =
    32; // so many more terms cost about as much as one more group

// A row of sums, with its terms in the list of all.
struct TableRow {
    std::uint32_t layer = 0;
    std::uint32_t shared =
        0; // number of the outcomes that it shares with many of its layer; 0: none
    std::uint32_t width = 0;
    std::size_t first = 0; // term

    bool same_stage(const TableRow &other) const {
        return layer == other.layer && shared == other.shared;
    }
};

std::vector<TableRow> rows_of_sums(const LayeredSums &sums) {
    std::vector<TableRow> rows;
    std::size_t term = 0;
    for (std::uint32_t layer = 0; layer + 1 < sums.layers.size(); ++layer) {
        for (std::uint32_t run = sums.layers[layer]; run < sums.layers[layer + 1]; ++run) {
            for (std::uint32_t row = 0; row < sums.runs[run].rows; ++row) {
                rows.push_back({layer, 0, sums.runs[run].width, term});
                term += sums.runs[run].width;
            }
        }
    }
    return rows;
}

// The order in which rows are computed, and how many of them form each group.
struct Arrangement {
    std::vector<std::uint32_t> order;
    std::vector<TableGroup> groups;
};

Arrangement arranged_in_groups(const std::vector<TableRow> &rows) {
    Arrangement result;
    result.order.resize(rows.size());
    for (std::uint32_t i = 0; i < rows.size(); ++i) result.order[i] = i;
    std::stable_sort(
        result.order.begin(), result.order.end(), [&](std::uint32_t a, std::uint32_t b) {
            const TableRow &x = rows[a];
            const TableRow &y = rows[b];
            return std::tie(x.layer, x.shared, x.width) < std::tie(y.layer, y.shared, y.width);
        });
    const auto row = [&](std::size_t place) -> const TableRow & {
        return rows[result.order[place]];
    };
    for (std::size_t end = result.order.size(); end > 0;) { // equally wide ones, the widest first
        std::size_t begin = end - 1;
        while (begin > 0 && row(begin - 1).same_stage(row(begin)) &&
               row(begin - 1).width == row(begin).width) {
            --begin;
        }
        const std::size_t count = end - begin;
        const std::size_t width = row(begin).width;
        const bool has_next = end < result.order.size() && row(end).same_stage(row(begin));
        const std::size_t padding = has_next ? (result.groups.back().width - width) * count : 0;
        if (has_next && padding <= std::max(terms_of_a_group, width * count / 8)) {
            result.groups.back().rows += static_cast<std::uint32_t>(count);
        } else {
            result.groups.push_back(
                {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(count), {}});
        }
        end = begin;
    }
    std::reverse(result.groups.begin(), result.groups.end());
    return result;
}

// Fills the tables of all groups. `renamed` translates the operands of a term; `padding` is a left operand that adds 0.
template <class Renamed>
SumTables filled(Arrangement arrangement, const std::vector<TableRow> &rows,
                 std::span<const SlotPair> terms, std::int64_t padding, const Renamed &renamed) {
    SumTables tables;
    std::size_t place = 0;
    for (const TableGroup &group : arrangement.groups) {
        const std::size_t start = tables.left.size();
        tables.left.resize(start + std::size_t{group.width} * group.rows, padding);
        tables.right.resize(tables.left.size(), one_input.value);
        for (std::size_t column = 0; column < group.rows; ++column, ++place) {
            const TableRow &row = rows[arrangement.order[place]];
            for (std::size_t i = 0; i < row.width; ++i) {
                const auto [left, right] = renamed(terms[row.first + i]);
                tables.left[start + i * group.rows + column] = left;
                tables.right[start + i * group.rows + column] = right;
            }
        }
    }
    tables.groups = std::move(arrangement.groups);
    return tables;
}

// Moves outcomes to the right, in ascending order within a row.
void put_outcomes_right(std::vector<SlotPair> &terms, const std::vector<TableRow> &rows,
                        std::uint32_t random_inputs) {
    const auto is_outcome = [&](Slot row) { return row >= 1 && row <= random_inputs; };
    for (SlotPair &term : terms) {
        if (is_outcome(term.first) && !is_outcome(term.second)) std::swap(term.first, term.second);
    }
    for (const TableRow &row : rows) {
        const auto first = terms.begin() + static_cast<std::ptrdiff_t>(row.first);
        std::stable_sort(first, first + row.width,
                         [](const SlotPair &a, const SlotPair &b) { return a.second < b.second; });
    }
}

// Finds rows of one layer that have the same outcomes on the right; returns the lists of outcomes by number.
std::vector<std::vector<Slot>> find_shared(std::vector<TableRow> &rows,
                                           std::span<const SlotPair> terms,
                                           std::uint32_t random_inputs, std::size_t least_shared) {
    std::vector<std::vector<Slot>> lists(1);
    std::map<std::vector<Slot>, std::uint32_t> numbers;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> members;
    std::vector<Slot> outcomes;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
        const auto own = terms.subspan(rows[i].first, rows[i].width);
        if (own.front().second == 0 || own.back().second > random_inputs) continue;
        outcomes.clear();
        for (const SlotPair &term : own) outcomes.push_back(term.second);
        const auto [place, is_new] =
            numbers.try_emplace(outcomes, static_cast<std::uint32_t>(lists.size()));
        if (is_new) lists.push_back(outcomes);
        members[{rows[i].layer, place->second}].push_back(i);
    }
    for (const auto &[key, found] : members) {
        if (found.size() * lists[key.second].size() < least_shared) continue;
        for (const std::uint32_t row : found) rows[row].shared = key.second;
    }
    return lists;
}

} // namespace

LayerTables make_layer_tables(const Layers &layers, std::size_t least_shared) {
    LayerTables result;
    result.fixed = layers.first_step();
    std::vector<SlotPair> terms = layers.values().terms;
    std::vector<TableRow> rows = rows_of_sums(layers.values());
    put_outcomes_right(terms, rows, layers.random_input_count());
    const auto lists = find_shared(rows, terms, layers.random_input_count(), least_shared);
    Arrangement arrangement = arranged_in_groups(rows);
    std::vector<std::int64_t> value(layers.value_count()); // where each row of Layers is
    for (std::size_t i = 0; i < result.fixed; ++i) value[i] = static_cast<std::int64_t>(i);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        value[result.fixed + arrangement.order[i]] = static_cast<std::int64_t>(result.fixed + i);
    }
    std::size_t place = 0;
    for (TableGroup &group : arrangement.groups) {
        group.outcomes = lists[rows[arrangement.order[place]].shared];
        place += group.rows;
    }
    NEURASP_ASSERT(place == rows.size(), "every row is in one group");
    result.root = static_cast<std::size_t>(value[layers.root()]);
    result.values = filled(std::move(arrangement), rows, terms, layers.zero_row(),
                           [&](SlotPair t) { return std::pair(value[t.first], value[t.second]); });

    const std::vector<TableRow> back = rows_of_sums(layers.derivatives());
    arrangement = arranged_in_groups(back);
    std::vector<std::int64_t> derivative(layers.derivative_count(), 1);
    for (std::size_t i = 0; i < back.size(); ++i) {
        derivative[1 + arrangement.order[i]] = static_cast<std::int64_t>(2 + i);
    }
    result.derivatives =
        filled(std::move(arrangement), back, layers.derivatives().terms, 0,
               [&](SlotPair t) { return std::pair(derivative[t.first], value[t.second]); });
    result.input_places.assign(layers.random_input_count(), 0);
    for (const auto &[input, row] : layers.used_inputs()) {
        result.input_places[input - 1] = derivative[row];
    }
    return result;
}

} // namespace neurasp::circuit
