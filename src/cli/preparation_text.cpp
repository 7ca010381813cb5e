// A table with a row for each kind of observation, and below it why some kinds do not share more.
//
// Data sets may have many kinds (Sudokus: one for each number of givens). The largest ones get a row, the others share the
// last one.
#include "cli/preparation_text.hpp"

#include "cli/numbers.hpp"
#include "cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace neurasp::cli {

namespace {

constexpr std::size_t most_rows = 12;

// The first line of an observation, short enough for a column.
std::string shortened(const std::string &text) {
    constexpr std::size_t columns = 40;
    std::string line = text.substr(0, text.find('\n'));
    const bool whole = line.size() == text.size() && width(line) <= columns;
    while (width(line) > columns) line.pop_back();
    return whole ? line : line + " ...";
}

void add(KindStatistics &sum, const KindStatistics &kind) {
    sum.observations += kind.observations;
    sum.in_families += kind.in_families;
    sum.direct += kind.direct;
    sum.grounded_together += kind.grounded_together;
    sum.alone += kind.alone;
    sum.without_circuit += kind.without_circuit;
    sum.families += kind.families;
    sum.family_edges = std::max(sum.family_edges, kind.family_edges);
    sum.largest_circuit = std::max(sum.largest_circuit, kind.largest_circuit);
    sum.processor_seconds += kind.processor_seconds;
}

Row row_of(const std::string &name, const KindStatistics &kind) {
    const auto count = [](std::size_t n) { return n == 0 ? std::string("-") : fmt::to_string(n); };
    return {name,
            count(kind.observations),
            count(kind.in_families),
            count(kind.grounded_together),
            count(kind.alone),
            count(kind.without_circuit),
            count(kind.family_edges),
            count(kind.largest_circuit),
            show_seconds(kind.processor_seconds)};
}

} // namespace

std::string preparation_text(const TrainingStatistics &statistics) {
    std::vector<KindStatistics> kinds = statistics.kinds;
    std::stable_sort(kinds.begin(), kinds.end(),
                     [](const auto &a, const auto &b) { return a.observations > b.observations; });
    std::vector<Row> rows = {{"observations", "number", "family", "shared grounding", "alone",
                              "enumerated", "family's edges", "largest circuit", "time"}};
    KindStatistics rest;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        if (k < most_rows) {
            rows.push_back(row_of(shortened(kinds[k].example), kinds[k]));
        } else {
            add(rest, kinds[k]);
        }
    }
    if (kinds.size() > most_rows) {
        rows.push_back(row_of(fmt::format("{} other kinds", kinds.size() - most_rows), rest));
    }
    std::string text = align(rows);
    for (std::size_t k = 0; k < std::min(kinds.size(), most_rows); ++k) {
        if (kinds[k].refusal.empty()) continue;
        text += fmt::format("\nno family of {}: {}", shortened(kinds[k].example), kinds[k].refusal);
    }
    return text;
}

} // namespace neurasp::cli
